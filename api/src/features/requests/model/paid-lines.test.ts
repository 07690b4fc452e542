import fc from 'fast-check';
import { expect, it } from 'vitest';
import { vatOn } from '@diwan/contract/wire/money';
import { linesPaidBy, linesRefundedBy, type PaidPart } from './paid-lines.ts';

const lines = fc.array(
  fc.record({
    amount: fc.nat(100_000),
    vatRate: fc.constantFrom(0, 500, 1333),
    refundable: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

const quoteOf = (shapes: { amount: number; vatRate: number; refundable: boolean }[]) => {
  const all = shapes.map((shape, index) => ({
    ...shape,
    name: `line${index}`,
    title: `line${index}`,
    vat: vatOn(shape.amount, shape.vatRate),
  }));
  const total = all.reduce((sum, { amount, vat }) => sum + amount + vat, 0);
  const [totalAdminstrativeFees, totalAdminstrativeFeesVatValue] = [0, 0];
  return {
    lines: all,
    total,
    totalAdminstrativeFees,
    totalAdminstrativeFeesVatValue,
    currency: 'AED' as const,
  };
};

const gross = (parts: readonly PaidPart[]) =>
  parts.reduce((sum, { amount, vat }) => sum + amount + vat, 0);
const sumOf = (parts: readonly PaidPart[], title: string, key: 'amount' | 'vat') =>
  parts.filter((part) => part.title === title).reduce((sum, part) => sum + part[key], 0);

/** The steps from 0 to `total` with the cuts between. */
const stepsOf = (total: number, cuts: readonly number[]) => {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (total + 1)), total])].toSorted(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, index) => [places[index] ?? 0, end] as const);
};

it('parts of lines that are paid and refunded in steps add up to the lines, to the fils', () => {
  fc.assert(
    fc.property(lines, fc.array(fc.nat(500_000), { maxLength: 4 }), (shapes, cuts) => {
      const quote = quoteOf(shapes);
      const paid = stepsOf(quote.total, cuts).flatMap(([start, end]) => {
        const parts = linesPaidBy(quote, start, end - start);
        expect(gross(parts)).toBe(end - start);
        return parts;
      });
      const refundable = gross(quote.lines.filter((line) => line.refundable));
      const twice = 500;
      const refunded = stepsOf(refundable + twice, cuts).flatMap(([start, end]) => {
        const share = { refundableOfLines: refundable, refundedBefore: start, amount: end - start };
        const { lines: parts, rest } = linesRefundedBy(quote, { ...share, paid: quote.total });
        expect([gross(parts) + rest, rest]).toEqual([
          end - start,
          Math.max(0, end - Math.max(start, refundable)),
        ]);
        return parts;
      });
      for (const { title, refundable: isRefundable, ...line } of quote.lines)
        for (const key of ['amount', 'vat'] as const) {
          expect(sumOf(paid, title, key)).toBe(line[key]);
          expect(sumOf(refunded, title, key)).toBe(isRefundable ? line[key] : 0);
        }
      for (const part of [...paid, ...refunded])
        expect(Math.min(part.amount, part.vat)).toBeGreaterThanOrEqual(0);
    }),
  );
});
