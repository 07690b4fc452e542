import type { CatalogueList } from '@diwan/contract/catalogue/transfer';
import { languages } from '@diwan/contract/wire/languages';
import type { StoredSummary } from '../stored-summary.ts';

/** A problem of a file; the message is made for its reader. */
export type FileProblem = StoredSummary['problems'][number];

/** An entry as it is in the file, with its row or its place. */
export interface RawEntry {
  row: number;
  value: unknown;
}

/**
 * How a field is written in a sheet. `localized`: a column for each language; `lines`: the same with
 * a line for each item; `list`: words with commas; `long`: JSON that may need several columns.
 */
type CellKind =
  | 'text'
  | 'number'
  | 'nullableNumber'
  | 'flag'
  | 'list'
  | 'json'
  | 'long'
  | 'localized'
  | 'lines';

/** The columns of each sheet, by field. A column that is missing leaves its field as it is. */
export const sheetColumns: Readonly<Record<CatalogueList, Readonly<Record<string, CellKind>>>> = {
  accountTypes: { slug: 'text', name: 'localized', alt: 'localized', description: 'localized' },
  agencies: { slug: 'text', name: 'localized', logo: 'text', isRetired: 'flag' },
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
    amount: 'number',
    vatRate: 'number',
    vatCategory: 'text',
    refundable: 'flag',
    when: 'json',
    per: 'text',
    accounts: 'json',
    stage: 'text',
    isFullPrice: 'flag',
    isOperatorFee: 'flag',
  },
  synonyms: { words: 'list' },
};

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

/** How each kind of field is written, with the header of each column. */
const writers: Readonly<Record<CellKind, (field: string, value: unknown) => Cells>> = {
  text: plainCell,
  number: plainCell,
  nullableNumber: plainCell,
  flag: (field, value) => [[field, value === undefined ? null : value ? 'yes' : 'no']],
  list: (field, value) => [[field, (value as string[]).join(', ')]],
  json: (field, value) => [[field, value === undefined ? null : JSON.stringify(value)]],
  long: (field, value) =>
    writeParts(JSON.stringify(value)).map((part, index) => [partHeader(field, index + 1), part]),
  localized: (field, value) =>
    languages.map((language) => [
      localizedHeader(field, language),
      ((value as Fields | undefined)?.[language] as Cell) ?? null,
    ]),
  lines: (field, value) =>
    languages.map((language) => [
      localizedHeader(field, language),
      ((value as Fields[] | undefined) ?? []).map((item) => item[language]).join('\n'),
    ]),
};

/** The cells of one entry by the header of their column. */
export function writeCells(list: CatalogueList, entry: Fields): Map<string, Cell> {
  return new Map(
    Object.entries(sheetColumns[list]).flatMap(([field, kind]) =>
      writers[kind](field, entry[field]),
    ),
  );
}

/** A problem of one cell. */
export class CellProblem extends Error {
  readonly column: string;
  readonly code: 'wrongType' | 'json';
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
]);

const textOf = (row: Row, column: string): string | undefined => {
  const text = String(row.get(column) ?? '').trim();
  return text === '' ? undefined : text;
};

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
  list: (row, field) =>
    textOf(row, field)
      ?.split(/[,\u060C]/)
      .map((word) => word.trim())
      .filter(Boolean),
  json: (row, field) => readJson(textOf(row, field), field),
  long: readLong,
  localized: readLocalized,
  lines: readLines,
};

/** The fields of a row; those of blank cells and missing columns are absent. Throws a `CellProblem`. */
export function readCells(list: CatalogueList, row: Row): Fields {
  const entry: Fields = {};
  for (const [field, kind] of Object.entries(sheetColumns[list])) {
    const value = readers[kind](row, field);
    if (value !== undefined) entry[field] = value;
  }
  return entry;
}

/** Whether a header belongs to a sheet; a wrong one is likely a spelling mistake. */
export function isKnownHeader(list: CatalogueList, header: string): boolean {
  const [, field = header] = /^(.+) (?:\([a-zA-Z-]+\)|\d+)$/.exec(header) ?? [];
  const kind = sheetColumns[list][field];
  if (kind === undefined) return false;
  if (kind === 'localized' || kind === 'lines')
    return languages.some((language) => header === localizedHeader(field, language));
  return kind === 'long' ? /^\w+ \d+$/.test(header) : header === field;
}
