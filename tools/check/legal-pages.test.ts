import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const listed = readFileSync('docs/legal-pages.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \w+\.\w+ +\|/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | +\|$/g, '').trim()));
/** Statements with what holds them, and those that a person confirms. */
const rows = listed.filter((cells) => cells.length > 2);
const confirmed = listed.filter((cells) => cells.length === 2);

type Texts = Record<string, Record<string, { text: string }>>;
const legal = JSON.parse(readFileSync('web/public/locales/en-US/legal.json', 'utf8')) as Texts;
const settings = readFileSync('api/src/settings.ts', 'utf8');

/** What of a row does not exist. */
function findMissing([section = '', , proof = '']: readonly string[]): string[] {
  const [page = '', key = ''] = section.split('.');
  const missing = legal[page]?.[key] ? [] : [`section ${section}`];
  for (const [, name = '', , test] of proof.matchAll(/`([^`]+)`(: ([^`]+?)(?=, `|$))?/g)) {
    if (/^[A-Z_]+$/.test(name)) {
      if (!new RegExp(`^  ${name}:`, 'm').test(settings)) missing.push(`setting ${name}`);
      continue;
    }
    if (!existsSync(name)) {
      missing.push(`file ${name}`);
      continue;
    }
    const source = readFileSync(name, 'utf8');
    if (test !== undefined && !source.includes(test)) missing.push(`test “${test}” in ${name}`);
  }
  return proof.includes('`') ? missing : [...missing, `proof of ${section}`];
}

it('every statement about data names a setting or a test that exists', () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.flatMap(findMissing)).toEqual([]);
});

it('finds a missing section, setting, file and test', () => {
  expect(
    findMissing([
      'privacy.none',
      'x',
      `\`NO_SETTING\`, \`no/file.test.ts\`, \`tools/check/docs.test.ts\`: no such name`,
    ]),
  ).toEqual([
    'section privacy.none',
    'setting NO_SETTING',
    'file no/file.test.ts',
    'test “no such name” in tools/check/docs.test.ts',
  ]);
  expect(findMissing(['privacy.law', 'x', 'nothing'])).toEqual(['proof of privacy.law']);
});

const ofPages = Object.entries(legal).filter(([name]) => name !== 'facts');

it('every section is listed once: as held by a setting or a test, or as confirmed by a person', () => {
  const sections = ofPages.flatMap(([page, texts]) =>
    Object.keys(texts).map((key) => `${page}.${key}`),
  );
  const held = [...new Set(rows.map(([section = '']) => section))];
  const bySomeone = confirmed.map(([section = '']) => section);
  expect([...held, ...bySomeone].toSorted()).toEqual(sections.toSorted());
});

it('every section that states a period, a reader or a provider is held by a setting or a test', () => {
  const held = new Set(rows.map(([section]) => section));
  for (const [page, sections] of ofPages)
    for (const [key, { text }] of Object.entries(sections)) {
      const facts = (text.match(/\{\{\w+\}\}/g) ?? []).filter(
        (fact) => !['{{contact}}', '{{uaePass}}'].includes(fact),
      );
      if (facts.length > 0) expect(held, `${page}.${key}`).toContain(`${page}.${key}`);
    }
});

it('the database has no place for card details', () => {
  const schema = readFileSync('api/database/schema.sql', 'utf8');
  const columns = [...schema.matchAll(/^ {2}(\w+) /gm)].map(([, name = '']) => name);
  expect(columns.length).toBeGreaterThan(500);
  expect(columns.filter((name) => /(^|_)(pan|cvv|cvc|card|expiry)(_|$)/.test(name))).toEqual([]);
});
