/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import examples from './examples.json';

const source = join(import.meta.dirname, '..');

/** The sources of a folder below `web/src` without tests: path from `web/src` -> text. */
function readSources(folder: string): Map<string, string> {
  const paths = readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /(?<!\.test)\.tsx$/.test(path));
  return new Map(paths.map((path) => [path, readFileSync(join(source, path), 'utf8')]));
}

/** The components that these files export and that no gallery source shows. */
function findMissingComponents(
  components: ReadonlyMap<string, string>,
  gallery: readonly string[],
): string[] {
  return [...components].flatMap(([path, text]) =>
    [...text.matchAll(/^export (?:function|const) ([A-Z]\w*[a-z]\w*)/gm)]
      .map(([, name]) => name ?? '')
      .filter((name) => {
        const isShown = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '../${path}'`);
        const isUsed = new RegExp(`<${name}\\b`);
        return !gallery.some((each) => isShown.test(each) && isUsed.test(each));
      })
      .map((name) => `${path}: ${name}`),
  );
}

/** The classes of the gallery that neither its style sheet nor another source names. */
function findUnknownClasses(gallery: readonly string[], others: string): string[] {
  const named = new Set(others.split(/[\s'"`]+/));
  return gallery
    .flatMap((text) => [...text.matchAll(/className="([^"]+)"/g)])
    .flatMap(([, classes = '']) => classes.split(' '))
    .filter((name) => !/^gallery(-|$)/.test(name) && !named.has(name));
}

const gallery = [...readSources('gallery').values()];

describe('the gallery', () => {
  it('shows every component of ui', () => {
    const components = readSources('ui');
    expect(components.size).toBeGreaterThan(35);
    expect(findMissingComponents(components, gallery)).toEqual([]);
  });

  it('notices a component that is not shown', () => {
    const added = new Map([
      ['ui/data/tree.tsx', 'export function Tree() {}\nexport const treeStyle = "";'],
      ['ui/actions/button.tsx', 'export function Button() {}'],
    ]);
    expect(findMissingComponents(added, gallery)).toEqual(['ui/data/tree.tsx: Tree']);
    const imported = `import { Tree } from '../ui/data/tree.tsx';`;
    expect(findMissingComponents(added, [...gallery, imported])).toHaveLength(1);
    expect(findMissingComponents(added, [...gallery, `${imported} <Tree />`])).toEqual([]);
  });

  // Tailwind does not read the sources of the gallery (theme.css).
  it('uses only classes that the product has', () => {
    const others = ['ui', 'shell', 'features'].flatMap((folder) => [
      ...readSources(folder).values(),
    ]);
    expect(findUnknownClasses(gallery, others.join('\n'))).toEqual([]);
    expect(findUnknownClasses(['<p className="flex gallery-x mt-987" />'], '"flex"')).toEqual([
      'mt-987',
    ]);
  });

  it('has the same examples in every language', () => {
    const keysOf = (value: object, path = ''): string[] =>
      Object.entries(value).flatMap(([key, item]: [string, unknown]) =>
        typeof item === 'object' && item !== null ? keysOf(item, `${path}${key}.`) : path + key,
      );
    const [first, ...rest] = Object.values(examples).map((texts) => keysOf(texts));
    for (const keys of rest) expect(keys).toEqual(first);
  });
});
