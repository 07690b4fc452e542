import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worksheet } from 'exceljs';
import { dayInDubai, startOfDay } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';

/** The media type of a workbook. */
export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A value with the form in which a spreadsheet shows it. */
interface TypedCell<Value extends Date | number = Date | number> {
  value: Value;
  format: string;
}
/** Texts stay texts, and numbers are counts. */
export type SheetCell = string | number | null | undefined | TypedCell;

/** A day such as 2026-01-31 as a date of the spreadsheet. */
export const dayCell = (day: string): TypedCell<Date> => ({
  value: new Date(`${day}T00:00:00Z`),
  format: 'yyyy-mm-dd',
});

/** An instant as date and time in Asia/Dubai: a spreadsheet knows no time zones. */
export function timeCell(at: Date): TypedCell {
  const day = dayInDubai(at);
  return {
    value: new Date(dayCell(day).value.getTime() + at.getTime() - startOfDay(day).getTime()),
    format: 'yyyy-mm-dd hh:mm:ss',
  };
}

/** An amount of the smallest unit of a currency. */
export const amountCell = (amount: number): TypedCell => ({
  value: amount / 100,
  format: '#,##0.00',
});

/** A sheet to which rows are added. */
interface Sheet {
  add(...cells: SheetCell[]): void;
  addHeader(...cells: string[]): void;
}

// A sheet of a spreadsheet has 1,048,576 rows.
const mostRows = 1_000_000;

/** Writes sheets one after the other. One that is full continues as a sheet with the next number. */
interface WorkbookWriter {
  addSheet(name: string, widths: readonly number[], headers: readonly string[]): Sheet;
  /** Serves others, and waits until the reader has taken what was written. */
  pause(): Promise<void>;
}

function addRow(sheet: Worksheet, cells: readonly SheetCell[], isHeader: boolean): void {
  const isTyped = (cell: SheetCell): cell is TypedCell => typeof cell === 'object' && cell !== null;
  const row = sheet.addRow(cells.map((cell) => (isTyped(cell) ? cell.value : cell)));
  for (const [index, cell] of cells.entries())
    if (isTyped(cell)) row.getCell(index + 1).numFmt = cell.format;
  if (isHeader) row.font = { bold: true };
  row.commit();
}

/**
 * A workbook as a stream that is written while it is read, so that its size does not matter. Its
 * sheets run from right to left in Arabic and Urdu. What `write` throws breaks the stream.
 */
export function streamWorkbook(
  language: Language,
  write: (workbook: WorkbookWriter) => Promise<void>,
): Readable {
  const stream = new PassThrough();
  const run = async () => {
    // Loaded when somebody exports: the library takes a third of a second.
    const { default: ExcelJS } = await import('exceljs');
    const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: true });
    const rightToLeft = language !== 'en-US';
    let last: Worksheet | undefined;
    const open = (name: string, widths: readonly number[]) => {
      last?.commit();
      last = workbook.addWorksheet(name, { views: [{ rightToLeft }] });
      last.columns = widths.map((width) => ({ width }));
      return last;
    };
    await write({
      addSheet(name, widths, headers) {
        let [sheet, rows, part] = [open(name, widths), 0, 1];
        addRow(sheet, headers, true);
        const add = (cells: readonly SheetCell[], isHeader: boolean) => {
          rows += 1;
          if (rows === mostRows) {
            [rows, part] = [0, part + 1];
            sheet = open(`${name} ${part}`, widths);
            addRow(sheet, headers, true);
          }
          addRow(sheet, cells, isHeader);
        };
        return {
          add: (...cells) => add(cells, false),
          addHeader: (...cells) => add(cells, true),
        };
      },
      async pause() {
        await nextTurn();
        if (stream.writableNeedDrain)
          await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
        if (stream.destroyed) throw new Error('Nobody reads the workbook any more');
      },
    });
    last?.commit();
    await workbook.commit();
  };
  run().catch((error: Error) => stream.destroy(error));
  return stream;
}
