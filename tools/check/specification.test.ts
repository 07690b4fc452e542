import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { specifiedCalls } from '../../api/src/system-tests/specified-calls.ts';

interface Row {
  section: string;
  demand: string;
  file: string;
  title: string;
}

/** The rows of the tables of docs/specification.md. */
function readRows(markdown: string): Row[] {
  return markdown.split(/^## /m).flatMap((part) => {
    const section = /^§\d/.exec(part)?.[0] ?? '';
    return [...part.matchAll(/^\| (?!demand |---)(.*) \|$/gm)].map(({ 1: cells = '' }) => {
      const [demand = '', file = '', title = ''] = cells.split('|').map((cell) => cell.trim());
      return { section, demand, file, title };
    });
  });
}

/** What is wrong with a row: no test, or one that does not have what the row says. */
function problemsOf({ demand, file, title }: Row): string[] {
  if (!/\.(test\.tsx?|journey\.ts)$/.test(file) || !existsSync(file)) return [`${demand}: no test`];
  const source = readFileSync(file, 'utf8');
  const values = [...demand.matchAll(/`([^`]+)`/g)].map(({ 1: value = '' }) => value);
  return [
    ...(title !== '' && source.includes(title) ? [] : [`${demand}: no title in ${file}`]),
    ...values.filter((each) => !source.includes(each)).map((each) => `${demand}: no ${each}`),
  ];
}

const rows = readRows(readFileSync('docs/specification.md', 'utf8'));

it('every demand of the specification has a test that exists', () => {
  expect(rows.flatMap(problemsOf)).toEqual([]);
});

it('every section of the specification has rows', () => {
  const sections = [...new Set(rows.map(({ section }) => section))];
  expect(sections).toEqual(Array.from({ length: 9 }, (_, index) => `§${index + 1}`));
});

it('every call of the specification has a row', () => {
  const named = rows
    .filter(({ section }) => section === '§7')
    .flatMap(({ demand }) => demand.match(/\w+/g) ?? []);
  const calls = Object.values(specifiedCalls)
    .flat()
    .map((call) => call.replace('{requestId}', '').replace('{serviceId}', ''));
  expect(calls.filter((call) => !named.includes(call))).toEqual([]);
});

it('finds a row without a test, without its title and without its value', () => {
  const [row] = rows;
  if (!row) throw new Error('docs/specification.md has no rows');
  expect(problemsOf({ ...row, file: 'web/src/gone.test.ts' })).toHaveLength(1);
  expect(problemsOf({ ...row, title: 'a title that no test has' })).toHaveLength(1);
  expect(problemsOf({ ...row, demand: '`a value that no test has`' })).toHaveLength(1);
  expect(
    readRows('## §5 x\n| demand | test file | title |\n| --- | --- | --- |\n| a | | |\n'),
  ).toEqual([{ section: '§5', demand: 'a', file: '', title: '' }]);
});

/** The texts that the specification quotes, by their keys. Source: specification §2, §5, §6, §8. */
const quoted: Record<string, string> = {
  'services:search.placeholder': 'What are you looking for?',
  'services:hints.renewRegistration': 'renew registration',
  'services:hints.applyForTradeLicence': 'apply for trade license',
  'services:listing.showAll': 'Show all services',
  'services:listing.range_other': 'Showing {{first}} - {{last}} of {{total}} results',
  'services:agencies.title': 'Services by government agency',
  'services:listing.none': 'No results found',
  'services:listing.noneFor': 'We could not find anything for “{{search}}”',
  'shell:kit.notFound': 'Not found',
  'errors:refusals.YouAreUnauthorized': 'You are unauthorized',
  'errors:refusals.YouHaveToLoginFirst': 'You have to login first',
  'errors:refusals.IncorrectPassword': 'Incorrect password',
};

it.each(Object.entries(quoted))('%s is as the specification quotes it', (key, text) => {
  const [noun = '', path = ''] = key.split(':');
  const texts: unknown = JSON.parse(readFileSync(`web/public/locales/en-US/${noun}.json`, 'utf8'));
  const found = path
    .split('.')
    .reduce((value, part) => (value as Record<string, unknown> | undefined)?.[part], texts);
  expect(found).toBe(text);
});
