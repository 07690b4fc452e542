import fc from 'fast-check';
import { expect, it } from 'vitest';
import { vatOn } from '@diwan/contract/wire/money';
import { roundedShare } from '@diwan/contract/wire/rounding';
import {
  allocatePayment,
  dueLines,
  linesPaidBy,
  linesRefundedBy,
  refundableOf,
  waivedOf,
  type PaidPart,
} from './paid-lines.ts';

const lines = fc.array(
  fc.record({
    amount: fc.nat(100_000),
    vatRate: fc.constantFrom(0, 500, 1333),
    refundable: fc.boolean(),
    off: fc.constantFrom(0, 0, 2500, 10_000),
  }),
  { minLength: 1, maxLength: 5 },
);

type Shape = { amount: number; vatRate: number; refundable: boolean; off: number };

const quoteOf = (shapes: Shape[]) => {
  const all = shapes.flatMap(({ off, ...shape }, index) => {
    const fee = {
      ...shape,
      name: `line${index}`,
      title: `line${index}`,
      vat: vatOn(shape.amount, shape.vatRate),
    };
    const taken = roundedShare(fee.amount, off, 10_000);
    if (taken === 0) return [fee];
    const discount = { rule: 'half', of: fee.name, evidence: 'age', state: 'granted' } as const;
    const vat = vatOn(fee.amount - taken, fee.vatRate) - fee.vat;
    return [fee, { ...fee, name: `off${index}`, amount: -taken, vat, discount }];
  });
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

const gross = (parts: readonly Pick<PaidPart, 'amount' | 'vat'>[]) =>
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
      // A fee and its discount have the same title here.
      for (const { title, refundable: isRefundable } of quote.lines)
        for (const key of ['amount', 'vat'] as const) {
          const whole = sumOf(quote.lines, title, key);
          expect(sumOf(paid, title, key)).toBe(whole);
          expect(sumOf(refunded, title, key)).toBe(isRefundable ? whole : 0);
        }
      // A part is negative only where it is a whole discount.
      for (const part of [...paid, ...refunded])
        expect(part.amount >= 0 ? part.vat >= 0 : part.vat <= 0).toBe(true);
      for (const [, end] of stepsOf(quote.total, cuts)) {
        const allocated = allocatePayment(quote, end);
        expect(allocated.reduce((sum, line) => sum + line.paid, 0)).toBe(end);
        expect(dueLines(allocated).reduce((sum, line) => sum + line.due, 0)).toBe(
          quote.total - end,
        );
      }
    }),
  );
});

it('pays back and credits a waived fine before the fees of a request that goes on', () => {
  const title = (text: string) => ({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });
  const fee = { name: 'fee', title: title('Fee'), amount: 1000, vat: 50, vatRate: 500 };
  const fine = { name: 'fines', title: title('Fine'), amount: 800, vat: 0, vatRate: 0 };
  const lines = [
    { ...fee, refundable: true },
    { ...fine, isWaived: true },
  ];
  expect([waivedOf({ lines }, 1850), refundableOf({ lines }, 1850)]).toEqual([800, 1850]);
  const quote = {
    lines: lines.map((line) => ({ ...line, title: line.name })),
    totalAdminstrativeFees: 1800,
    totalAdminstrativeFeesVatValue: 50,
    total: 1850,
    currency: 'AED' as const,
  };
  const credit = (refundedBefore: number, amount: number, refundableOfLines: number) =>
    linesRefundedBy(quote, { paid: 1850, refundableOfLines, refundedBefore, amount }).lines.map(
      (part) => [part.title, part.amount, part.vat],
    );
  expect(credit(0, 800, 800)).toEqual([['fines', 800, 0]]);
  expect(credit(800, 1050, 1850)).toEqual([['fee', 1000, 50]]);
});
