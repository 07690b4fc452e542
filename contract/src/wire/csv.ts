/** Null and undefined are empty cells. */
export type CsvCell = string | number | boolean | null | undefined;

// What ends a cell or a line, to some spreadsheets also within quotes.
const ends = String.raw`;\t\r\n`;
const blanks = String.raw`(?:[^\S\t\r\n]|")*`;

/**
 * Where a spreadsheet may begin to read a formula (OWASP, CSV injection): at the start of a cell, and
 * behind what it may take for the end of one. A sign before digits, spaces and separators is none.
 */
const formulaStart = new RegExp(
  `(?<=^|[${ends}])(?=${blanks}[=+\\-@|%＝＋－＠])(?!${blanks}[+\\-][\\d ().,/-]*(?:$|[${ends}]))`,
  'gu',
);

const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const numberLike = [
  /^(?=.*\p{Nd})[\s\p{Nd}\p{Sc}+\-−.,:/()%'eE٫٬]+(?:[ap]\.?m\.?)?\s*$/iu,
  new RegExp(
    String.raw`^\s*(?:\d{1,4}[\s./-]?)?(?:${months})[a-z]*\.?(?:[\s./-]*\d{1,4}){1,2}\s*$`,
    'i',
  ),
  new RegExp(String.raw`^\s*\d{1,4}[\s./-]?(?:${months})[a-z]*\.?\s*$`, 'i'),
];
/** A spreadsheet reads these as the same day or time everywhere. */
const isoTime = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/;

const isNumberLike = (text: string): boolean =>
  !isoTime.test(text) && numberLike.some((form) => form.test(text));

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * A cell of a CSV file. Texts are quoted, and quotes in them are doubled (RFC 4180). A text that a
 * spreadsheet would read as a number or a day begins with a tab, one that it would read as a formula
 * with an apostrophe. Decision 0116 has the reasons.
 */
export function csvCell(cell: CsvCell): string {
  if (cell === null || cell === undefined || cell === '') return '';
  if (typeof cell !== 'string') return String(cell);
  // guard: number in a CSV file
  if (isNumberLike(cell)) return quote(`\t${cell}`);
  return quote(
    cell
      // guard: formula in a CSV file
      .replace(formulaStart, "'"),
  );
}

/** A line of a CSV file with its end. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** The beginning of a CSV file: the mark of UTF-8, which spreadsheets need for Arabic. */
export const csvStart = '\uFEFF';
