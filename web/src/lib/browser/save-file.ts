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

/** Null is an empty cell. */
export type Cell = string | number | null;

/**
 * A cell of a CSV file. A spreadsheet does not read it as a formula (OWASP, CSV injection); quotes
 * are doubled (RFC 4180).
 */
export function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = /^[\s]*[=+\-@\t\r|%]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text of a CSV file: UTF-8 with a byte order mark, which spreadsheets need for Arabic. */
export const tableText = (rows: readonly (readonly Cell[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;

/** Saves a table as a CSV file. */
export function saveTable(fileName: string, rows: readonly (readonly Cell[])[]): void {
  saveText(tableText(rows), fileName, 'text/csv');
}
