import { saveText } from './save-text.ts';

// A cell that begins like a formula would be one in a spreadsheet: whoever names a file must not be able to write formulas into somebody's table.
const cell = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** The text of a table as spreadsheets read it: UTF-8 with its mark, so that Arabic is Arabic there. */
export const tableText = (rows: readonly (readonly string[])[]): string => `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;

/** Hands a table to the browser's own download. */
export function saveTable(fileName: string, rows: readonly (readonly string[])[]): void {
  saveText(tableText(rows), fileName);
}
