import { expect, it } from 'vitest';
import { refundableOf } from './paid-lines.ts';

it('the refundable amount is the paid part of the refundable lines', () => {
  const line = (amount: number, vat: number, refundable?: boolean) => ({
    name: 'x',
    title: { 'ar-EG': '', 'en-US': '', 'ur-PK': '' },
    amount,
    vatRate: 0,
    vat,
    ...(refundable === undefined ? {} : { refundable }),
  });
  const lines = [line(1000, 50, true), line(500, 0), line(300, 0, true)];
  expect([0, 600, 1050, 1550, 1700, 9999].map((paid) => refundableOf({ lines }, paid))).toEqual([
    0, 600, 1050, 1050, 1200, 1350,
  ]);
});
