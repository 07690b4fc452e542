import {
  writeSettlementFile,
  type SettlementLine,
} from '#platform/integrations/settlement-file.ts';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { SandboxPayment } from './payment-journal.ts';

/** What the sandbox keeps of a payment: 1.5 %, rounded to the fils. */
const chargeRate = 0.015;

/** What was charged and refunded with a payment. */
function linesOf({ merchantReference, events, refunds }: SandboxPayment): SettlementLine[] {
  const charges = events.filter(({ kind }) => kind === 'paid');
  return [
    ...charges.map(({ id, amount, currency, occurredAt }) => ({
      lineId: `st-${id}`,
      kind: 'payment' as const,
      merchantReference,
      refundId: '',
      amount,
      charge: Math.round(amount * chargeRate),
      currency,
      occurredAt,
    })),
    ...refunds
      .filter(({ state }) => state === 'succeeded')
      .map(({ id, amount, currency, createdAt }) => ({
        lineId: `st-${id}`,
        kind: 'refund' as const,
        merchantReference,
        refundId: id,
        amount,
        charge: 0,
        currency,
        occurredAt: createdAt,
      })),
  ];
}

// One dirham less for the first payment, a line that nobody knows, and the last line twice.
function withDifferences(lines: readonly SettlementLine[], day: string): SettlementLine[] {
  const first = lines.find(({ kind, amount }) => kind === 'payment' && amount > 100);
  const unknown: SettlementLine = {
    lineId: `st-${day}-unknown`,
    kind: 'payment',
    merchantReference: `UNKNOWN-${day}`,
    refundId: '',
    amount: 1000,
    charge: 15,
    currency: 'AED',
    occurredAt: `${day}T08:00:00.000Z`,
  };
  return [
    ...lines.map((line) => (line === first ? { ...line, amount: line.amount - 100 } : line)),
    unknown,
    ...lines.slice(-1),
  ];
}

/** The settlement file of a day in Asia/Dubai, with differences where the switch is on. */
export function settlementFile(
  payments: readonly SandboxPayment[],
  day: string,
  hasDifferences: boolean,
): string {
  const lines = payments
    .flatMap(linesOf)
    .filter(({ occurredAt }) => dayInDubai(new Date(occurredAt)) === day);
  return writeSettlementFile(hasDifferences ? withDifferences(lines, day) : lines);
}
