import { Refusal } from '#platform/core/refusals.ts';
import type { CatalogueFile } from '@diwan/contract/catalogue/catalogue-file';
import { catalogueLists, type CatalogueList } from '@diwan/contract/catalogue/transfer';
import { csvLine, csvStart } from '@diwan/contract/wire/csv';
import type { Language } from '@diwan/contract/wire/languages';
import { listRows, openRowReader } from './rows.ts';
import { findColumn, headingOf, type FileProblem, type RawEntry } from './sheets.ts';

/** A list as a CSV file: headings in words, amounts in dirhams with two decimals. */
export function writeCsvFile(file: CatalogueFile, list: CatalogueList, language: Language): string {
  const { keys: all, rows: cells } = listRows(list, file, language);
  // A form is named by its key in the same file, and is too long for a cell.
  const shown = all.map((key) => list !== 'services' || key !== 'form');
  const keys = all.filter((_, index) => shown[index]);
  const rows = cells.map((row) => row.filter((_, index) => shown[index]));
  const isAmount = keys.map((key) => key === 'amountAED');
  return [
    csvStart,
    csvLine(keys.map((key) => headingOf(list, key, language))),
    ...rows.map((row) =>
      csvLine(
        row.map((cell, index) =>
          isAmount[index] && typeof cell === 'number' ? Number(cell.toFixed(2)) : cell,
        ),
      ),
    ),
  ].join('');
}

// What spreadsheets write between cells; the first line decides.
const separators = [',', ';', '\t'];

// The writer begins what looks like a number with a tab, and what looks like a formula with an apostrophe.
const withoutGuard = (text: string) => text.replace(/^\t/, '').replace(/^'(?=[\s"]*[=+\-@|%])/, '');

/** The rows of a CSV text (RFC 4180), each with its line. */
function parseRows(text: string): { row: number; cells: string[] }[] {
  const firstLine = text.slice(0, text.search(/[\r\n]|$/));
  const countOf = (mark: string) => firstLine.split(mark).length;
  const separator = separators.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? ',';
  const part = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`,
    'y',
  );
  const rows: { row: number; cells: string[] }[] = [];
  let line = 1;
  let from = 0;
  let cells: string[] = [];
  for (part.lastIndex = 0; part.lastIndex < text.length;) {
    const match = part.exec(text);
    if (!match) throw new Refusal('CatalogueFileUnreadable');
    const [, quoted, plain = '', end] = match;
    cells.push(quoted === undefined ? plain : withoutGuard(quoted.replaceAll('""', '"')));
    if (end === separator) continue;
    rows.push({ row: line, cells });
    cells = [];
    line += text.slice(from, part.lastIndex).split(/\r\n|\n|\r/).length - 1;
    from = part.lastIndex;
  }
  if (cells.length > 0) rows.push({ row: line, cells });
  return rows;
}

/** The list whose columns a line of headings names; the most of them where some are unknown. */
function findList(headings: readonly string[]): CatalogueList | undefined {
  const knownOf = (list: CatalogueList) =>
    headings.filter((heading) => findColumn(list, heading) !== undefined).length;
  const [best] = catalogueLists
    .filter((list) => list !== 'forms')
    .toSorted((a, b) => knownOf(b) - knownOf(a));
  return best !== undefined && knownOf(best) > 0 ? best : undefined;
}

/**
 * Reads a CSV file with one list, in UTF-8. Its headings say which list it is. Throws
 * CatalogueFileUnreadable.
 */
export function readCsvFile(
  content: Uint8Array,
  maximumRows: number,
): { lists: Map<CatalogueList, RawEntry[]>; problems: FileProblem[] } {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  const rows = parseRows(text).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const list = findList((rows[0]?.cells ?? []).map((cell) => cell.trim()));
  if (list === undefined)
    return {
      lists: new Map(),
      problems: [{ list: 'CSV', row: 1, column: '', code: 'unknownSheet' }],
    };
  const problems: FileProblem[] = [];
  const reader = openRowReader(list, list === 'fees' ? maximumRows * 10 : maximumRows, problems);
  for (const { row, cells } of rows) reader.read(row, cells);
  return { lists: new Map([[list, reader.entries]]), problems };
}
