import { saveText } from './save-content.ts';

/** Null is an empty cell. */
export type Cell = string | number | null;

/**
 * A cell that no spreadsheet takes for a formula (OWASP, CSV injection), with its quotes doubled
 * (RFC 4180).
 */
export function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = /^[\s]*[=+\-@\t\r|%]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The text of a table as spreadsheets read it: UTF-8 with its mark, so that Arabic is Arabic there.
 */
export const tableText = (rows: readonly (readonly Cell[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;

/** Hands a table to the browser's own download. */
export function saveTable(fileName: string, rows: readonly (readonly Cell[])[]): void {
  saveText(tableText(rows), fileName, 'text/csv');
}
