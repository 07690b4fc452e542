import { createTranslator } from '#platform/core/locale-texts.ts';
import type { CatalogueList } from '@diwan/contract/catalogue/transfer';
import { type Emirate, emirates } from '@diwan/contract/forms/emirates';
import { languages, type Language } from '@diwan/contract/wire/languages';
import {
  standardVatRate,
  vatCategories,
  vatCategoryOf,
  vatTreatmentOf,
  type VatCategory,
  type VatTreatment,
} from '@diwan/contract/wire/money';
import { readTypedAmount, toLatinDigits } from '@diwan/contract/wire/typed-number';
import type { StoredSummary } from '../stored-summary.ts';
import earlierHeadings from './earlier-headings.json' with { type: 'json' };

const texts = createTranslator('catalogue');

/** A problem of a file; the message is made for its reader. */
export type FileProblem = StoredSummary['problems'][number];

/** An entry as it is in the file, with its row or its place. */
export interface RawEntry {
  row: number;
  value: unknown;
  /** The keys of the columns of its sheet. */
  headers?: readonly string[];
}

/**
 * How a field is written in a sheet. `dirhams`: an amount, which is in fils elsewhere. `percent`: a rate,
 * in basis points elsewhere. `vat`: the words of a category of VAT; `emirate`: the name of an emirate.
 * `localized`, `nullableLocalized`: a column for each language; `lines`: the same with a line for each
 * item; `list`: words with commas; `long`: JSON that may need several columns.
 */
type CellKind =
  | 'text'
  | 'number'
  | 'nullableNumber'
  | 'flag'
  | 'dirhams'
  | 'percent'
  | 'vat'
  | 'emirate'
  | 'list'
  | 'json'
  | 'long'
  | 'localized'
  | 'nullableLocalized'
  | 'lines';

/** The kinds that have a column for each language. */
export const languageKinds: ReadonlySet<CellKind> = new Set([
  'localized',
  'nullableLocalized',
  'lines',
]);

/** The columns of each sheet, by field. A column that is missing leaves its field as it is. */
export const sheetColumns: Readonly<Record<CatalogueList, Readonly<Record<string, CellKind>>>> = {
  accountTypes: { slug: 'text', name: 'localized', alt: 'localized', description: 'localized' },
  agencies: {
    slug: 'text',
    name: 'localized',
    centres: 'nullableLocalized',
    logo: 'text',
    emirate: 'emirate',
    isRetired: 'flag',
  },
  categories: {
    slug: 'text',
    name: 'localized',
    description: 'localized',
    logo: 'text',
    isRetired: 'flag',
  },
  forms: { key: 'text', form: 'long', attachments: 'long' },
  services: {
    replacedName: 'text',
    name: 'localized',
    description: 'localized',
    agency: 'text',
    category: 'text',
    accountTypes: 'list',
    workingDays: 'number',
    popularRank: 'nullableNumber',
    partner: 'nullableNumber',
    form: 'text',
    issuesDocument: 'flag',
    withdrawal: 'json',
    objectionDays: 'number',
    terms: 'localized',
    steps: 'lines',
    result: 'localized',
    eligibility: 'json',
    isRetired: 'flag',
  },
  fees: {
    service: 'text',
    name: 'text',
    title: 'localized',
    amountAED: 'dirhams',
    vat: 'vat',
    refundable: 'flag',
    when: 'json',
    per: 'text',
    percentOf: 'text',
    finesOf: 'text',
    percent: 'percent',
    maximumAED: 'dirhams',
    accounts: 'json',
    stage: 'text',
    isFullPrice: 'flag',
    isOperatorFee: 'flag',
  },
  synonyms: { words: 'list' },
};

/** Columns of files of earlier versions, which are read still: amounts in fils, rates in basis points. */
const earlierColumns: Readonly<Partial<Record<CatalogueList, Readonly<Record<string, CellKind>>>>> =
  { fees: { amount: 'number', vatRate: 'number', vatCategory: 'text' } };

/** A cell of Excel holds 32,767 characters. */
const maximumCellLength = 32_000;

/** A cell as it is read or written. */
export type Cell = string | number | boolean | null;
type Fields = Record<string, unknown>;

export const localizedHeader = (field: string, language: string) => `${field} (${language})`;
const partHeader = (field: string, part: number) => `${field} ${part}`;

function writeParts(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += maximumCellLength)
    parts.push(text.slice(at, at + maximumCellLength));
  return parts;
}

type Cells = [header: string, cell: Cell][];

const plainCell = (field: string, value: unknown): Cells => [
  [field, (value as Cell | undefined) ?? null],
];

const localizedCells = (field: string, value: unknown): Cells =>
  languages.map((language) => [
    localizedHeader(field, language),
    ((value as Fields | null | undefined)?.[language] as Cell) ?? null,
  ]);

/** How each kind of field is written, with the header of each column. */
const writers: Readonly<Record<CellKind, (field: string, value: unknown) => Cells>> = {
  text: plainCell,
  number: plainCell,
  nullableNumber: plainCell,
  dirhams: (field, value) => [[field, value === undefined ? null : (value as number) / 100]],
  percent: (field, value) => [[field, value === undefined ? null : (value as number) / 100]],
  vat: plainCell,
  emirate: plainCell,
  flag: (field, value) => [[field, value === undefined ? null : value ? 'yes' : 'no']],
  list: (field, value) => [[field, (value as string[]).join(', ')]],
  json: (field, value) => [[field, value === undefined ? null : JSON.stringify(value)]],
  long: (field, value) =>
    writeParts(JSON.stringify(value)).map((part, index) => [partHeader(field, index + 1), part]),
  localized: localizedCells,
  nullableLocalized: localizedCells,
  lines: (field, value) =>
    languages.map((language) => [
      localizedHeader(field, language),
      ((value as Fields[] | undefined) ?? []).map((item) => item[language]).join('\n'),
    ]),
};

/** The fields of an entry that a sheet has in words. */
function inWords(list: CatalogueList, entry: Fields, language: Language): Fields {
  if (list === 'fees')
    return {
      amountAED: entry.amount,
      percent: entry.rate,
      maximumAED: entry.maximum,
      vat: vatWord(vatCategoryOf(entry as unknown as VatTreatment), language),
    };
  return list === 'agencies' && entry.emirate
    ? { emirate: emirateWord(entry.emirate as Emirate, language) }
    : {};
}

/** The cells of one entry by the header of their column. Amounts are in dirhams. */
export function writeCells(
  list: CatalogueList,
  entry: Fields,
  language: Language,
): Map<string, Cell> {
  const shown: Fields = { ...entry, ...inWords(list, entry, language) };
  return new Map(
    Object.entries(sheetColumns[list]).flatMap(([field, kind]) =>
      writers[kind](field, shown[field]),
    ),
  );
}

/** A problem of one cell. */
class CellProblem extends Error {
  readonly column: string;
  readonly code: 'wrongType' | 'json' | 'unclearAmount' | 'unknownVat' | 'unknownEmirate';
  constructor(column: string, code: CellProblem['code']) {
    super(code);
    this.column = column;
    this.code = code;
  }
}

type Row = ReadonlyMap<string, Cell>;

const flags = new Map<Cell, boolean>([
  ['yes', true],
  ['no', false],
  ['true', true],
  ['false', false],
  ...languages.flatMap((language): [Cell, boolean][] => [
    [texts('yes', language).toLowerCase(), true],
    [texts('no', language).toLowerCase(), false],
  ]),
]);

const textOf = (row: Row, column: string): string | undefined => {
  const text = String(row.get(column) ?? '').trim();
  return text === '' ? undefined : text;
};

function readDirhams(row: Row, column: string): number | undefined {
  const cell = row.get(column);
  // What a spreadsheet computes may differ from whole fils by less than it shows.
  const value = typeof cell === 'number' ? cell * 100 : readTypedAmount(String(cell ?? ''));
  if (value === undefined) return undefined;
  const amount = Math.round(value);
  if (!Number.isSafeInteger(amount) || Math.abs(value - amount) > 0.001)
    throw new CellProblem(column, 'unclearAmount');
  return amount;
}

// Both `4` and `4 %` are four per cent.
function readPercent(row: Row, column: string): number | undefined {
  const text = textOf(row, column)?.replace(/ ?[%\u066A]$/, '');
  const percent = text === undefined ? undefined : Number(toLatinDigits(text));
  if (percent === undefined) return undefined;
  const rate = Math.round(percent * 100);
  if (!Number.isFinite(percent) || Math.abs(percent * 100 - rate) > 0.001)
    throw new CellProblem(column, 'wrongType');
  return rate;
}

function readVat(row: Row, column: string): VatTreatment | undefined {
  const cell = row.get(column);
  // A cell that is formatted as a percentage holds its share.
  const text =
    cell === standardVatRate / 10_000 ? `${standardVatRate / 100}%` : textOf(row, column);
  if (text === undefined) return undefined;
  const category = findVatCategory(text);
  if (!category) throw new CellProblem(column, 'unknownVat');
  return vatTreatmentOf(category);
}

// A blank cell takes the emirate away: a federal agency has none.
function readEmirate(row: Row, column: string): Emirate | null | undefined {
  if (!row.has(column)) return undefined;
  const text = textOf(row, column);
  if (text === undefined) return null;
  const typed = withoutCase(text);
  const found = emirates.find(
    (emirate) =>
      withoutCase(emirate) === typed ||
      languages.some((language) => withoutCase(emirateWord(emirate, language)) === typed),
  );
  if (!found) throw new CellProblem(column, 'unknownEmirate');
  return found;
}

function readNumber(row: Row, column: string): number | undefined {
  const text = textOf(row, column);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) throw new CellProblem(column, 'wrongType');
  return value;
}

function readJson(text: string | undefined, column: string): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new CellProblem(column, 'json');
  }
}

function readLocalized(row: Row, field: string): Fields | undefined {
  const texts = languages.flatMap((language) => {
    const text = textOf(row, localizedHeader(field, language));
    return text === undefined ? [] : [[language, text]];
  });
  return texts.length === 0 ? undefined : (Object.fromEntries(texts) as Fields);
}

function readLines(row: Row, field: string): Fields[] | undefined {
  const columns = languages.map((language) =>
    (textOf(row, localizedHeader(field, language)) ?? '').split('\n').map((line) => line.trim()),
  );
  const length = Math.max(...columns.map((lines) => lines.length));
  if (columns.every((lines) => lines.join('') === '')) return undefined;
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(
      languages.flatMap((language, place) => {
        const line = columns[place]?.[index];
        return line ? [[language, line]] : [];
      }),
    ),
  );
}

function readLong(row: Row, field: string): unknown {
  let text = '';
  for (let part = 1; row.has(partHeader(field, part)); part += 1)
    // A part may begin or end with a space.
    text += String(row.get(partHeader(field, part)) ?? '');
  return readJson(text === '' ? undefined : text, partHeader(field, 1));
}

function readFlag(row: Row, field: string): boolean | undefined {
  const text = textOf(row, field)?.toLowerCase();
  if (text === undefined) return undefined;
  const flag = flags.get(text);
  if (flag === undefined) throw new CellProblem(field, 'wrongType');
  return flag;
}

/** How each kind of field is read. */
const readers: Readonly<Record<CellKind, (row: Row, field: string) => unknown>> = {
  text: textOf,
  number: readNumber,
  nullableNumber: (row, field) => (row.has(field) ? (readNumber(row, field) ?? null) : undefined),
  flag: readFlag,
  dirhams: readDirhams,
  percent: readPercent,
  vat: readVat,
  emirate: readEmirate,
  list: (row, field) =>
    textOf(row, field)
      ?.split(/[,\u060C]/)
      .map((word) => word.trim())
      .filter(Boolean),
  json: (row, field) => readJson(textOf(row, field), field),
  long: readLong,
  localized: readLocalized,
  // Blank cells take the text away; a column that is missing leaves it.
  nullableLocalized: (row, field) =>
    readLocalized(row, field) ??
    (languages.some((language) => row.has(localizedHeader(field, language))) ? null : undefined),
  lines: readLines,
};

/** The fields of a fee whose column has another name. */
const fieldOfColumn: Readonly<Record<string, string>> = {
  amountAED: 'amount',
  maximumAED: 'maximum',
  percent: 'rate',
};

/** A row as it is read: its fields, and all of its cells that cannot be read. */
interface ReadRow {
  fields: Fields;
  problems: CellProblem[];
}

/** The fields of a row; those of blank cells and missing columns are absent. */
export function readCells(list: CatalogueList, row: Row): ReadRow {
  const fields: Fields = {};
  const problems: CellProblem[] = [];
  for (const [field, kind] of Object.entries({ ...earlierColumns[list], ...sheetColumns[list] }))
    try {
      const value = readers[kind](row, field);
      if (value === undefined) continue;
      if (kind === 'vat') Object.assign(fields, value);
      else fields[fieldOfColumn[field] ?? field] = value;
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error;
      problems.push(error);
    }
  return { fields, problems };
}

/** The column in which a field of a fee is read. */
export const feeColumnOf = (field: string, headers: readonly string[]): string => {
  const column = {
    amount: 'amountAED',
    maximum: 'maximumAED',
    rate: 'percent',
    vatRate: 'vat',
    vatCategory: 'vat',
  }[field];
  return column === undefined || headers.includes(field) ? field : column;
};

/** Whether a header is a key of a column of a sheet. */
export function isKnownKey(list: CatalogueList, header: string): boolean {
  const [, field = header] = /^(.+) (?:\([a-zA-Z-]+\)|\d+)$/.exec(header) ?? [];
  const kind = sheetColumns[list][field] ?? earlierColumns[list]?.[field];
  if (kind === undefined) return false;
  if (languageKinds.has(kind))
    return languages.some((language) => header === localizedHeader(field, language));
  return kind === 'long' ? /^\w+ \d+$/.test(header) : header === field;
}

type Words = Readonly<Record<string, Partial<Record<Language, string>>>>;

/** The heading of a column in words: its key may name a language or a part. `words` replace its own. */
export function headingOf(
  list: CatalogueList,
  key: string,
  language: Language,
  words: Words = {},
): string {
  const [, name = key, end] = /^(.+) \(?([a-zA-Z-]+|\d+)\)?$/.exec(key) ?? [];
  const field = list === 'fees' && name === 'name' ? 'feeKey' : name;
  const word = words[field]?.[language] ?? texts(`transfer.columns.${field}`, language);
  if (end === undefined) return word;
  const named = languages.find((each) => each === end);
  return named ? `${word} (${texts(`transfer.languages.${named}`, language)})` : `${word} ${end}`;
}

const withoutCase = (text: string) => text.normalize('NFC').trim().toLowerCase();

// The keys of the columns of a sheet by their headings in all languages, those of long texts apart.
const keysByHeading = new Map<CatalogueList, ReadonlyMap<string, string>>();

function headingsOf(list: CatalogueList): ReadonlyMap<string, string> {
  const known = keysByHeading.get(list);
  if (known) return known;
  const made = new Map<string, string>();
  const fields = Object.entries({ ...earlierColumns[list], ...sheetColumns[list] });
  for (const [field, kind] of fields) {
    const keys = languageKinds.has(kind)
      ? languages.map((language) => localizedHeader(field, language))
      : [kind === 'long' ? partHeader(field, 1) : field];
    for (const key of keys)
      for (const words of [earlierHeadings, {}])
        for (const language of languages)
          made.set(withoutCase(headingOf(list, key, language, words)), key);
  }
  keysByHeading.set(list, made);
  return made;
}

/** The key of a column with a heading, in words of any language or a key; undefined for others. */
export function findColumn(list: CatalogueList, heading: string): string | undefined {
  if (isKnownKey(list, heading)) return heading;
  const [, word, part] = /^(.+) (\d+)$/.exec(heading) ?? [];
  const first = headingsOf(list).get(withoutCase(part === undefined ? heading : `${word} 1`));
  return part === undefined ? first : first?.replace(/\d+$/, part);
}

const vatTexts = createTranslator('designer');
const formTexts = createTranslator('forms');

const emirateWord = (emirate: Emirate, language: Language): string =>
  formTexts(`emirates.${emirate}`, language);

/** The words of a category of VAT. */
export const vatWord = (category: VatCategory, language: Language): string =>
  vatTexts(`vatCategories.${category}`, language, { rate: `${standardVatRate / 100}%` });

/** The category of VAT that is named by its key, its words in any language, or a rate in per cent. */
function findVatCategory(text: string): VatCategory | undefined {
  const typed = withoutCase(text);
  const rate = /^(\d+(?:\.0+)?) ?%?$/.exec(toLatinDigits(typed).replace('\u066A', '%'))?.[1];
  if (rate !== undefined && Number(rate) === standardVatRate / 100) return 'standard';
  // A rate of 0 does not say why it is 0.
  return vatCategories.find(
    (category) =>
      withoutCase(category) === typed ||
      languages.some((language) => withoutCase(vatWord(category, language)) === typed),
  );
}
