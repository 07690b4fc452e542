import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const rows = readFileSync('docs/legal-pages.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \w+\.\w+ \|/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

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

it('every section of the privacy policy that states a period or a reader is listed', () => {
  const listed = new Set(rows.map(([section]) => section));
  for (const [page, sections] of Object.entries(legal).filter(([name]) => name !== 'facts'))
    for (const [key, { text }] of Object.entries(sections)) {
      const facts = (text.match(/\{\{\w+\}\}/g) ?? []).filter(
        (fact) => !['{{contact}}', '{{uaePass}}'].includes(fact),
      );
      if (facts.length > 0) expect(listed, `${page}.${key}`).toContain(`${page}.${key}`);
    }
});
