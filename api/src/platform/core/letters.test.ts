import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import { sql } from '../database/sql.ts';
import { joiningCharacters, keyLetters, letterForms, otherDigits } from './letters.ts';
import { normalizeText } from './normalize-text.ts';

const app = useTestApp();

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const asciiCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const digits = '0123456789';

function foldText(): string {
  const forms = Object.values(letterForms).join('') + otherDigits.join('');
  const plain =
    Object.entries(letterForms)
      .map(([letter, others]) => letter.repeat(others.length))
      .join('') + digits.repeat(otherDigits.length);
  return `-- The normal form of a text that searches of the database compare. Made from
-- api/src/platform/core/letters.ts: npx vitest run letters -u.
create or replace function fold_text(value text) returns text
language sql immutable parallel safe strict as $$
  select translate(
    regexp_replace(lower(normalize(value, NFKD)), ${quote(`[${joiningCharacters}]`)}, '', 'g'),
    ${quote(forms)},
    ${quote(plain)})
$$;
`;
}

const searchKey =
  () => `-- A normal form in letters of ASCII: trigrams know no others where a database has the ctype C, as the
-- embedded one. Made from api/src/platform/core/letters.ts: npx vitest run letters -u.
create or replace function search_key(value text) returns text
language sql immutable parallel safe strict
return translate(value, ${quote(keyLetters)}, ${quote(asciiCharacters.slice(0, keyLetters.length))});
`;

it.each([
  ['fold_text', foldText],
  ['search_key', searchKey],
])('the function %s of the database has the letters of the table', async (name, make) => {
  await expect(make()).toMatchFileSnapshot(`../../../database/functions/${name}.sql`);
});

it('each letter has one form and one key', () => {
  const forms = [...Object.values(letterForms).join(''), ...otherDigits.join('')];
  expect(new Set(forms).size).toBe(forms.length);
  expect(new Set(keyLetters).size).toBe(keyLetters.length);
  expect(keyLetters.length).toBeLessThanOrEqual(asciiCharacters.length);
  for (const letter of keyLetters) expect(normalizeText(letter)).toBe(letter);
});

/** Texts of what people type in three scripts, with all that the table names. */
const letters = fc.oneof(
  fc.constantFrom(...Object.keys(letterForms), ...Object.values(letterForms).join('')),
  fc.constantFrom(...otherDigits.join(''), ...digits, ...keyLetters),
  fc.constantFrom(..."'’‘ʼ`´ .,-_/()،؟ـءٴأإآؤئۂۀۓ"),
  fc.constantFrom('\u064e', '\u0651', '\u0670', '\u0301', '\u200d', '\u200f', '\u2067', '\u2069'),
  fc.constantFrom(...'aBcÉüßİKﻻﺋﷲ５ＶŁ½'),
);

async function expectSameForms(texts: readonly string[]): Promise<void> {
  const { rows } = await sql<{ folded: string }>`
    select fold_text(text) as folded
    from unnest(${texts}::text[]) with ordinality as given (text, position)
    order by position`.execute(app.database);
  // The database leaves what separates words: it compares by words.
  const folded = rows.map((row) => row.folded.replace(/[\p{P}\p{S}\p{Z}]+/gu, ' ').trim());
  expect(folded).toEqual(texts.map(normalizeText));
}

it('the database and the product make the same form of a text', async () => {
  await expectSameForms([
    'أإآٱ ىی ة ۃ ہ ھ كک ؤ ئ ء ں',
    'مُحَمَّد ـــ',
    '٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹',
    'Éclair ÀÑ ﻻ ﷲ',
    "O'Neil ’x‘",
    'ﺃﺣﻤﺪ',
    'آمنہ',
    'ۀ ۓ ې ے',
  ]);
  const text = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(''));
  await fc.assert(fc.asyncProperty(fc.array(text, { maxLength: 50 }), expectSameForms), {
    numRuns: 40,
  });
});
