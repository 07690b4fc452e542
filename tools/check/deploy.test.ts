// The files of deploy/ name settings, paths and alerts that exist. `npm run check:deploy` lets the
// programs that read them check the rest.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { root } from '../../scripts/install.mjs';
import { readFiles, readText } from './read-files.mjs';

const files = [...readFiles(root, ['deploy'])];
const textOf = (end: string) => {
  const found = files.find(([name]) => name.endsWith(end));
  if (!found) throw new Error(`${end} is missing`);
  return found[1];
};
const yamlOf = (end: string) =>
  parseAllDocuments(textOf(end)).map((document) => {
    expect(document.errors, end).toEqual([]);
    return document.toJS() as Record<string, never>;
  });
const settingNames = [
  ...readText(`${root}/api/src/settings.ts`).matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm),
].map(([, name]) => name);

/** The settings that a text sets: NAME=…, NAME: …, in lists of an environment. */
function findUnknownSettings(names: Iterable<string>): string[] {
  const others = ['NODE_ENV'];
  return [...names].filter((name) => ![...settingNames, ...others].includes(name));
}

it('names only settings of the product', () => {
  const composed = yamlOf('compose.yaml')[0] as unknown as {
    'x-server': { environment: Record<string, string> };
  };
  const names = [
    ...Object.keys(composed['x-server'].environment),
    ...[...textOf('example.env').matchAll(/^#? ?([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name),
    ...Object.keys(yamlOf('settings.yaml')[0]?.data ?? {}),
    ...Object.keys(yamlOf('secret.example.yaml')[0]?.stringData ?? {}),
    ...[...textOf('diwan@.service').matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((each) => each.split('=')[0] ?? ''),
    ),
    ...[...textOf('Dockerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((each) => each.split('=')[0] ?? ''),
    ),
  ];
  expect(names.length).toBeGreaterThan(30);
  expect(findUnknownSettings(names)).toEqual([]);
  expect(findUnknownSettings(['PORT', 'PROT'])).toEqual(['PROT']);
});

it('asks for paths of health that the server has', () => {
  const served = readText(`${root}/docs/operations/monitoring.md`);
  const asked = files.flatMap(([, text]) => [...text.matchAll(/\/health\/[a-z]+/g)]).map(String);
  expect(new Set(asked)).toEqual(new Set(['/health/live', '/health/ready']));
  for (const path of asked) expect(served).toContain(`\`${path}\``);
});

it('has a part of the runbook and a test for each alert, over metrics that exist', () => {
  const { groups } = yamlOf('rules.yml')[0] as unknown as {
    groups: { rules: { alert: string; expr: string; annotations: { runbook: string } }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  const anchors = [...readText(`${root}/docs/operations/runbook.md`).matchAll(/^## (.*)$/gm)].map(
    ([, title = '']) => title.toLowerCase().replaceAll(' ', '-'),
  );
  expect(rules.map(({ annotations }) => annotations.runbook.split('#')[1])).toEqual(anchors);
  for (const { alert } of rules) expect(textOf('rules.test.yml')).toContain(`alertname: ${alert}`);
});

// HAProxy sends the file as it is, and HTTP ends its lines with both characters.
it('has a page of the proxy whose headers are those of HTTP', () => {
  const text = readFileSync(`${root}/deploy/proxy/errors/503.http`, 'utf8');
  const [head = ''] = text.split('<!doctype');
  expect(head.split('\r\n').at(0)).toMatch(/^HTTP\/1\.[01] 503 /);
  expect(head).not.toMatch(/[^\r]\n/);
  expect(head.endsWith('\r\n\r\n')).toBe(true);
});
