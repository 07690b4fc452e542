import type { CatalogueFile } from '@diwan/contract/catalogue/catalogue-file';
import type { CatalogueList } from '@diwan/contract/catalogue/transfer';
import { languages, type Language } from '@diwan/contract/wire/languages';
import {
  findColumn,
  isKnownKey,
  languageKinds,
  localizedHeader,
  readCells,
  sheetColumns,
  writeCells,
  type Cell,
  type FileProblem,
  type RawEntry,
} from './sheets.ts';

/**
 * Reads the rows of a list one by one. The first row has the headings, in words or keys. A second row
 * of keys alone decides, where it has a key.
 */
export function openRowReader(
  list: CatalogueList,
  maximumRows: number,
  problems: FileProblem[],
): { entries: RawEntry[]; read(row: number, values: readonly Cell[]): void } {
  const entries: RawEntry[] = [];
  let headings: { row: number; texts: string[] } | undefined;
  let headers: string[] | undefined;

  const nameColumns = (row: number, texts: readonly string[]) =>
    texts.map((text) => {
      const key = text === '' ? '' : findColumn(list, text);
      if (key === undefined) problems.push({ list, row, column: text, code: 'unknownColumn' });
      return key ?? '';
    });

  return {
    entries,
    read(row, values) {
      if (values.every((value) => value === null || value === '')) return;
      const texts = values.map((value) => String(value ?? '').trim());
      if (!headings) {
        headings = { row, texts };
        return;
      }
      if (!headers) {
        const isKeys = texts.every((text) => text === '' || isKnownKey(list, text));
        const keys = isKeys ? texts : [];
        headers = nameColumns(
          headings.row,
          headings.texts.map((text, index) => keys[index] || text),
        );
        if (isKeys) return;
      }
      if (entries.length === maximumRows)
        problems.push({ list, row, column: '', code: 'tooManyRows' });
      const cells = new Map(headers.map((header, index) => [header, values[index] ?? null]));
      const found = readCells(list, cells);
      for (const { column, code } of found.problems) problems.push({ list, row, column, code });
      entries.push({ row, value: found.fields, headers });
    },
  };
}

function sheetRows(list: CatalogueList, file: CatalogueFile, language: Language) {
  if (list !== 'fees') return file[list].map((entry) => writeCells(list, entry, language));
  return file.services.flatMap(({ replacedName, fees = [] }) =>
    fees.map((fee) => writeCells('fees', { service: replacedName, ...fee }, language)),
  );
}

/** The columns of a list by their keys, those of long texts as far as they are needed, and its rows. */
export function listRows(
  list: CatalogueList,
  file: CatalogueFile,
  language: Language,
): { keys: string[]; rows: Cell[][] } {
  const rows = sheetRows(list, file, language);
  const used = new Set(rows.flatMap((row) => [...row.keys()]));
  const keys = Object.entries(sheetColumns[list]).flatMap(([field, kind]) => {
    if (languageKinds.has(kind)) return languages.map((each) => localizedHeader(field, each));
    if (kind !== 'long') return [field];
    const parts = [...used].filter((header) => header.startsWith(`${field} `));
    return Array.from({ length: Math.max(1, parts.length) }, (_, part) => `${field} ${part + 1}`);
  });
  return { keys, rows: rows.map((row) => keys.map((key) => row.get(key) ?? null)) };
}
