import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allCalls } from '@diwan/contract/all-calls';
import { actionCalls } from '@diwan/contract/processing/action-calls';
import { plainActions } from '@diwan/contract/requests/actions';
import type { Call } from '@diwan/contract/wire/call';
import { smallPng } from '../testing/requests/demo-request.ts';
import { useTestApp } from '../testing/test-app.ts';
import { specifiedCalls } from './specified-calls.ts';

const root = new URL('../../../', import.meta.url);
const readText = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The content that a body such as `< photo.png` stands for. */
const contents: Readonly<Record<string, Buffer>> = { 'photo.png': smallPng };

type Values = Map<string, string>;

interface Request {
  method: 'GET' | 'POST' | 'PUT';
  address: string;
  headers: Record<string, string>;
  body: string;
}

interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface Example {
  line: number;
  request: Request;
  reply: Reply;
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    }),
  );
}

/** Splits an HTTP message: the first line, the headers, and the body after an empty line. */
function readMessage(text: string) {
  const [head = '', ...body] = text.trim().split('\n\n');
  const [first = '', ...headers] = head.split('\n');
  return { first, headers: readHeaders(headers), body: body.join('\n\n') };
}

/** The pairs of HTTP blocks of a document, a request and its reply. */
function readExamples(markdown: string): Example[] {
  const blocks = [...markdown.matchAll(/^```http\n([^]*?)^```$/gm)].map(
    ({ 1: text = '', index }) => ({
      ...readMessage(text),
      line: markdown.slice(0, index).split('\n').length,
    }),
  );
  expect(blocks.length % 2, 'a request without a reply').toBe(0);
  return Array.from({ length: blocks.length / 2 }, (_, index) => {
    const [asked, answered] = blocks.slice(2 * index, 2 * index + 2);
    const [, method, address] = /^(GET|POST|PUT) (\S+)$/.exec(asked?.first ?? '') ?? [];
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(answered?.first ?? '') ?? [];
    if (!asked || !answered || !method || !address || !status)
      throw new Error(`docs/api.md:${asked?.line}: not a request and its reply`);
    return {
      line: asked.line,
      request: { ...asked, method: method as Request['method'], address },
      reply: { ...answered, status: Number(status) },
    };
  });
}

function fillIn(text: string, values: Values): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`no reply above names {{${name}}}`);
    return value;
  });
}

const kindOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
const isOmission = (value: unknown) => value === '…';
const nameOf = (value: unknown) => (value as { name?: unknown } | null)?.name;

/** Pairs the elements by their `name` where the documented one has one, else by position. */
function compareLists(shown: unknown[], actual: unknown[], path: string, values: Values): string[] {
  const elements = shown.filter((element) => !isOmission(element));
  const isCut = elements.length < shown.length;
  if (!isCut && elements.length !== actual.length)
    return [`${path}: ${actual.length} elements, not ${elements.length}`];
  return elements.flatMap((element, index) => {
    const paired = actual.find(
      (each) => nameOf(element) !== undefined && nameOf(each) === nameOf(element),
    );
    return compare(element, paired ?? actual[index], `${path}[${index}]`, values);
  });
}

function compareObjects(
  { '…': omission, ...shown }: Record<string, unknown>,
  actual: Record<string, unknown>,
  path: string,
  values: Values,
): string[] {
  const unknownKeys =
    omission === undefined ? Object.keys(actual).filter((key) => !(key in shown)) : [];
  return [
    ...unknownKeys.map((key) => `${path}.${key}: not documented`),
    ...Object.entries(shown).flatMap(([key, value]) =>
      key in actual
        ? compare(value, actual[key], `${path}.${key}`, values)
        : [`${path}.${key}: not in the reply`],
    ),
  ];
}

/** The differences in shape between a documented value and an actual one; keeps named values. */
function compare(shown: unknown, actual: unknown, path: string, values: Values): string[] {
  const [, name] = typeof shown === 'string' ? (/^\{\{(\w+)\}\}$/.exec(shown) ?? []) : [];
  if (name !== undefined) {
    if (typeof actual !== 'string' && typeof actual !== 'number')
      return [`${path}: {{${name}}} is ${kindOf(actual)}`];
    values.set(name, String(actual));
    return [];
  }
  if (kindOf(shown) !== kindOf(actual)) return [`${path}: ${kindOf(actual)}, not ${kindOf(shown)}`];
  if (Array.isArray(shown)) return compareLists(shown, actual as unknown[], path, values);
  if (kindOf(shown) !== 'object') return [];
  return compareObjects(
    shown as Record<string, unknown>,
    actual as Record<string, unknown>,
    path,
    values,
  );
}

/** Whether an address, with or without its names filled in, is that of the call. */
function isCallOf({ method, address }: Request, call: Call): boolean {
  const path = address.split('?')[0] ?? '';
  // A parameter between slashes may be a word, such as the name of a provider.
  const pattern = call.path
    .replace(/\/\{\w+\}/g, '/(?:{{\\w+}}|[a-z-]+)')
    .replace(/\{(?!\{|\\)\w+\}(?!\})/g, '{{\\w+}}');
  return method === call.method && new RegExp(`^${pattern}$`).test(path);
}

const app = useTestApp();
const examples = readExamples(readText('docs/api.md'));

it('every example of docs/api.md has the documented status and shape', async () => {
  const values: Values = new Map();
  for (const { line, request, reply } of examples) {
    const file = /^< (\S+)$/.exec(request.body)?.[1];
    const body = file === undefined ? fillIn(request.body, values) : contents[file];
    const response = await app.server.inject({
      method: request.method,
      url: fillIn(request.address, values),
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, fillIn(value, values)]),
      ),
      ...(body ? { payload: body } : {}),
    });
    const at = `docs/api.md:${line} ${request.method} ${request.address}`;
    expect(response.statusCode, `${at}\n${response.body}`).toBe(reply.status);
    for (const [name, value] of Object.entries(reply.headers))
      expect(response.headers[name], at).toBe(fillIn(value, values));
    if (reply.body === '') continue;
    const differences = compare(JSON.parse(reply.body), response.json(), 'reply', values);
    expect(differences, `${at}\n${response.body}`).toEqual([]);
  }
});

it('the comparison finds missing, additional and different parts', () => {
  const differences = (shown: unknown, actual: unknown) => compare(shown, actual, '', new Map());
  expect(differences({ a: 1, b: ['x'] }, { a: 2, b: ['y'] })).toEqual([]);
  expect(differences({ a: 1 }, { a: '1' })).toEqual(['.a: string, not number']);
  expect(differences({ a: 1 }, { a: 1, b: 2 })).toEqual(['.b: not documented']);
  expect(differences({ a: 1, '…': '…' }, { a: 1, b: 2 })).toEqual([]);
  expect(differences({ a: 1, c: 3 }, { a: 1 })).toEqual(['.c: not in the reply']);
  expect(differences([1], [1, 2])).toEqual([': 2 elements, not 1']);
  expect(differences([{ name: 'b', x: 1 }, '…'], [{ name: 'a' }, { name: 'b', x: '1' }])).toEqual([
    '[0].x: string, not number',
  ]);
  expect(differences({ a: '{{a}}' }, { a: null })).toEqual(['.a: {{a}} is null']);
});

/** Specified calls that no page makes, and why: decision 0039. */
const madeByNoPage: Readonly<Record<string, string>> = {
  PostPayProPaymentResult: 'the payment provider sends the browser to it',
};

/** The sources of the portal, without its tests. */
const readPortal = () =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'web/src'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/(testing|gallery)\//.test(file))
    .map(readText)
    .join('\n');

// The portal sends actions by their names, which it reads for those without input from the table.
const sentActions = (portal: string) =>
  Object.entries(actionCalls).flatMap(([action, { name }]) =>
    plainActions.some((each) => each === action) ||
    portal.includes(`useRequestAction('${action}')`) ||
    portal.includes(`action="${action}"`)
      ? [name as string]
      : [],
  );

it('every call of the specification is imported by the portal, or is listed with the reason', () => {
  const portal = readPortal();
  const imported = new Set([
    ...[...portal.matchAll(/^import \{([^}]*)\} from '@diwan\/contract/gm)].flatMap(
      ({ 1: names = '' }) => names.split(',').map((name) => name.trim()),
    ),
    ...[...portal.matchAll(/^import \* as (\w+) from '@diwan\/contract/gm)].flatMap(
      ({ 1: calls }) =>
        [...portal.matchAll(new RegExp(`\\b${calls}\\.(\\w+)`, 'g'))].map(
          ({ 1: name = '' }) => name,
        ),
    ),
    ...sentActions(portal),
  ]);
  const missing = Object.entries(specifiedCalls).flatMap(([noun, names]) =>
    names.filter((name) => {
      const call = allCalls.find(({ path }) => path === `/api/${noun}/${name}`);
      return call === undefined || !imported.has(call.name);
    }),
  );
  expect(missing.toSorted()).toEqual(Object.keys(madeByNoPage).toSorted());
});

it('every call is used by the portal or has an example', () => {
  const portal = readPortal();
  const sentCalls = sentActions(portal);
  expect(portal).toContain('actionCalls[action]');
  const unused = allCalls.filter(
    (call) =>
      !new RegExp(`\\b${call.name}\\b`).test(portal) &&
      !sentCalls.some((name) => name === call.name) &&
      !examples.some(({ request }) => isCallOf(request, call)),
  );
  expect(unused.map(({ name }) => name)).toEqual([]);
});
