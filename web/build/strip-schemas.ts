import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAst, type Plugin } from 'vite';
import { collectReferences, namesOfPattern, type SyntaxNode } from './references.ts';

const contractSource = join(import.meta.dirname, '../../contract/src/');

/** The properties of a call that only the server and its description read. */
const serverProperties = /^(summary|params|query|body|refusals)$/;

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** A top-level declaration that schemas may appear in. */
interface Declaration {
  names: readonly string[];
  node: SyntaxNode;
  /** Of a call, or of an object that calls share. */
  callObject: SyntaxNode | undefined;
  references: ReadonlySet<string>;
}

interface ModuleAnalysis {
  statements: readonly SyntaxNode[];
  declarationsOf: (statement: SyntaxNode) => readonly Declaration[];
  /** Names at the top level that need zod, imported ones included. */
  schemas: ReadonlySet<string>;
}

const listOf = (value: unknown) => value as readonly SyntaxNode[];
const nameOf = (node: unknown) => (node as { name: string }).name;

/** The object that is passed to `defineCall`; undefined for any other declaration. */
function findCallObject(node: SyntaxNode): SyntaxNode | undefined {
  const init = node.init as SyntaxNode | null | undefined;
  if (init?.type !== 'CallExpression' || nameOf(init.callee) !== 'defineCall') return undefined;
  return listOf(init.arguments)[0];
}

/** The objects of all calls of a module, and those that several calls share by a spread. */
function findCallObjects(declarations: readonly SyntaxNode[]): ReadonlyMap<SyntaxNode, SyntaxNode> {
  const found = new Map<SyntaxNode, SyntaxNode>();
  for (const node of declarations) {
    const call = findCallObject(node);
    if (call) found.set(node, call);
  }
  const spread = new Set(
    [...found.values()]
      .flatMap((call) => listOf(call.properties))
      .flatMap(({ type, argument }) => (type === 'SpreadElement' ? nameOf(argument) : [])),
  );
  for (const node of declarations) {
    const init = node.init as SyntaxNode | null | undefined;
    const value = (init?.expression ?? init) as SyntaxNode | null | undefined;
    if (spread.has(nameOf(node.id)) && value?.type === 'ObjectExpression') found.set(node, value);
  }
  return found;
}

function isServerProperty({ key, value }: SyntaxNode): boolean {
  if (key === undefined) return false;
  const name = nameOf(key);
  return (
    serverProperties.test(name) || (name === 'reply' && (value as SyntaxNode).type !== 'Literal')
  );
}

/** The declarations of one statement at the top level. */
function nodesOf(statement: SyntaxNode): readonly SyntaxNode[] {
  const node = (statement.declaration ?? statement) as SyntaxNode;
  if (node.type === 'VariableDeclaration') return listOf(node.declarations);
  return /^(Function|Class)Declaration$/.test(node.type) ? [node] : [];
}

function declare(node: SyntaxNode, callObject: SyntaxNode | undefined): Declaration {
  const { callee } = (node.init ?? {}) as { callee?: SyntaxNode };
  const read = callObject
    ? [callee ?? [], listOf(callObject.properties).filter((part) => !isServerProperty(part))].flat()
    : [node];
  return {
    node,
    callObject,
    names: namesOfPattern(node.id as SyntaxNode),
    references: new Set(read.flatMap((part) => [...collectReferences(part)])),
  };
}

const isValueImport = (node: SyntaxNode) =>
  node.type === 'ImportDeclaration' && node.importKind !== 'type';
const sourceOf = (statement: SyntaxNode) => String((statement.source as { value: unknown }).value);
const valueSpecifiers = (statement: SyntaxNode) =>
  listOf(statement.specifiers).filter((one) => one.importKind !== 'type');

const analyses = new Map<string, { code: string; analysis: ModuleAnalysis }>();

function importedSchemas(file: string, statement: SyntaxNode): readonly string[] {
  const source = sourceOf(statement);
  const specifiers = valueSpecifiers(statement);
  if (source === 'zod') return specifiers.map(({ local }) => nameOf(local));
  if (!source.startsWith('.')) return [];
  const path = join(dirname(file), source);
  const { schemas } = analyse(path, readFileSync(path, 'utf8'));
  return specifiers
    .filter(({ imported }) => imported !== undefined && schemas.has(nameOf(imported)))
    .map(({ local }) => nameOf(local));
}

/** Finds the names that need zod, directly or by another name. */
function analyse(file: string, code: string): ModuleAnalysis {
  const known = analyses.get(file);
  if (known?.code === code) return known.analysis;
  const statements = listOf(parseAst(code, { lang: 'ts' }).body);
  const schemas = new Set(
    statements.filter(isValueImport).flatMap((statement) => importedSchemas(file, statement)),
  );
  const nodes = statements.flatMap(nodesOf);
  const callObjects = findCallObjects(nodes);
  const declarations = new Map(nodes.map((node) => [node, declare(node, callObjects.get(node))]));
  const needsSchema = ({ references }: Declaration) =>
    [...references].some((name) => schemas.has(name));
  for (let size = -1; size !== schemas.size;) {
    size = schemas.size;
    for (const declaration of declarations.values())
      if (needsSchema(declaration)) for (const name of declaration.names) schemas.add(name);
  }
  const declarationsOf = (statement: SyntaxNode) =>
    nodesOf(statement).flatMap((node) => declarations.get(node) ?? []);
  const analysis = { statements, declarationsOf, schemas };
  analyses.set(file, { code, analysis });
  return analysis;
}

/** The rest of a list after `part`, up to the separator that `code` has there. */
function endWithComma(code: string, { end }: SyntaxNode): number {
  return /^\s*,/.test(code.slice(end)) ? code.indexOf(',', end) + 1 : end;
}

// A bundler removes an unused constant only when it knows that its value has no effects. The mark
// covers one call; a function around the value covers the calls inside it.
function markPure({ init }: SyntaxNode, isCall: boolean): Edit[] {
  const value = init as SyntaxNode | null | undefined;
  if (value?.type !== 'CallExpression') return [];
  const [before, after] = isCall ? ['', ''] : ['(() => ', ')()'];
  return [
    { start: value.start, end: value.start, text: `/* @__PURE__ */ ${before}` },
    { start: value.end, end: value.end, text: after },
  ];
}

/** The properties of pages that only the server and journeys read. */
const serverPageProperties = /^(heading|opening)$/;

/** Those of the pages in the table that is passed to `definePages`. */
function serverPartsOfPages({ init }: SyntaxNode): readonly SyntaxNode[] {
  const value = init as SyntaxNode | null | undefined;
  if (value?.type !== 'CallExpression' || nameOf(value.callee) !== 'definePages') return [];
  return listOf(listOf(value.arguments)[0]?.properties)
    .filter(({ type }) => type === 'Property')
    .flatMap((page) => listOf((page.value as SyntaxNode).properties))
    .filter(({ key }) => serverPageProperties.test(nameOf(key)));
}

function editsOfDeclaration(code: string, { node, callObject }: Declaration): Edit[] {
  const removed = [
    ...listOf(callObject?.properties ?? []).filter(isServerProperty),
    ...serverPartsOfPages(node),
  ].map((part) => ({ start: part.start, end: endWithComma(code, part), text: '' }));
  return [...markPure(node, callObject !== undefined), ...removed];
}

function editsOfImport(
  code: string,
  statement: SyntaxNode,
  isNeeded: (name: string) => boolean,
): Edit[] {
  const specifiers = listOf(statement.specifiers);
  const unneeded = valueSpecifiers(statement).filter(({ local }) => !isNeeded(nameOf(local)));
  return unneeded.length === specifiers.length
    ? [{ start: statement.start, end: statement.end, text: '' }]
    : unneeded.map((one) => ({ start: one.start, end: endWithComma(code, one), text: '' }));
}

/** Keeps the line ends of what is removed, so that lines keep their numbers. */
function applyEdits(code: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: inserted }) => {
      const lineEnds = text.slice(start, end).replace(/[^\n]+/g, '');
      return text.slice(0, start) + inserted + lineEnds + text.slice(end);
    }, code);
}

/**
 * The code of a contract module without schemas: declarations that need zod are removed, calls keep
 * only what the browser reads. Throws for schemas in a place that cannot be removed.
 */
export function stripModule(file: string, code: string): string {
  const { statements, declarationsOf, schemas } = analyse(file, code);
  const edits: Edit[] = [];
  const references = new Set<string>();
  const fail = (node: SyntaxNode) => {
    const line = code.slice(0, node.start).split('\n').length;
    throw new Error(`${file}:${line} needs a schema in the browser: decision 0032`);
  };
  for (const statement of statements.filter((one) => one.type !== 'ImportDeclaration')) {
    const declarations = declarationsOf(statement);
    if (declarations.length === 0) {
      for (const name of collectReferences(statement)) {
        if (schemas.has(name)) fail(statement);
        references.add(name);
      }
      continue;
    }
    const isRemoved = ({ names }: Declaration) => names.some((name) => schemas.has(name));
    for (const { node, callObject } of declarations.filter(isRemoved)) if (callObject) fail(node);
    if (declarations.every(isRemoved)) {
      edits.push({ start: statement.start, end: statement.end, text: '' });
      continue;
    }
    if (declarations.some(isRemoved)) fail(statement);
    for (const declaration of declarations) {
      for (const name of declaration.references) references.add(name);
      edits.push(...editsOfDeclaration(code, declaration));
    }
  }
  for (const statement of statements.filter(isValueImport))
    edits.push(...editsOfImport(code, statement, (name) => references.has(name)));
  return applyEdits(code, edits);
}

/**
 * Removes zod and every schema from the contract, because no schema runs in the browser: decision
 * 0032. A portal source that imports a schema, or zod itself, fails the build.
 */
export function stripSchemas(): Plugin {
  return {
    name: 'strip-schemas',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^zod(\/|$)/ },
      handler(source, importer, options) {
        // The scanner for dependencies of the development server reads sources as they are.
        if ('scan' in options && options.scan) return;
        this.error(`${importer ?? 'The portal'} imports ${source}: decision 0032`);
      },
    },
    transform: {
      filter: { id: /\/contract\/src\/.*\.ts$/ },
      handler(code, id) {
        return id.startsWith(contractSource)
          ? { code: stripModule(id, code), map: null }
          : undefined;
      },
    },
  };
}
