import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { formatDirhams } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { withoutTimeLimits, type Database, type Transaction } from '#platform/database/database.ts';
import { inSnapshot } from '#platform/database/unit-of-work.ts';
import type { PdfMaker } from '#platform/pdf/make-pdf.ts';
import { longestStatementDays, type StatementFormat } from '@diwan/contract/payments/payouts';
import { dayAfter, startOfDay } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { getPayee } from './payouts.actions.ts';
import * as store from './statements.store.ts';

const translate = createTranslator('ledger');
const translateProvider = createTranslator('payment-desk');
const translateInvoice = createTranslator('invoices');

/** What statements need. */
interface StatementsContext {
  database: Database;
  pdf: Pick<PdfMaker, 'make'>;
  isDemo: boolean;
}

/** A statement as it is printed. Amounts have the sign of the payee's balance. */
interface Statement {
  payeeName: string;
  /** Whether the balance is what a provider holds for the portal; else it is what is owed. */
  isOfProvider: boolean;
  opening: number;
  closing: number;
  charges: number;
  rows: (store.Movement & { balance: number })[];
  postedAt: Date | null;
}

async function readStatement(
  transaction: Transaction,
  of: store.StatementOf,
  language: Language,
): Promise<Statement> {
  const { agencyName, provider } = await getPayee(transaction, of.payee);
  const { owed, postedAt } = await store.selectOpening(transaction, of);
  const isOfProvider = provider !== undefined;
  const sign = isOfProvider ? -1 : 1;
  // Adding zero turns -0 into 0.
  const opening = owed * sign + 0;
  let balance = opening;
  const rows = (await store.selectMovements(transaction, of)).map((row) => {
    const amount = row.amount * sign + 0;
    balance += amount;
    return { ...row, amount, balance };
  });
  return {
    payeeName: agencyName?.[language] ?? translateProvider(`providers.${provider}`, language),
    isOfProvider,
    opening,
    closing: balance,
    charges: isOfProvider ? await store.selectCharges(transaction, of) : 0,
    rows,
    postedAt,
  };
}

const labelNames = [
  'title',
  'operator',
  'payee',
  'period',
  'day',
  'what',
  'reference',
  'entries',
  'amount',
  'balance',
  'charges',
  'none',
  'demoNote',
] as const;

function labelsOf({ isOfProvider }: Statement, language: Language) {
  const side = isOfProvider ? 'held' : 'owed';
  return {
    ...Object.fromEntries(
      labelNames.map((name) => [name, translate(`statement.${name}`, language)]),
    ),
    opening: translate(`statement.${side}.opening`, language),
    closing: translate(`statement.${side}.closing`, language),
  } as Record<(typeof labelNames)[number] | 'opening' | 'closing', string>;
}

// Without Intl, as amounts: the same ledger has the same bytes.
const shownDay = (day: string): string => day.split('-').toReversed().join('/');

function makePdf(
  { pdf, isDemo }: StatementsContext,
  of: store.StatementOf,
  language: Language,
  statement: Statement,
): Promise<Buffer> {
  const labels = labelsOf(statement, language);
  return pdf.make({
    template: new URL('../../../templates/statement.typ', import.meta.url),
    createdAt: statement.postedAt ?? startOfDay(of.from),
    data: {
      language,
      isDemo,
      labels,
      operatorName: translateInvoice('document.operator', language).replaceAll(vowelSigns, ''),
      payee: statement.payeeName.replaceAll(vowelSigns, ''),
      from: shownDay(of.from),
      until: shownDay(of.until),
      currency: of.currency,
      opening: formatDirhams(statement.opening),
      closing: formatDirhams(statement.closing),
      charges: statement.isOfProvider ? formatDirhams(statement.charges) : '',
      rows: statement.rows.map((row) => ({
        day: shownDay(row.day),
        kind: translate(`statement.kinds.${row.kind}`, language),
        reference: row.reference,
        entries: String(row.entries),
        amount: formatDirhams(row.amount),
        balance: formatDirhams(row.balance),
      })),
    },
  });
}

// A letter with a vowel sign would be extracted wrongly from a PDF.
const vowelSigns = /[\u064B-\u0652\u0670]/g;
const mostRows = 1_000_000;

/** A workbook with the statement by day, and every entry on further sheets. */
async function makeWorkbook(
  transaction: Transaction,
  of: store.StatementOf,
  language: Language,
  statement: Statement,
): Promise<Buffer> {
  // Loaded when somebody exports: the library takes a third of a second.
  const { default: ExcelJS } = await import('exceljs');
  const stream = new PassThrough();
  const content = buffer(stream);
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: true });
  const labels = labelsOf(statement, language);
  const rightToLeft = language !== 'en-US';
  const addSheet = (name: string, widths: readonly number[], headers: readonly string[]) => {
    const sheet = workbook.addWorksheet(name, { views: [{ rightToLeft }] });
    sheet.columns = widths.map((width) => ({ width }));
    const head = sheet.addRow([...headers]);
    head.font = { bold: true };
    return sheet;
  };
  const add = (
    sheet: ReturnType<typeof addSheet>,
    cells: (string | number)[],
    amounts: number[],
  ) => {
    const row = sheet.addRow(cells);
    for (const column of amounts) row.getCell(column).numFmt = '#,##0.00';
    row.commit();
  };
  const kindOf = (kind: store.Movement['kind']) => translate(`statement.kinds.${kind}`, language);

  const summary = addSheet(labels.title, [34, 30, 24, 14, 18, 18], [labels.title]);
  for (const [name, value] of [
    [labels.payee, statement.payeeName],
    [labels.period, `${of.from} - ${of.until}`],
    [labels.amount, of.currency],
  ])
    add(summary, [name ?? '', value ?? ''], []);
  add(summary, [labels.opening, statement.opening / 100], [2]);
  add(summary, [labels.closing, statement.closing / 100], [2]);
  if (statement.isOfProvider) add(summary, [labels.charges, statement.charges / 100], [2]);
  const columns = [labels.day, labels.what, labels.reference];
  const header = summary.addRow([...columns, labels.entries, labels.amount, labels.balance]);
  header.font = { bold: true };
  for (const row of statement.rows)
    add(
      summary,
      [row.day, kindOf(row.kind), row.reference, row.entries, row.amount / 100, row.balance / 100],
      [5, 6],
    );
  summary.commit();

  const title = translate('statement.allEntries', language);
  const headers = [
    ...columns,
    translate('statement.request', language),
    translate('statement.payment', language),
    labels.amount,
  ];
  const widths = [14, 30, 24, 24, 34, 18];
  let sheet = addSheet(title, widths, headers);
  const sign = statement.isOfProvider ? -1 : 1;
  let count = 0;
  for await (const rows of store.readEntries(transaction, of)) {
    for (const row of rows) {
      count += 1;
      if (count % mostRows === 0) {
        sheet.commit();
        sheet = addSheet(`${title} ${1 + count / mostRows}`, widths, headers);
      }
      add(
        sheet,
        [
          row.day,
          kindOf(row.kind),
          row.reference,
          row.requestNumber ?? '',
          row.merchantReference ?? '',
          (row.amount * sign) / 100,
        ],
        [6],
      );
      // Others are served in between.
      if (count % 200 === 0) await nextTurn();
    }
  }
  sheet.commit();
  await workbook.commit();
  return content;
}

/**
 * The statement of an agency or a provider, from one state of the ledger. Throws PayeeNotFound,
 * StatementPeriodWrong.
 */
export async function makeStatement(
  context: StatementsContext,
  of: store.StatementOf,
  { format, language }: { format: StatementFormat; language: Language },
): Promise<Buffer> {
  if (of.until < of.from || of.until > dayAfter(of.from, longestStatementDays - 1))
    throw new Refusal('StatementPeriodWrong');
  const made = await inSnapshot(withoutTimeLimits(context.database), async (transaction) => {
    const statement = await readStatement(transaction, of, language);
    return format === 'xlsx' ? makeWorkbook(transaction, of, language, statement) : statement;
  });
  return Buffer.isBuffer(made) ? made : makePdf(context, of, language, made);
}
