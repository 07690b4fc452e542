import { csvLine, csvStart, type CsvCell } from '@diwan/contract/wire/csv';

/** Saves content by the browser's own download. */
export function saveContent(content: Blob, fileName: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser reads the address after this task.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function saveText(
  text: string,
  fileName: string,
  mediaType: 'text/plain' | 'text/csv' = 'text/plain',
): void {
  saveContent(new Blob([text], { type: `${mediaType};charset=utf-8` }), fileName);
}

/** The text of a CSV file. */
export const tableText = (rows: readonly (readonly CsvCell[])[]): string =>
  csvStart + rows.map(csvLine).join('');

/** Saves a table as a CSV file. */
export function saveTable(fileName: string, rows: readonly (readonly CsvCell[])[]): void {
  saveText(tableText(rows), fileName, 'text/csv');
}
