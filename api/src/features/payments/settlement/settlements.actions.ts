import { createHash } from 'node:crypto';
import { postEntry } from '#features/ledger/ledger.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { DatabaseUnavailable } from '#platform/database/database-failures.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { PaymentProvider } from '#platform/integrations/payment-provider.ts';
import {
  readSettlementFile,
  writeSettlementFile,
  type SettlementLine,
} from '#platform/integrations/settlement-file.ts';
import type { SettlementImport } from '@diwan/contract/payments/ledger';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { matchLines, signedAmount, type MatchedLine } from './match-lines.ts';
import * as store from './settlements.store.ts';

const translate = createTranslator('ledger');

/** What reconciliation needs. */
export interface SettlementContext {
  database: Database;
  providers: ReadonlyMap<PaymentProviderName, PaymentProvider>;
  /** A decision about more than this, in fils, waits for a second person. */
  approvalAbove: number;
  warn: (message: string) => void;
  /** The current day in Asia/Dubai; that of the clock where it is not given. */
  today?: () => string;
}

const emptyImport: SettlementImport = {
  isKnown: false,
  lines: 0,
  matched: 0,
  differences: 0,
  problems: [],
};

// A line is booked as the provider states it; a difference stays in what the provider holds until an
// admin decides. A line in another currency is booked by that decision only.
async function postLine(
  transaction: Transaction,
  provider: PaymentProviderName,
  { line, booked }: MatchedLine,
  lineId: number,
): Promise<void> {
  if (
    !booked ||
    // guard: settlement line in another currency (settlement)
    booked.currency !== line.currency
  )
    return;
  const amount = signedAmount(line);
  await postEntry(transaction, {
    kind: 'settled',
    source: `settled:${lineId}`,
    currency: line.currency,
    occurredAt: new Date(line.occurredAt),
    requestId: booked.requestId,
    paymentId: booked.paymentId,
    lines: [
      { account: 'bank', amount: amount - line.charge },
      { account: 'providerCharges', provider, amount: line.charge },
      { account: 'providerCash', provider, amount: -amount },
    ],
  });
}

/** Compares the lines of a file with the ledger, once for each file, and books what they settle. */
async function importLines(
  transaction: Transaction,
  file: store.SettlementFile & { digest: string; importedBy: string | null },
  lines: readonly SettlementLine[],
): Promise<SettlementImport> {
  const { provider, digest } = file;
  // One file at a time: two files may name the same charge.
  await acquireNamedLock(transaction, `settlement ${provider}`);
  const id = await store.insertFile(transaction, { ...file, lines: lines.length });
  if (id === undefined)
    return {
      ...emptyImport,
      ...(await store.countFile(transaction, provider, digest)),
      isKnown: true,
    };
  const names = <Field extends keyof SettlementLine>(field: Field) => [
    ...new Set(lines.map((line) => line[field])),
  ];
  const matched = matchLines(
    lines,
    await store.selectBooked(transaction, provider, names('merchantReference')),
    await store.selectKnownLines(transaction, provider, names('lineId')),
    await store.findRate(transaction, provider),
  );
  const idOfRow = await store.insertLines(transaction, id, matched);
  await store.insertLineDifferences(transaction, { ...file, id }, matched, idOfRow);
  const entryIds = matched.flatMap(({ booked }) => (booked ? [booked.entryId] : []));
  if (entryIds.length > 0) await store.resolveFound(transaction, entryIds);
  for (const each of matched)
    await postLine(transaction, provider, each, idOfRow.get(each.row) ?? 0);
  await store.insertMissing(transaction, { ...file, id });
  return { ...emptyImport, ...(await store.countFile(transaction, provider, digest)) };
}

/** Refuses a day that is not over: its file would not be complete. */
function checkDayIsOver(day: string, today: string): void {
  // guard: settlement of a day that is not over (settlement)
  if (day >= today) throw new Refusal('DayIsNotOver');
}

const digestOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');

/**
 * Imports the file of an admin. A file with a problem changes nothing and names the cells. Throws
 * DayIsNotOver.
 */
export async function importFile(
  { database }: Pick<SettlementContext, 'database'>,
  author: { caller: Caller; address: string },
  file: store.SettlementFile,
  { content, language }: { content: Buffer; language: Language },
): Promise<SettlementImport> {
  checkDayIsOver(file.day, todayInDubai());
  const { lines, problems } = readSettlementFile(content);
  if (problems.length > 0)
    return {
      ...emptyImport,
      lines: lines.length,
      problems: problems.map(({ row, column, code }) => ({
        row,
        column,
        message: translate(`problems.${code}`, language),
      })),
    };
  // The same lines are the same file, however they are written.
  const digest = digestOf(`${file.day}\n${writeSettlementFile(lines)}`);
  return inTransaction(database, async (transaction) => {
    const found = await importLines(
      transaction,
      { ...file, digest, importedBy: author.caller.userId },
      lines,
    );
    if (!found.isKnown)
      await recordChange(transaction, author, {
        entity: 'settlement',
        entityId: `${file.provider} ${file.day}`,
        name: file.day,
        action: 'imported',
        after: {
          provider: file.provider,
          lines: found.lines,
          matched: found.matched,
          differences: found.differences,
        },
      });
    return found;
  });
}

/**
 * Fetches the settlement of a day from the provider. Throws DayIsNotOver, SettlementNotOffered,
 * PaymentProviderUnreachable.
 */
export async function fetchFile(
  context: SettlementContext,
  { provider, day }: store.SettlementFile,
  importedBy: string | null,
): Promise<SettlementImport> {
  checkDayIsOver(day, context.today?.() ?? todayInDubai());
  const readSettlement = context.providers.get(provider)?.readSettlement;
  if (!readSettlement) throw new Refusal('SettlementNotOffered');
  const lines = await readSettlement(day).catch((error: Error) => {
    context.warn(`the settlement of ${provider} for ${day} cannot be read: ${error.message}`);
    throw new Refusal('PaymentProviderUnreachable');
  });
  const digest = digestOf(`${day}\n${writeSettlementFile(lines)}`);
  return inTransaction(context.database, (transaction) =>
    importLines(transaction, { provider, day, digest, importedBy }, lines),
  );
}

/** The days back to which missing files are fetched. */
const daysBack = 7;

/** Fetches the files of past days that have not come, from the providers that offer them. */
export async function fetchMissingFiles(context: SettlementContext): Promise<void> {
  const today = todayInDubai();
  for (const [provider, { readSettlement }] of context.providers) {
    if (!readSettlement) continue;
    const days = await store.selectDaysWithoutFile(context.database, provider, {
      from: dayAfter(today, -daysBack),
      to: dayAfter(today, -1),
    });
    for (const day of days)
      await fetchFile(context, { provider, day }, null).catch((error: Error) => {
        if (error instanceof DatabaseUnavailable) throw error;
        context.warn(`settlement of ${provider} for ${day}: ${error.message}`);
      });
  }
}
