import { buffer } from 'node:stream/consumers';
import { issuedPortalLogo, printLogo } from '#features/services/logos/logos.actions.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { formatDirhams } from '#platform/core/localize.ts';
import { withoutTimeLimits, type Database, type Transaction } from '#platform/database/database.ts';
import { inSnapshot } from '#platform/database/unit-of-work.ts';
import { amountCell, dayCell, streamWorkbook } from '#platform/files/workbook.ts';
import type { PdfMaker } from '#platform/pdf/make-pdf.ts';
import type { StatementFormat } from '@diwan/contract/payments/payouts';
import { startOfDay } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { checkPeriod } from './ledger.actions.ts';
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

async function makePdf(
  { database, pdf, isDemo }: StatementsContext,
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
      // The ledger is stored, the statement is not: its name and logo are those of today.
      portalLogo: await printLogo(database, issuedPortalLogo().portalLogo),
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
/** A workbook with the statement by day, and every entry on further sheets. */
function makeWorkbook(
  transaction: Transaction,
  of: store.StatementOf,
  language: Language,
  statement: Statement,
): Promise<Buffer> {
  const labels = labelsOf(statement, language);
  const kindOf = (kind: store.Movement['kind']) => translate(`statement.kinds.${kind}`, language);
  const columns = [labels.day, labels.what, labels.reference];
  const content = streamWorkbook(language, async (workbook) => {
    const summary = workbook.addSheet(labels.title, [34, 30, 24, 14, 18, 18], [labels.title]);
    summary.add(labels.payee, statement.payeeName);
    summary.add(labels.period, dayCell(of.from), dayCell(of.until));
    summary.add(labels.amount, of.currency);
    summary.add(labels.opening, amountCell(statement.opening));
    summary.add(labels.closing, amountCell(statement.closing));
    if (statement.isOfProvider) summary.add(labels.charges, amountCell(statement.charges));
    summary.addHeader(...columns, labels.entries, labels.amount, labels.balance);
    for (const row of statement.rows)
      summary.add(
        dayCell(row.day),
        kindOf(row.kind),
        row.reference,
        row.entries,
        amountCell(row.amount),
        amountCell(row.balance),
      );
    const entries = workbook.addSheet(
      translate('statement.allEntries', language),
      [14, 30, 24, 24, 34, 18],
      [
        ...columns,
        translate('statement.request', language),
        translate('statement.payment', language),
        labels.amount,
      ],
    );
    const sign = statement.isOfProvider ? -1 : 1;
    for await (const rows of store.readEntries(transaction, of)) {
      for (const row of rows)
        entries.add(
          dayCell(row.day),
          kindOf(row.kind),
          row.reference,
          row.requestNumber,
          row.merchantReference,
          amountCell(row.amount * sign),
        );
      await workbook.pause();
    }
  });
  return buffer(content);
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
  checkPeriod({ From: of.from, Until: of.until });
  const made = await inSnapshot(withoutTimeLimits(context.database), async (transaction) => {
    const statement = await readStatement(transaction, of, language);
    return format === 'xlsx' ? makeWorkbook(transaction, of, language, statement) : statement;
  });
  return Buffer.isBuffer(made) ? made : makePdf(context, of, language, made);
}
