import type { SettlementLine } from '#platform/integrations/settlement-file.ts';
import type { SettlementDifferenceKind } from '@diwan/contract/payments/ledger';
import { dayAfter, dayInDubai } from '@diwan/contract/wire/days';

/** A receipt or refund of the ledger at a provider. `amount` has its sign: a refund is negative. */
export interface BookedMoney {
  entryId: number;
  kind: 'payment' | 'refund';
  merchantReference: string;
  paymentId: number;
  requestId: number;
  refundId: string;
  amount: number;
  currency: string;
  /** Its day in Asia/Dubai. */
  day: string;
  /** Whether a line of an earlier file settled it. */
  isSettled: boolean;
}

/** A difference between a line and the ledger; amounts have their sign. */
interface FoundDifference {
  kind: SettlementDifferenceKind;
  expected: number | null;
  actual: number | null;
  currency: string;
}

/** A line with its row in the file, what it settles, and how they differ. */
export interface MatchedLine {
  line: SettlementLine;
  row: number;
  booked: BookedMoney | undefined;
  differences: FoundDifference[];
}

/** What a provider charges: basis points of the amount, and a fixed part in fils. */
export interface ChargeRate {
  rate: number;
  fixed: number;
}

/** The amount of a line with its sign. */
export const signedAmount = ({ kind, amount }: Pick<SettlementLine, 'kind' | 'amount'>): number =>
  kind === 'refund' ? -amount : amount;

/** The charge on a payment, rounded to the fils. */
const chargeOn = (amount: number, { rate, fixed }: ChargeRate): number =>
  Math.round((amount * rate) / 10_000) + fixed;

const nameOf = ({
  kind,
  merchantReference,
  refundId,
}: Pick<SettlementLine, 'kind' | 'merchantReference' | 'refundId'>) =>
  [kind, merchantReference, kind === 'refund' ? refundId : ''].join(' ');

function compare(
  line: SettlementLine,
  booked: BookedMoney,
  rate: ChargeRate | undefined,
): FoundDifference[] {
  const { currency } = line;
  const actual = signedAmount(line);
  const found: FoundDifference[] = [];
  if (currency !== booked.currency)
    return [{ kind: 'otherCurrency', expected: booked.amount, actual, currency }];
  if (actual !== booked.amount)
    found.push({ kind: 'otherAmount', expected: booked.amount, actual, currency });
  const charge = rate && line.kind === 'payment' ? chargeOn(line.amount, rate) : line.charge;
  if (charge !== line.charge)
    found.push({ kind: 'otherCharge', expected: charge, actual: line.charge, currency });
  const day = dayInDubai(new Date(line.occurredAt));
  // A refund is booked when its answer arrives, which may be after midnight.
  const isOnTime =
    booked.day === day || (line.kind === 'refund' && booked.day === dayAfter(day, 1));
  if (!isOnTime) found.push({ kind: 'otherDay', expected: booked.amount, actual, currency });
  return found;
}

/** Of what is free: the same amount first, then the same currency. */
function findNearest(free: readonly BookedMoney[], amount: number, currency: string) {
  const sameCurrency = free.filter((each) => each.currency === currency);
  return sameCurrency.find((each) => each.amount === amount) ?? sameCurrency[0] ?? free[0];
}

/**
 * Finds for each line of a file what it settles. `known`: the lines of earlier files by the
 * provider's name of them; the same line again is left out. Of several charges of one payment the
 * one with the same amount comes first.
 */
export function matchLines(
  lines: readonly SettlementLine[],
  booked: readonly BookedMoney[],
  known: ReadonlyMap<string, SettlementLine>,
  rate: ChargeRate | undefined,
): MatchedLine[] {
  const pools = new Map<string, BookedMoney[]>();
  for (const each of booked) pools.set(nameOf(each), [...(pools.get(nameOf(each)) ?? []), each]);
  const settled = new Set(booked.flatMap((each) => (each.isSettled ? [each.entryId] : [])));
  const inFile = new Set<string>();
  const matched: MatchedLine[] = [];
  for (const [index, line] of lines.entries()) {
    const earlier = known.get(line.lineId);
    if (earlier && !inFile.has(line.lineId) && isSame(earlier, line)) continue;
    const actual = signedAmount(line);
    const pool = pools.get(nameOf(line)) ?? [];
    const free = pool.filter(({ entryId }) => !settled.has(entryId));
    const isDoubled = earlier !== undefined || inFile.has(line.lineId);
    // guard: line of a settlement that is there twice (settlement) => findNearest(free, actual, line.currency)
    const entry = isDoubled ? undefined : findNearest(free, actual, line.currency);
    inFile.add(line.lineId);
    const row = index + 2;
    if (entry) {
      settled.add(entry.entryId);
      matched.push({ line, row, booked: entry, differences: compare(line, entry, rate) });
      continue;
    }
    const missing = line.kind === 'refund' ? 'unknownRefund' : 'missingHere';
    const kind = isDoubled || pool.length > 0 ? 'doubled' : missing;
    matched.push({
      line,
      row,
      booked: undefined,
      differences: [{ kind, expected: null, actual, currency: line.currency }],
    });
  }
  return matched;
}

const isSame = (one: SettlementLine, other: SettlementLine): boolean =>
  nameOf(one) === nameOf(other) &&
  one.amount === other.amount &&
  one.charge === other.charge &&
  one.currency === other.currency;
