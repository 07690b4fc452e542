import { Readable } from 'node:stream';
import { payoutList } from '#features/ledger/payouts.actions.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { withoutTimeLimits, type Database } from '#platform/database/database.ts';
import {
  checkPaymentFilter,
  readPaymentList,
  type PaymentFilter,
  type PaymentList,
} from '#platform/database/lists/payment-lists.ts';
import {
  amountCell,
  dayCell,
  streamWorkbook,
  timeCell,
  type SheetCell,
} from '#platform/files/workbook.ts';
import type { PaymentSummary } from '@diwan/contract/payments/events';
import type {
  ChargeLine,
  ListFormat,
  PaymentListName,
} from '@diwan/contract/payments/payment-lists';
import type { Payout } from '@diwan/contract/payments/payouts';
import { csvLine, csvStart, type CsvCell } from '@diwan/contract/wire/csv';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import { documents, type ListedDocument } from '../invoices/document-list.store.ts';
import { chargeLines } from '../settlement/charges.store.ts';
import { differencesIn, type DifferenceShown } from '../settlement/differences.store.ts';
import {
  casesIn,
  payments,
  refundsIn,
  type CaseShown,
  type RefundShown,
} from './payment-reads.store.ts';

const translate = createTranslator('payment-lists');
const translateDesk = createTranslator('payment-desk');
const translateLedger = createTranslator('ledger');

/** A cell of a file: a text, or what a spreadsheet shows in its own form. */
type FileCell =
  | string
  | null
  | undefined
  | { amount: number | null | undefined }
  | { day: string | null | undefined }
  | { time: string | null | undefined };

/** A column: the key of its header in the texts `columns`, its cell and its width. */
interface FileColumn<Row> {
  name: string;
  width: number;
  cell: (row: Row, language: Language) => FileCell;
}

const column = <Row>(
  name: string,
  width: number,
  cell: FileColumn<Row>['cell'],
): FileColumn<Row> => ({ name, width, cell });

const deskText = (key: string, language: Language) => translateDesk(key, language);
const ledgerText = (key: string, language: Language) => translateLedger(key, language);

interface OfAgency {
  agency: LocalizedText | null;
}

const agencyColumn = column<OfAgency>('agency', 30, ({ agency }, language) => agency?.[language]);
const providerColumn = column<{ provider?: string | null | undefined }>(
  'provider',
  22,
  ({ provider }, language) => provider && deskText(`providers.${provider}`, language),
);
const requestColumn = column<{ requestNumber?: string | null | undefined }>(
  'requestNumber',
  20,
  (row) => row.requestNumber,
);
const referenceColumn = column<{ merchantReference: string }>(
  'reference',
  32,
  (row) => row.merchantReference,
);
const currencyColumn = column<{ currency: string }>('currency', 10, (row) => row.currency);
const amountColumn = column<{ amount: number }>('amount', 16, ({ amount }) => ({ amount }));
const noteColumn = column<{ note: string }>('note', 40, (row) => row.note);

const paymentColumns: FileColumn<PaymentSummary & OfAgency>[] = [
  referenceColumn,
  requestColumn,
  agencyColumn,
  column('begun', 20, ({ createdAt: time }) => ({ time })),
  column('state', 20, (row, language) => deskText(`statuses.${row.status}`, language)),
  amountColumn,
  column('refunded', 16, ({ refunded: amount }) => ({ amount })),
  currencyColumn,
  providerColumn,
  column('method', 16, (row, language) => deskText(`methods.${row.method}`, language)),
];

const refundColumns: FileColumn<RefundShown & OfAgency>[] = [
  requestColumn,
  referenceColumn,
  column('outsideReference', 24, (row) => row.outsideReference),
  agencyColumn,
  column('begun', 20, ({ createdAt: time }) => ({ time })),
  column('state', 24, (row, language) => deskText(`refunds.states.${row.state}`, language)),
  amountColumn,
  currencyColumn,
  column('reason', 24, (row, language) => deskText(`refunds.reasons.${row.reason}`, language)),
  noteColumn,
  column('requestedBy', 24, (row) => row.requestedBy),
  column('decidedBy', 24, (row) => row.decidedBy),
  column('expectedBy', 14, ({ expectedBy: day }) => ({ day })),
];

const caseColumns: FileColumn<CaseShown & OfAgency>[] = [
  column('kind', 28, (row, language) => deskText(`cases.kinds.${row.kind}`, language)),
  referenceColumn,
  requestColumn,
  agencyColumn,
  providerColumn,
  column('begun', 20, ({ createdAt: time }) => ({ time })),
  column('actual', 16, ({ amount }) => ({ amount })),
  column('expected', 16, ({ expected: amount }) => ({ amount })),
  currencyColumn,
  column(
    'decision',
    24,
    ({ decision }, language) => decision && deskText(`cases.decided.${decision}`, language),
  ),
  noteColumn,
  column('decidedBy', 24, (row) => row.decidedBy),
  column('decidedAt', 20, ({ decidedAt: time }) => ({ time })),
];

const differenceColumns: FileColumn<DifferenceShown & OfAgency>[] = [
  column('difference', 30, (row, language) =>
    ledgerText(`differences.kinds.${row.kind}`, language),
  ),
  column('day', 14, ({ day }) => ({ day })),
  providerColumn,
  referenceColumn,
  agencyColumn,
  column('ledger', 16, ({ expected: amount }) => ({ amount })),
  column('file', 16, ({ actual: amount }) => ({ amount })),
  currencyColumn,
  column('state', 20, (row, language) => translate(`states.differences.${row.state}`, language)),
  column(
    'decision',
    24,
    ({ decision }, language) => decision && ledgerText(`differences.decided.${decision}`, language),
  ),
  noteColumn,
  column('requestedBy', 24, (row) => row.proposedBy),
  column('decidedBy', 24, (row) => row.decidedBy),
];

const chargeColumns: FileColumn<ChargeLine & OfAgency>[] = [
  column('time', 20, ({ at: time }) => ({ time })),
  providerColumn,
  column('movement', 16, (row, language) => translate(`states.charges.${row.kind}`, language)),
  referenceColumn,
  requestColumn,
  agencyColumn,
  amountColumn,
  column('charge', 16, ({ charge: amount }) => ({ amount })),
  currencyColumn,
];

const documentColumns: FileColumn<ListedDocument>[] = [
  column('number', 20, (row) => row.number),
  column('document', 16, (row, language) => deskText(`receipts.kinds.${row.kind}`, language)),
  column('issuedOn', 14, ({ issuedOn: day }) => ({ day })),
  column('suppliedOn', 14, ({ suppliedOn: day }) => ({ day })),
  column('payer', 30, (row) => row.payer),
  requestColumn,
  agencyColumn,
  column('net', 16, ({ net: amount }) => ({ amount })),
  column('vat', 16, ({ vat: amount }) => ({ amount })),
  column('total', 16, ({ total: amount }) => ({ amount })),
];

const payoutColumns: FileColumn<Payout>[] = [
  column(
    'payee',
    30,
    (row, language) => row.name || deskText(`providers.${row.provider}`, language),
  ),
  column('payoutReference', 24, (row) => row.reference),
  column('day', 14, ({ paidOn: day }) => ({ day })),
  amountColumn,
  currencyColumn,
  column('state', 20, (row, language) => ledgerText(`payouts.states.${row.state}`, language)),
  noteColumn,
  column('requestedBy', 24, (row) => row.requestedBy),
  column('decidedBy', 24, (row) => row.decidedBy),
];

/** A list with its columns; the rows of the one are what the others read. */
interface ListFile {
  list: PaymentList;
  headers: (language: Language) => string[];
  widths: number[];
  cells: (row: never, language: Language) => FileCell[];
}

const fileOf = <Row>(list: PaymentList, columns: readonly FileColumn<Row>[]): ListFile => ({
  list,
  headers: (language) => columns.map(({ name }) => translate(`columns.${name}`, language)),
  widths: columns.map(({ width }) => width),
  cells: (row: Row, language) => columns.map(({ cell }) => cell(row, language)),
});

const files: Record<PaymentListName, (language: Language) => ListFile> = {
  payments: () => fileOf(payments, paymentColumns),
  refunds: (language) => fileOf(refundsIn(language), refundColumns),
  cases: (language) => fileOf(casesIn(language), caseColumns),
  differences: (language) => fileOf(differencesIn(language), differenceColumns),
  charges: () => fileOf(chargeLines, chargeColumns),
  documents: () => fileOf(documents, documentColumns),
  payouts: (language) => fileOf(payoutList(language), payoutColumns),
};

function toSheetCell(cell: FileCell): SheetCell {
  if (typeof cell !== 'object' || cell === null) return cell;
  if ('amount' in cell) return typeof cell.amount === 'number' ? amountCell(cell.amount) : null;
  if ('day' in cell) return cell.day ? dayCell(cell.day) : null;
  return cell.time ? timeCell(new Date(cell.time)) : null;
}

function toCsvCell(cell: FileCell): CsvCell {
  if (typeof cell !== 'object' || cell === null) return cell;
  if ('amount' in cell) return typeof cell.amount === 'number' ? cell.amount / 100 : null;
  return 'day' in cell ? cell.day : cell.time;
}

async function* csvOf(
  { list, headers, cells }: ListFile,
  language: Language,
  read: (list: PaymentList) => AsyncGenerator<never[]>,
): AsyncGenerator<string> {
  yield csvStart + csvLine(headers(language));
  for await (const rows of read(list))
    yield rows.map((row) => csvLine(cells(row, language).map(toCsvCell))).join('');
}

/**
 * A whole filtered list as a file, which is written while it is read. Throws a `ValidationRefusal`.
 */
export function makeListFile(
  database: Database,
  {
    list: name,
    format,
    language,
  }: { list: PaymentListName; format: ListFormat; language: Language },
  filter: PaymentFilter,
): Readable {
  checkPaymentFilter(filter);
  const file = files[name](language);
  const read = (list: PaymentList) =>
    readPaymentList<never>(withoutTimeLimits(database), list, filter);
  if (format === 'csv') return Readable.from(csvOf(file, language, read));
  return streamWorkbook(language, async (workbook) => {
    const title =
      name === 'differences'
        ? translateLedger('tabs.differences', language)
        : translateDesk(`tabs.${name === 'documents' ? 'receipts' : name}`, language);
    const sheet = workbook.addSheet(title, file.widths, file.headers(language));
    for await (const rows of read(file.list)) {
      for (const row of rows) sheet.add(...file.cells(row, language).map(toSheetCell));
      await workbook.pause();
    }
  });
}
