import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { pageList, type PageName } from '../../contract/src/portal/page-list.ts';
import { partsOf, type SyntaxNode } from './references.ts';

/** The two maps of `web/src` that load the component of each page. */
const mapFiles = ['pages.ts', 'more-pages.ts'];

/** The first file of a page that a loader imports. */
function fileIn(node: SyntaxNode): string | undefined {
  if (node.type === 'ImportExpression') {
    const file = String((node.source as SyntaxNode).value);
    return /-pages?\.tsx$/.test(file) ? file : undefined;
  }
  for (const part of partsOf(node)) {
    const file = fileIn(part);
    if (file !== undefined) return file;
  }
  return undefined;
}

function readMap(path: string): Map<string, string> {
  const { body } = parseAst(readFileSync(path, 'utf8'), { lang: 'ts' });
  const files = new Map<string, string>();
  const visit = (node: SyntaxNode): void => {
    const declared = node.type === 'VariableDeclarator' ? (node.id as SyntaxNode).name : undefined;
    const named = node.type === 'Property' ? (node.key as SyntaxNode).name : undefined;
    const value = (node.value ?? node.init) as SyntaxNode | undefined;
    const name = declared ?? named;
    if (typeof name === 'string' && value && !files.has(name)) {
      // A page may share the loader of another one, which is declared before it.
      const file = value.type === 'Identifier' ? files.get(value.name as string) : fileIn(value);
      if (file !== undefined) files.set(name, file);
    }
    for (const part of partsOf(node)) visit(part);
  };
  for (const statement of body as unknown as readonly SyntaxNode[]) visit(statement);
  return files;
}

/**
 * The file of the component of each page that has one, from the maps of components. `sources` is
 * `web/src`. Throws for a page whose file is not found.
 */
export function readPageFiles(sources: string): ReadonlyMap<PageName, string> {
  const files = mapFiles.map((file) => readMap(join(sources, file)));
  const shown = pageList.filter(({ redirectTo, sameAs }) => !redirectTo && !sameAs);
  return new Map(
    shown.map(({ name }) => {
      const file = files.map((map) => map.get(name)).find((each) => each !== undefined);
      if (file === undefined)
        throw new Error(`${mapFiles.join(' and ')} import no file for ${name}`);
      return [name, join(sources, file)];
    }),
  );
}
