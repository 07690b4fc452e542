import ExcelJS from 'exceljs';
import { catalogueLists, type CatalogueList } from '@diwan/contract/catalogue/transfer';
import {
  CellProblem,
  isKnownHeader,
  readCells,
  type Cell,
  type FileProblem,
  type RawEntry,
} from './sheets.ts';

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
 * loaded whole. Throws for what is no workbook.
 */
export async function readWorkbook(
  content: Uint8Array,
  maximumRows: number,
): Promise<{ lists: RawLists; problems: FileProblem[] }> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(Buffer.from(content) as never);
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
