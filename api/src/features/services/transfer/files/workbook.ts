import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import ExcelJS from 'exceljs';
import { Refusal } from '#platform/core/refusals.ts';
import type { CatalogueFile } from '@diwan/contract/catalogue/catalogue-file';
import { catalogueLists, type CatalogueList } from '@diwan/contract/catalogue/transfer';
import { languages } from '@diwan/contract/wire/languages';
import {
  CellProblem,
  isKnownHeader,
  localizedHeader,
  readCells,
  sheetColumns,
  writeCells,
  type Cell,
  type FileProblem,
  type RawEntry,
} from './sheets.ts';
import { getUnpackedSize } from './unpacked-size.ts';

// ExcelJS holds more than the unpacked bytes in memory, and the limit of its thread does not count what
// is outside of the heap. A workbook above `freeBytes` that is unpacked to more than `maximumRatio` times
// its size was built to fill the memory.
const maximumUnpackedBytes = 500_000_000;
const freeBytes = 50_000_000;
const maximumRatio = 100;

async function refuseTooLarge(content: Buffer): Promise<void> {
  const size = await getUnpackedSize(content, maximumUnpackedBytes);
  // guard: unpacked size of a workbook (transfer)
  if (size > maximumUnpackedBytes || (size > freeBytes && size > content.length * maximumRatio))
    throw new Refusal('CatalogueFileTooLarge');
}

// A row of a sheet that is nearly empty may name a column far to the right.
const maximumColumns = 200;

function plainValue(value: ExcelJS.CellValue): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return value;
  if (value instanceof Date) return value.toISOString();
  if ('richText' in value) return value.richText.map(({ text }) => text).join('');
  if ('hyperlink' in value) return plainValue(value.text as ExcelJS.CellValue);
  // A formula counts with the value that the program of the file computed.
  if ('result' in value) return plainValue(value.result as ExcelJS.CellValue);
  return null;
}

type RawLists = Map<CatalogueList, RawEntry[]>;

function readSheet(
  sheet: ExcelJS.Worksheet,
  list: CatalogueList,
  maximumRows: number,
  problems: FileProblem[],
): RawEntry[] {
  const entries: RawEntry[] = [];
  let headers: string[] | undefined;
  sheet.eachRow((row, number) => {
    const values = (row.values as ExcelJS.CellValue[]).slice(1, maximumColumns).map(plainValue);
    if (values.every((value) => value === null || value === '')) return;
    if (!headers) {
      headers = values.map((value) => String(value ?? '').trim());
      for (const header of headers)
        if (header !== '' && !isKnownHeader(list, header))
          problems.push({ list, row: number, column: header, code: 'unknownColumn' });
      return;
    }
    if (entries.length === maximumRows)
      problems.push({ list, row: number, column: '', code: 'tooManyRows' });
    const cells = new Map(headers.map((header, index) => [header, values[index] ?? null]));
    try {
      entries.push({ row: number, value: readCells(list, cells) });
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error;
      problems.push({ list, row: number, column: error.column, code: error.code });
    }
  });
  return entries;
}

/**
 * Reads the sheets of a workbook. Unknown sheets and columns are problems. The streaming reader of
 * the library breaks letters of several bytes at the ends of its blocks (4.4.0), so the workbook is
 * loaded whole. Throws CatalogueFileTooLarge, and another error when it is not a workbook.
 */
export async function readWorkbook(
  content: Uint8Array,
  maximumRows: number,
): Promise<{ lists: RawLists; problems: FileProblem[] }> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  await refuseTooLarge(bytes);
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(bytes as never);
  const lists: RawLists = new Map();
  const problems: FileProblem[] = [];
  for (const sheet of workbook.worksheets) {
    const name = sheet.name.trim();
    const list = catalogueLists.find((each) => each.toLowerCase() === name.toLowerCase());
    // A service has several fees.
    const most = list === 'fees' ? maximumRows * 10 : maximumRows;
    if (list) lists.set(list, readSheet(sheet, list, most, problems));
    else problems.push({ list: name, row: 1, column: '', code: 'unknownSheet' });
  }
  return { lists, problems };
}

function sheetRows(list: CatalogueList, file: CatalogueFile): Map<string, Cell>[] {
  if (list !== 'fees') return file[list].map((entry) => writeCells(list, entry));
  return file.services.flatMap(({ replacedName, fees = [] }) =>
    fees.map((fee) => writeCells('fees', { service: replacedName, ...fee })),
  );
}

// All columns of a sheet, those of long texts as far as they are needed.
function headersOf(list: CatalogueList, rows: readonly Map<string, Cell>[]): string[] {
  const used = new Set(rows.flatMap((row) => [...row.keys()]));
  return Object.entries(sheetColumns[list]).flatMap(([field, kind]) => {
    if (kind === 'localized' || kind === 'lines')
      return languages.map((language) => localizedHeader(field, language));
    if (kind !== 'long') return [field];
    const parts = [...used].filter((header) => header.startsWith(`${field} `));
    return Array.from({ length: Math.max(1, parts.length) }, (_, part) => `${field} ${part + 1}`);
  });
}

/** Writes a workbook with a sheet for each list. */
export async function writeWorkbook(file: CatalogueFile): Promise<Buffer> {
  const stream = new PassThrough();
  const content = buffer(stream);
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: true });
  for (const list of catalogueLists) {
    const rows = sheetRows(list, file);
    const headers = headersOf(list, rows);
    const sheet = workbook.addWorksheet(list, {
      views: [{ state: 'frozen', ySplit: 1, xSplit: 1 }],
    });
    sheet.columns = headers.map((header) => ({ header, width: header.includes('(') ? 36 : 18 }));
    sheet.getRow(1).font = { bold: true };
    for (const row of rows) sheet.addRow(headers.map((header) => row.get(header) ?? null)).commit();
    sheet.commit();
  }
  await workbook.commit();
  return content;
}
