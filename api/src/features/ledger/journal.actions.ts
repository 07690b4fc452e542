import type { Readable } from 'node:stream';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import { amountCell, dayCell, streamWorkbook, timeCell } from '#platform/files/workbook.ts';
import type { JournalEntry } from '@diwan/contract/payments/journal';
import { csvLine, csvStart } from '@diwan/contract/wire/csv';
import type { Language } from '@diwan/contract/wire/languages';
import * as store from './journal.store.ts';
import { checkPeriod } from './ledger.actions.ts';

const translate = createTranslator('journal');
const translateLedger = createTranslator('ledger');
const translateProvider = createTranslator('payment-desk');

/**
 * Refuses a filter that would read the whole ledger: both days are needed, unless the entries are
 * those of a request or a payment. Throws StatementPeriodWrong.
 */
export function checkFilter(filter: store.JournalFilter): void {
  const { From, Until, RequestNumber, MerchantReference } = filter;
  const isOfOne = RequestNumber !== undefined || MerchantReference !== undefined;
  // guard: journal without a period
  if (!(From && Until) && !isOfOne) throw new Refusal('StatementPeriodWrong');
  if (From && Until) checkPeriod({ From, Until });
}

const columnNames = [
  'day',
  'time',
  'entry',
  'kind',
  'account',
  'provider',
  'agency',
  'request',
  'payment',
  'debit',
  'credit',
  'currency',
  'note',
  'bookedBy',
] as const;
type JournalRow = Record<(typeof columnNames)[number], string | number>;

const headersOf = (language: Language): string[] =>
  columnNames.map((name) => translate(`columns.${name}`, language));

/** A row for each line of an entry. `time` is an instant, amounts are in the smallest unit. */
function rowsOf(entry: JournalEntry, language: Language): JournalRow[] {
  return entry.lines.map(({ account, provider, agencyName, debit, credit }) => ({
    day: entry.day,
    time: entry.at,
    entry: entry.id,
    kind: translate(`kinds.${entry.kind}`, language),
    account: translateLedger(`accounts.${account}`, language),
    provider: provider ? translateProvider(`providers.${provider}`, language) : '',
    agency: agencyName ?? '',
    request: entry.requestNumber ?? '',
    payment: entry.merchantReference ?? '',
    debit,
    credit,
    currency: entry.currency,
    note: entry.note,
    bookedBy: entry.postedBy ?? '',
  }));
}

/** The journal as the text of a CSV file, in parts. */
export async function* journalCsv(
  database: Database,
  filter: store.JournalFilter,
  language: Language,
): AsyncGenerator<string> {
  yield csvStart + csvLine(headersOf(language));
  for await (const entries of store.readJournal(database, language, filter))
    yield entries
      .flatMap((entry) => rowsOf(entry, language))
      .map((row) =>
        csvLine(
          columnNames.map((name) =>
            name === 'debit' || name === 'credit' ? Number(row[name]) / 100 : row[name],
          ),
        ),
      )
      .join('');
}

const widths = [12, 20, 12, 24, 28, 24, 30, 22, 32, 16, 16, 10, 30, 24];

/** The journal as a workbook. Its last rows are the sums of each currency. */
export function journalWorkbook(
  database: Database,
  filter: store.JournalFilter,
  language: Language,
): Readable {
  return streamWorkbook(language, async (workbook) => {
    const sheet = workbook.addSheet(translate('title', language), widths, headersOf(language));
    const sums = new Map<string, { debit: number; credit: number }>();
    for await (const entries of store.readJournal(database, language, filter)) {
      for (const entry of entries)
        for (const row of rowsOf(entry, language)) {
          const [debit, credit] = [Number(row.debit), Number(row.credit)];
          const sum = sums.get(entry.currency) ?? { debit: 0, credit: 0 };
          sums.set(entry.currency, { debit: sum.debit + debit, credit: sum.credit + credit });
          const shown = {
            ...row,
            day: dayCell(entry.day),
            time: timeCell(new Date(entry.at)),
            debit: debit === 0 ? '' : amountCell(debit),
            credit: credit === 0 ? '' : amountCell(credit),
          };
          sheet.add(...columnNames.map((name) => shown[name]));
        }
      await workbook.pause();
    }
    for (const [currency, { debit, credit }] of sums)
      sheet.add(
        translate('sum', language),
        ...Array<string>(8).fill(''),
        amountCell(debit),
        amountCell(credit),
        currency,
      );
  });
}

/** The trial balance of a period as a workbook, with the sums of each currency. */
export async function trialBalanceWorkbook(
  database: Database,
  period: { From: string; Until: string },
  language: Language,
): Promise<Readable> {
  checkPeriod(period);
  const rows = await store.selectTrialBalance(database, period);
  const header = (name: string) => translate(`trialBalance.${name}`, language);
  return streamWorkbook(language, (workbook) => {
    const sheet = workbook.addSheet(
      header('title'),
      [34, 10, 18, 18, 18, 18],
      [header('title'), ''],
    );
    sheet.add(header('from'), dayCell(period.From));
    sheet.add(header('until'), dayCell(period.Until));
    sheet.addHeader(
      header('account'),
      header('currency'),
      header('opening'),
      header('debits'),
      header('credits'),
      header('closing'),
    );
    for (const { account, currency, opening, debits, credits, closing } of rows)
      sheet.add(
        translateLedger(`accounts.${account}`, language),
        currency,
        ...[opening, debits, credits, closing].map(amountCell),
      );
    for (const currency of new Set(rows.map((row) => row.currency))) {
      const own = rows.filter((row) => row.currency === currency);
      const sum = (field: 'opening' | 'debits' | 'credits' | 'closing') =>
        amountCell(own.reduce((total, row) => total + row[field], 0));
      sheet.add(
        header('sum'),
        currency,
        sum('opening'),
        sum('debits'),
        sum('credits'),
        sum('closing'),
      );
    }
    return Promise.resolve();
  });
}
