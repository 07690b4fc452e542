import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFormAnswers } from '../forms/check-answers.ts';
import type { ServiceForm } from '../forms/forms.ts';
import { isVatTreatment, vatCategories, vatCategoryOf, vatTreatmentOf } from '../wire/money.ts';
import { listFeeProblems } from './check-fees.ts';
import type { PersonFacts } from './eligibility.ts';
import {
  discountRules,
  evidenceName,
  feeRule,
  findDiscounts,
  isPercentageComplete,
  isVariableFee,
  maximumLineFils,
  quoteFees,
} from './fees.ts';

const title = { 'ar-EG': 'رسم', 'en-US': 'Fee', 'ur-PK': 'فیس' };

test('adds lines and their VAT in fils', () => {
  const quote = quoteFees([
    { name: 'applicationFee', title, amount: 20_000, vatRate: 0 },
    { name: 'digitalServiceFee', title, amount: 1000, vatRate: 500 },
  ]);
  expect(quote).toMatchObject({
    totalAdminstrativeFees: 21_000,
    totalAdminstrativeFeesVatValue: 50,
    total: 21_050,
    currency: 'AED',
  });
  expect(quote.lines.map(({ vat }) => vat)).toEqual([0, 50]);
});

test('rounds VAT on each line, not on the sum', () => {
  const line = { name: 'fee', title, amount: 10, vatRate: 500 };
  expect(quoteFees([line, line]).totalAdminstrativeFeesVatValue).toBe(2);
  expect(quoteFees([{ ...line, amount: 9 }]).totalAdminstrativeFeesVatValue).toBe(0);
});

test('a free service costs nothing', () => {
  expect(quoteFees([])).toEqual({
    lines: [],
    totalAdminstrativeFees: 0,
    totalAdminstrativeFeesVatValue: 0,
    total: 0,
    currency: 'AED',
  });
});

const form: ServiceForm = {
  steps: [
    {
      name: 'only',
      title,
      fields: [
        { name: 'isUrgent', kind: 'yesNo', title, required: true },
        {
          name: 'copies',
          kind: 'number',
          title,
          required: true,
          minimum: 0,
          maximum: 50,
          showWhen: { field: 'isUrgent', equals: true },
        },
        {
          name: 'members',
          kind: 'group',
          title,
          itemTitle: title,
          required: false,
          fields: [{ name: 'memberName', kind: 'text', title, required: true }],
        },
      ],
    },
  ],
};
const fees = [
  { name: 'base', title, amount: 10_000, vatRate: 500 },
  { name: 'urgent', title, amount: 5000, vatRate: 0, when: { field: 'isUrgent', equals: true } },
  { name: 'copy', title, amount: 333, vatRate: 500, per: 'copies' },
  { name: 'member', title, amount: 2000, vatRate: 0, per: 'members' },
];
const quote = (answers: Record<string, unknown>) =>
  quoteFees(fees, readFormAnswers(form, answers, '2026-11-24'));

test('a fee by answer is charged while its condition holds, a fee per unit for each unit', () => {
  const answers = {
    isUrgent: true,
    copies: 3,
    members: [{ memberName: 'a' }, { memberName: 'b' }],
  };
  expect(quote(answers)).toMatchObject({
    lines: [
      { name: 'base', amount: 10_000, vat: 500 },
      { name: 'urgent', amount: 5000, vat: 0 },
      { name: 'copy', amount: 999, vat: 50, units: 3, unitAmount: 333 },
      { name: 'member', amount: 4000, units: 2, unitAmount: 2000 },
    ],
    total: 20_549,
  });
  expect(quote(answers).lines[0]).not.toHaveProperty('units');
});

test('a hidden or invalid answer costs nothing, and without answers only the fixed fees count', () => {
  expect(quote({ isUrgent: false, copies: 3 }).lines.map(({ name }) => name)).toEqual(['base']);
  expect(quote({ isUrgent: true, copies: 51 }).lines.map(({ name }) => name)).toEqual([
    'base',
    'urgent',
  ]);
  expect(quote({ isUrgent: true, copies: -1 }).total).toBe(15_500);
  expect(quoteFees(fees).total).toBe(10_500);
});

test('no line exceeds the largest amount', () => {
  const [line] = quoteFees(
    [{ name: 'huge', title, amount: maximumLineFils, vatRate: 0, per: 'copies' }],
    {
      holds: () => true,
      valueOf: () => 1e9,
    },
  ).lines;
  expect(line?.amount).toBe(maximumLineFils);
});

const half = {
  name: 'seniors',
  title,
  rate: 5000,
  evidence: { kind: 'age' as const, from: 60 },
};
const exempt = {
  name: 'determination',
  title,
  rate: 10_000,
  evidence: { kind: 'document' as const, title },
};
const amountOf = fc.oneof(fc.nat(2000), fc.nat(maximumLineFils));
const feeOf = fc.record({
  amount: amountOf,
  vatRate: fc.constantFrom(0, 500, 1333),
  units: fc.option(
    fc.oneof(
      fc.nat(50),
      fc.nat(5_000_000),
      fc.nat(400_000).map((n) => n / 1000),
    ),
  ),
});

test('a percentage of an answered amount, within its limits, is rounded half up and never negative', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.nat(5000), fc.nat(maximumLineFils)),
      fc.integer({ min: 1, max: 10_000 }),
      fc.nat(100_000),
      fc.option(fc.nat(10_000_000)),
      fc.constantFrom(0, 500),
      (of, rate, amount, above, vatRate) => {
        const maximum = above === null ? undefined : amount + above;
        const rule = { name: 'share', title, amount, vatRate, percentOf: 'price', rate, maximum };
        expect(isPercentageComplete(rule)).toBe(true);
        const { lines } = quoteFees([rule], { holds: () => true, valueOf: () => of });
        const whole = exactly(BigInt(of) * BigInt(rate), 10_000n);
        const limited = Math.min(Math.max(whole, amount), maximum ?? maximumLineFils);
        expect(lines).toMatchObject([
          {
            amount: limited,
            vat: exactly(BigInt(limited) * BigInt(vatRate), 10_000n),
            percentage: { of, rate, isLimited: whole !== limited },
          },
        ]);
        expect(lines[0]!.amount).toBeGreaterThanOrEqual(amount);
      },
    ),
  );
});

test('a percentage costs nothing without a valid amount, and everybody knows that it varies', () => {
  const share = { name: 'share', title, amount: 100, vatRate: 0, percentOf: 'price', rate: 400 };
  const linesFor = (value: unknown) =>
    quoteFees([share], { holds: () => true, valueOf: () => value }).lines;
  for (const value of [undefined, 'all of it', -1]) expect(linesFor(value)).toEqual([]);
  expect(linesFor(0)).toMatchObject([{ amount: 100 }]);
  expect(quoteFees([share])).toMatchObject({ lines: [], total: 0 });
  expect(isVariableFee(share)).toBe(true);
  for (const wrong of [
    { rate: undefined },
    { percentOf: undefined },
    { per: 'copies' },
    { maximum: 99 },
  ])
    expect(isPercentageComplete({ ...share, ...wrong })).toBe(false);
});

test('fees that nobody can owe, of unknown questions or without a limit are named', () => {
  const money = (more: object) => ({
    name: 'price',
    kind: 'money' as const,
    title,
    required: true,
    ...more,
  });
  const withPrice = (more: object): ServiceForm => ({
    steps: [{ name: 'only', title, fields: [...form.steps[0]!.fields, money(more)] }],
  });
  const share = { name: 'share', title, amount: 0, vatRate: 0, percentOf: 'price', rate: 400 };
  const codes = (more: object, fee: object) =>
    listFeeProblems(withPrice(more), [{ ...share, ...fee }]).map(({ code, place }) => [
      code,
      place,
    ]);
  expect(codes({ minimum: 0, maximum: 1_000_000 }, {})).toEqual([]);
  expect(codes({ minimum: 0 }, { maximum: 5000 })).toEqual([]);
  expect(codes({ minimum: 0 }, {})).toEqual([['feePercentageUnbounded', '0.percentOf']]);
  expect(codes({ maximum: 100 }, {})).toEqual([['feePercentageUnbounded', '0.percentOf']]);
  expect(codes({ minimum: 0 }, { percentOf: 'nothing' })).toEqual([
    ['feePercentageUnknown', '0.percentOf'],
  ]);
  expect(codes({}, { percentOf: 'copies' })).toEqual([['feePercentageKind', '0.percentOf']]);
  expect(codes({}, { rate: undefined })).toEqual([['feePercentageUnusable', '0.percentOf']]);
  const hidden = { minimum: 0, maximum: 100, showWhen: { field: 'isUrgent', equals: true } };
  expect(codes(hidden, { when: { field: 'isUrgent', equals: false } })).toEqual([
    ['feeUnreachable', '0.when'],
  ]);
});

/** Half a unit up, by whole numbers only. */
const exactly = (numerator: bigint, denominator: bigint): number =>
  Number((2n * numerator + denominator) / (2n * denominator));

test('every line and its VAT are rounded half up, totals are sums, discounts keep the VAT right', () => {
  fc.assert(
    fc.property(fc.array(feeOf, { minLength: 1, maxLength: 4 }), fc.boolean(), (shapes, claims) => {
      const rules = shapes.map(({ units, ...rest }, index) => ({
        ...rest,
        name: `fee${index}`,
        title,
        ...(units === null ? {} : { per: `fee${index}` }),
      }));
      const discounts = [
        { rule: half, isClaimed: false },
        ...(claims ? [{ rule: exempt, isClaimed: true }] : []),
      ];
      const given = {
        holds: () => true,
        valueOf: (field: string) => shapes[Number(field.slice(3))]?.units,
      };
      const { lines, ...sums } = quoteFees(rules, given, { account: 'individual', discounts });
      const total = (key: 'amount' | 'vat') => lines.reduce((sum, line) => sum + line[key], 0);
      expect(sums.totalAdminstrativeFees).toBe(total('amount'));
      expect(sums.totalAdminstrativeFeesVatValue).toBe(total('vat'));
      expect(sums.total).toBe(total('amount') + total('vat'));
      for (const [index, { amount, vatRate, units }] of shapes.entries()) {
        const own = lines.filter(({ name }) => name.split(' ')[0] === `fee${index}`);
        if (units === 0) {
          expect(own).toEqual([]);
          continue;
        }
        const millionths = BigInt(Math.round((units ?? 1) * 1_000_000));
        const whole = Math.min(exactly(BigInt(amount) * millionths, 1_000_000n), maximumLineFils);
        expect(own[0]?.amount).toBe(whole);
        expect(own[0]?.vat).toBe(exactly(BigInt(whole) * BigInt(vatRate), 10_000n));
        const net = own.reduce((sum, line) => sum + line.amount, 0);
        expect(net).toBe(claims ? 0 : whole - exactly(BigInt(whole), 2n));
        expect(own.reduce((sum, line) => sum + line.vat, 0)).toBe(
          exactly(BigInt(net) * BigInt(vatRate), 10_000n),
        );
        expect(own.slice(1).every((line) => line.amount < 0 && line.vat <= 0)).toBe(true);
      }
    }),
  );
});

test('a refused claim leaves the discount that facts prove', () => {
  const fee = { name: 'fee', title, amount: 10_001, vatRate: 500 };
  const { lines, total } = quoteFees([fee], undefined, {
    discounts: [
      { rule: half, isClaimed: false },
      { rule: exempt, isClaimed: true },
    ],
  });
  expect(lines.map(({ amount, vat, discount }) => [amount, vat, discount?.state])).toEqual([
    [10_001, 500, undefined],
    [-5001, -250, 'granted'],
    [-5000, -250, 'claimed'],
  ]);
  expect(total).toBe(0);
});

test('fees of companies, fees after approval and fees without discounts', () => {
  const rules = [
    { name: 'all', title, amount: 100, vatRate: 0, isFullPrice: true },
    { name: 'firm', title, amount: 200, vatRate: 0, accounts: ['company' as const] },
    { name: 'issue', title, amount: 400, vatRate: 500, stage: 'issue' as const },
  ];
  const given = { holds: () => true, valueOf: () => undefined };
  const discounts = [{ rule: half, isClaimed: false }];
  const person = quoteFees(rules, given, { account: 'individual', discounts });
  expect([person.total, person.afterApproval?.total]).toEqual([100, 210]);
  const company = quoteFees(rules, given, { account: 'company' });
  expect([company.total, company.afterApproval?.total]).toEqual([300, 420]);
  // Without knowing who applies, only what everybody pays.
  expect(quoteFees(rules).total).toBe(100);
});

test('the highest discount counts, for persons only, by facts or by a document', () => {
  const rules = [half, exempt];
  const of = (facts: PersonFacts, documents: string[] = []) =>
    findDiscounts(rules, { facts, year: 2026, documents }).map(({ rule, isClaimed }) => [
      rule.name,
      isClaimed,
    ]);
  const old = { account: 'individual' as const, birthYear: 1960 };
  expect(of(old)).toEqual([['seniors', false]]);
  // Whether the birthday has passed is not known.
  expect(of({ ...old, birthYear: 1966 })).toEqual([]);
  expect(of(old, [evidenceName(exempt)])).toEqual([
    ['seniors', false],
    ['determination', true],
  ]);
  expect(of({ ...old, account: 'company' }, [evidenceName(exempt)])).toEqual([]);
  const citizens = { ...half, evidence: { ...half.evidence, isForCitizens: true } };
  const facts = { ...old, nationality: 'PK' };
  expect(findDiscounts([citizens], { facts, year: 2026, documents: [] })).toEqual([]);
});

test('a negative fee, a fraction of a fils and a discount above the whole are refused', () => {
  const fee = { name: 'fee', title, amount: 100, vatRate: 0 };
  expect(feeRule.safeParse(fee).success).toBe(true);
  for (const wrong of [
    { amount: -1 },
    { amount: 0.5 },
    { amount: maximumLineFils + 1 },
    { vatRate: -1 },
  ])
    expect(feeRule.safeParse({ ...fee, ...wrong }).success).toBe(false);
  expect(discountRules.safeParse([half, exempt]).success).toBe(true);
  expect(discountRules.safeParse([half, half]).success).toBe(false);
  for (const rate of [0, -5000, 10_001, 0.5])
    expect(discountRules.safeParse([{ ...half, rate }]).success).toBe(false);
});

test('a rate of 0 says nothing alone: its category goes to the line and to its discounts', () => {
  const fee = {
    name: 'ride',
    title,
    amount: 1000,
    vatRate: 0,
    vatCategory: 'exemptTransport' as const,
  };
  const rule = {
    name: 'half',
    title: { 'ar-EG': 'ن', 'en-US': 'Half', 'ur-PK': 'ن' },
    rate: 5000,
    evidence: { kind: 'age' as const, from: 60 },
  };
  const { lines } = quoteFees([fee], undefined, { discounts: [{ rule, isClaimed: false }] });
  expect(lines.map(vatCategoryOf)).toEqual(['exemptTransport', 'exemptTransport']);
  expect(
    quoteFees([{ name: 'fee', title, amount: 1, vatRate: 0 }]).lines.map(vatCategoryOf),
  ).toEqual(['outOfScope']);
  for (const category of vatCategories) {
    const treatment = vatTreatmentOf(category);
    expect([vatCategoryOf(treatment), isVatTreatment(treatment)]).toEqual([category, true]);
  }
  expect(isVatTreatment({ vatRate: 500, vatCategory: 'zeroRated' })).toBe(false);
  expect(isVatTreatment({ vatRate: 700 })).toBe(false);
});
