// A guard is marked in its source by a comment before it, on its own line:
//
//   // guard: name
//   // guard: name (test, folder/other-test)
//   // guard: name => what it becomes
//
// `npm run test:guards` removes one at a time; one of its tests must fail by an assertion then. The
// tests are names of files without `.test.ts`; the default is the test beside the source. A check
// that another one repeats is not marked: no test can notice that it is gone.
//
// What follows the mark is removed: a statement, an operand of `&&` or `||`, a call of a chain, an
// element of a list or a property. `-- guard: name` in a template removes a line of SQL. After `=>`
// is what it becomes instead, in a condition (`if`) or a value (`return`, constant, property).
import { parseAst } from 'rolldown/parseAst';
import { readFiles } from '../check/read-files.mjs';

const marks = /^[ \t]*(\/\/|--) guard: (.*)$/gm;
const anyMark = /(?:\/\/|--|\*)[ \t]*guards?:/gi;
const markForm = /^([^()=]+?)(?: \(([^()]+)\))?(?: => (.+))?$/;
const blank = /(?:\s|\/\/.*|\/\*[^]*?\*\/)*/y;

const parse = (source) => parseAst(source, { lang: 'ts', preserveParens: true });

/** The nodes of a syntax tree with their parents, outer nodes first. */
function listNodes(value, parent, nodes = []) {
  const isNode = typeof value.type === 'string';
  if (isNode) nodes.push({ node: value, parent });
  for (const inner of Object.values(value))
    if (inner !== null && typeof inner === 'object')
      listNodes(inner, isNode ? value : parent, nodes);
  return nodes;
}

const isStatement = ({ node }) => /(Statement|Declaration)$/.test(node.type);
const isOperand = ({ parent }) => parent?.type === 'LogicalExpression' && parent.operator !== '??';
const isElement = ({ node, parent }) =>
  [parent?.elements, parent?.arguments, parent?.properties].some((list) => list?.includes(node));

/** The condition or the value that a replacement is for. */
const decisivePart = (node) =>
  ({
    IfStatement: node.test,
    ReturnStatement: node.argument,
    VariableDeclaration: node.declarations?.[0].init,
    Property: node.value,
  })[node.type] ?? node;

/** The line of SQL after a mark. It ends in the text of its template, not in a value. */
function findLine(nodes, source, start) {
  const template = nodes
    .map(({ node }) => node)
    .findLast((node) => node.type === 'TemplateLiteral' && node.start < start && start < node.end);
  if (!template) return undefined;
  const isInValue = (position) =>
    template.expressions.some((each) => each.start <= position && position < each.end);
  let end = source.indexOf('\n', start + 1);
  while (isInValue(end)) end = source.indexOf('\n', end + 1);
  return { start, end: Math.min(end, template.end - 1) };
}

/** The call of a chain whose dot is at a position. */
function findCall(nodes, position) {
  const { node, parent } =
    nodes.findLast(
      ({ node: { type, object, property } }) =>
        type === 'MemberExpression' && object.end <= position && position < property.start,
    ) ?? {};
  return parent?.callee === node ? { start: node.object.end, end: parent.end } : undefined;
}

/** The range of a marked node, and the text without it. Undefined where it can only be replaced. */
function removalOf(found, source) {
  if (!found) return undefined;
  const { start, end } = found.node;
  if (isStatement(found)) return { start, end, text: ';' };
  if (isOperand(found)) return { start, end, text: String(found.parent.operator === '&&') };
  const comma = /^\s*,/.exec(source.slice(end))?.[0] ?? '';
  return { start, end: end + comma.length, text: '' };
}

/** The range of what a mark that ends at `end` is for, and the text that replaces it. */
function findChange(nodes, source, { isSql, end, becomes }) {
  if (isSql) {
    const line = findLine(nodes, source, end);
    return line && { ...line, text: becomes === undefined ? '' : `\n${becomes}` };
  }
  blank.lastIndex = end;
  const position = end + blank.exec(source)[0].length;
  if (/^\??\./.test(source.slice(position, position + 2))) {
    const call = findCall(nodes, position);
    return call && { ...call, text: becomes ?? '' };
  }
  const here = nodes.filter(({ node, parent }) => parent && node.start === position);
  const found = here.find(isStatement) ?? here.findLast(isOperand) ?? here.find(isElement);
  if (becomes === undefined) return removalOf(found, source);
  const node = (found ?? here[0])?.node;
  if (!node) return undefined;
  const part = decisivePart(node);
  return { start: part.start, end: part.end, text: becomes };
}

function readMark(file, source, nodes, match) {
  const [line, sign, text] = match;
  const [, name, tests, becomes] = markForm.exec(text.trim()) ?? [];
  if (!name) throw new Error(`${file}: write “guard: name (tests) => replacement”: ${line.trim()}`);
  const end = match.index + line.length;
  const change = findChange(nodes, source, { isSql: sign === '--', end, becomes });
  if (!change) throw new Error(`${file}: nothing that can be removed follows “${name}”`);
  const rest = source.slice(0, change.start) + change.text + source.slice(change.end);
  try {
    parse(rest);
  } catch (cause) {
    throw new Error(`${file}: it cannot be parsed without “${name}”`, { cause });
  }
  // `requests.store.ts` is beside `requests.test.ts`.
  const sibling = file.replace(/\.(?:[a-z]+\.)?ts$/, '.test.ts');
  const paths = tests?.split(', ').map((test) => `/${test}.test.ts`);
  return { name, file, change, rest, paths: paths ?? [sibling] };
}

/**
 * The guards that sources (path -> text, tests too) mark: `name`, `file`, `tests`, `rest`, the source
 * without the guard, and `change`, the range that differs and its text. Throws where a mark is wrong.
 */
export function findGuards(files) {
  const testFiles = [...files.keys()].filter((file) => file.endsWith('.test.ts'));
  const guards = [...files].flatMap(([file, source]) => {
    if (file.endsWith('.test.ts')) return [];
    const found = [...source.matchAll(marks)];
    if (found.length !== [...source.matchAll(anyMark)].length)
      throw new Error(`${file}: the mark of a guard is a comment on its own line`);
    if (found.length === 0) return [];
    const nodes = listNodes(parse(source));
    return found.map((match) => readMark(file, source, nodes, match));
  });
  const names = new Set();
  return guards.map(({ paths, ...guard }) => {
    const { name, file } = guard;
    if (names.has(name)) throw new Error(`${file}: another guard has the name “${name}”`);
    names.add(name);
    const tests = paths.map((path) => {
      const matching = testFiles.filter((each) => `/${each}`.endsWith(path));
      if (matching.length !== 1)
        throw new Error(`${file}: ${matching.length} tests are named ${path}, of “${name}”`);
      return matching[0];
    });
    return { ...guard, tests };
  });
}

const readSources = (root) => readFiles(root, ['api/*.ts', 'contract/*.ts']);

/** The guards of the repository at `root`. */
export const readGuards = (root) => findGuards(readSources(root));

/** The sources that change without some guards: path -> text. Throws where no guard has a name. */
export function removeGuards(root, names) {
  const files = readSources(root);
  const guards = findGuards(files);
  const removed = names.map((name) => {
    const guard = guards.find((each) => each.name === name);
    if (!guard) throw new Error(`no guard has the name “${name}”`);
    return guard;
  });
  const texts = new Map();
  // The last of a file first, so that the ranges before it stay.
  for (const { file, change } of removed.toSorted((a, b) => b.change.start - a.change.start)) {
    const text = texts.get(file) ?? files.get(file);
    texts.set(file, text.slice(0, change.start) + change.text + text.slice(change.end));
  }
  return texts;
}

// A snapshot that differs is an Error with the expected value, a property that fails one with a cause.
const isAssertion = (error) =>
  error.name === 'AssertionError' ||
  'expected' in error ||
  (error.cause !== undefined && isAssertion(error.cause));

/**
 * The first failure in test modules of vitest, undefined where all pass. `isAssertion` is false for
 * a test that ended by another error, and for a file or a hook that did not run: these show that
 * the product is broken, not that a test looks at the guard.
 */
export function findFailure(modules) {
  for (const module of modules)
    for (const test of module.children.allTests('failed')) {
      const { errors } = test.result();
      return { test, module, isAssertion: errors.length > 0 && errors.every(isAssertion) };
    }
  const module = modules.find((each) => !each.ok());
  return module && { module, isAssertion: false };
}
