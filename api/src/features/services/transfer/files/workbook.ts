import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import ExcelJS from 'exceljs';
import { Refusal } from '#platform/core/refusals.ts';
import type { CatalogueFile } from '@diwan/contract/catalogue/catalogue-file';
import { catalogueLists, type CatalogueList } from '@diwan/contract/catalogue/transfer';
import { directionOf, type Language } from '@diwan/contract/wire/languages';
import { listRows, openRowReader } from './rows.ts';
import { headingOf, type Cell, type FileProblem, type RawEntry } from './sheets.ts';
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

/** A sheet of the list, whose rows have numbers from 1. */
function readSheet(
  sheet: ExcelJS.Worksheet,
  list: CatalogueList,
  maximumRows: number,
  problems: FileProblem[],
): RawEntry[] {
  const reader = openRowReader(list, maximumRows, problems);
  sheet.eachRow((row, number) =>
    reader.read(
      number,
      (row.values as ExcelJS.CellValue[]).slice(1, maximumColumns).map(plainValue),
    ),
  );
  return reader.entries;
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

/** Writes a workbook with a sheet for each list; the second row, which is hidden, has the keys. */
export async function writeWorkbook(file: CatalogueFile, language: Language): Promise<Buffer> {
  const stream = new PassThrough();
  const content = buffer(stream);
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: true });
  for (const list of catalogueLists) {
    const { keys, rows } = listRows(list, file, language);
    const sheet = workbook.addWorksheet(list, {
      views: [
        { state: 'frozen', ySplit: 2, xSplit: 1, rightToLeft: directionOf(language) === 'rtl' },
      ],
    });
    sheet.columns = keys.map((key) => ({
      header: headingOf(list, key, language),
      width: key.includes('(') ? 36 : 18,
      ...(key === 'amountAED' ? { style: { numFmt: '#,##0.00' } } : {}),
    }));
    sheet.getRow(1).font = { bold: true };
    const hidden = sheet.addRow(keys);
    hidden.hidden = true;
    hidden.commit();
    for (const row of rows) sheet.addRow(row).commit();
    sheet.commit();
  }
  await workbook.commit();
  return content;
}
