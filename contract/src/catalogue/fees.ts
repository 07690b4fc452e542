import { z } from 'zod';
import { condition, type Condition } from '../forms/form-conditions.ts';
import { mediaTypes, specialData, type AttachmentRule } from '../forms/forms.ts';
import { languages, localizedText, type LocalizedText } from '../wire/languages.ts';
import { chargedFils, vatOn, zeroVatCategory, type Quote } from '../wire/money.ts';
import { roundedProduct, roundedShare } from '../wire/rounding.ts';
import { accountKinds, evaluateRule, type AccountKind, type PersonFacts } from './eligibility.ts';

/** The longest title of a discount and of its document, in one language. */
export const maximumDiscountTitleLength = 120;
/** The most discounts of one agency. */
export const maximumDiscounts = 10;

const title = z.string().trim().min(1).max(maximumDiscountTitleLength);
const texts = z.strictObject({ 'ar-EG': title, 'en-US': title, 'ur-PK': title });

/**
 * What proves that a person has a right to a discount. `age`: the year of birth of the verified
 * Emirates ID, for citizens only where it says so. `document`: a file that the applicant attaches and
 * a clerk confirms; `special` where it says something about health, religion or the like.
 */
export const discountEvidence = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('age'),
    from: z.int().min(1).max(120),
    isForCitizens: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('document'),
    title: texts,
    special: z.enum(specialData).optional(),
  }),
]);

/**
 * A discount that an agency gives on the fees of all its services. `rate` is in basis points: 5000
 * takes off half, 10,000 exempts. Discounts are for persons, not for companies.
 */
export const discountRule = z.strictObject({
  name: z.string().regex(/^[a-z][a-zA-Z0-9]{0,29}$/),
  title: texts,
  rate: z.int().min(1).max(10_000),
  evidence: discountEvidence,
});
export type DiscountRule = z.infer<typeof discountRule>;

/** The discounts of an agency. */
export const discountRules = z
  .array(discountRule)
  .max(maximumDiscounts)
  .refine(
    (rules) => new Set(rules.map(({ name }) => name)).size === rules.length,
    'two discounts have the same name',
  );

/**
 * Our own field: which discounts the applicant's documents prove, by the names of the agency's rules.
 * An action that grants what was asked for needs a decision on each claimed one.
 */
export const discountDecisions = z
  .array(z.object({ rule: z.string().max(60), isGranted: z.boolean() }))
  .max(maximumDiscounts)
  .optional();
/** A discount that a person gets now; `isClaimed`: once a clerk has confirmed the document. */
export interface GivenDiscount {
  rule: DiscountRule;
  isClaimed: boolean;
}

/** The name of the attachment rule for the document of a discount. */
export const evidenceName = (rule: Pick<DiscountRule, 'name'>): string =>
  `discount${rule.name.slice(0, 1).toUpperCase()}${rule.name.slice(1)}`;

const mebibyte = 1024 * 1024;

/** The title of a discount with its percentage, in every language: "Senior citizens 50%". */
export function withRate(name: LocalizedText, rate: number): LocalizedText {
  const titles = languages.map((language) => [language, `${name[language]} ${rate / 100}%`]);
  return Object.fromEntries(titles) as LocalizedText;
}

/** The documents that applicants may attach to claim the discounts of an agency. */
export function evidenceRules(rules: readonly DiscountRule[]): AttachmentRule[] {
  return rules.flatMap((rule) =>
    rule.evidence.kind === 'document'
      ? [
          {
            name: evidenceName(rule),
            title: rule.evidence.title,
            description: withRate(rule.title, rule.rate),
            required: false,
            mediaTypes: [...mediaTypes],
            maximumBytes: 10 * mebibyte,
            maximumCount: 2,
            ...(rule.evidence.special ? { special: rule.evidence.special } : {}),
          },
        ]
      : [],
  );
}

function isProven(rule: DiscountRule, facts: PersonFacts, year: number): boolean {
  const { name, evidence } = rule;
  if (evidence.kind !== 'age') return false;
  const isOfAge = evaluateRule({ kind: 'age', name, from: evidence.from }, facts, year) === 'met';
  return isOfAge && (!evidence.isForCitizens || facts.nationality === 'AE');
}

const highest = (rules: readonly DiscountRule[]): DiscountRule | undefined =>
  rules.toSorted((one, other) => other.rate - one.rate)[0];

/**
 * The discounts of a person, in the order in which they apply. They are not added up: the highest
 * counts. One that a document claims comes after the one that is proven by facts, and takes off only
 * what it has above it, so that the proven one stays when a clerk refuses the document. `documents`
 * are the names of the attachment rules that have a file.
 */
export function findDiscounts(
  rules: readonly DiscountRule[],
  { facts, year, documents }: { facts: PersonFacts; year: number; documents: readonly string[] },
): GivenDiscount[] {
  if (facts.account !== 'individual') return [];
  const proven = highest(rules.filter((rule) => isProven(rule, facts, year)));
  const claimed = highest(
    rules.filter(
      (rule) => rule.evidence.kind === 'document' && documents.includes(evidenceName(rule)),
    ),
  );
  return [
    ...(proven ? [{ rule: proven, isClaimed: false }] : []),
    ...(claimed && claimed.rate > (proven?.rate ?? 0) ? [{ rule: claimed, isClaimed: true }] : []),
  ];
}

/** The largest amount of one line of a quote, in fils. */
export const maximumLineFils = 10_000_000_000;

/** When a fee is charged: with the application, or when the request is approved. */
export const feeStages = ['application', 'issue'] as const;

/**
 * One fee of a service: `amount` in fils without VAT, `vatRate` in basis points, `vatCategory` where it
 * is zero-rated or exempt: a rate of 0 alone is out of the scope of VAT. With `when` it is
 * charged only while the condition holds for the answers. With `per` it is charged once for each
 * unit: `per` names a number field (its value), a group (its items) or a choice of several (the
 * chosen ones). With `percentOf` it is `rate` basis points of the amount that was answered to this money
 * field, at least `amount` and at most `maximum` fils. With `finesOf` it is what its register
 * names for each fine that is paid in this field; discounts do not reduce it. With `accounts` only these
 * pay it. `stage` issue: it is charged when the request is approved, not when it is sent. `refundable`: it is paid
 * back when the request is rejected.
 * `isFullPrice`: the agency's discounts do not reduce it. `isOperatorFee`: the operator of the portal sells
 * it, also where the agency sells its other fees.
 */
export const feeRule = z.strictObject({
  name: z.string().min(1).max(60),
  title: localizedText,
  amount: chargedFils,
  vatRate: z.int().min(0).max(10_000),
  vatCategory: zeroVatCategory.optional(),
  refundable: z.boolean().optional(),
  when: condition.optional(),
  per: z.string().optional(),
  percentOf: z.string().optional(),
  finesOf: z.string().optional(),
  rate: z.int().min(1).max(10_000).optional(),
  maximum: chargedFils.optional(),
  accounts: z.array(z.enum(accountKinds)).min(1).max(2).optional(),
  stage: z.enum(feeStages).optional(),
  isFullPrice: z.boolean().optional(),
  isOperatorFee: z.boolean().optional(),
});
export type FeeRule = z.infer<typeof feeRule>;

/** Whether the parts of a fee by percentage are all there, in order, and not mixed with units. */
export const isPercentageComplete = (
  fee: Pick<FeeRule, 'amount' | 'per' | 'percentOf' | 'rate' | 'maximum'>,
): boolean =>
  fee.percentOf === undefined
    ? fee.rate === undefined && fee.maximum === undefined
    : fee.rate !== undefined && fee.per === undefined && (fee.maximum ?? Infinity) >= fee.amount;

/**
 * A line with its title in every language. Of a discount also its own title, and the clerk who decided
 * on it.
 */
export type LocalizedLine = Omit<Quote['lines'][number], 'title' | 'discount'> & {
  title: LocalizedText;
  discount?:
    | (NonNullable<Quote['lines'][number]['discount']> & {
        title: LocalizedText;
        decidedBy?: { id: string; name: string; at: string };
      })
    | undefined;
};

/** A quote with the titles of its lines in every language, as a request stores it. */
export type LocalizedQuote = Omit<Quote, 'lines' | 'afterApproval'> & {
  lines: LocalizedLine[];
  afterApproval?: { lines: LocalizedLine[]; total: number } | undefined;
};

/** What fees read from the answers to a form: `readFormAnswers` of `forms/check-answers.ts`. */
export interface FeeAnswers {
  holds(condition: Condition): boolean;
  /** The valid value of a shown field, else undefined. */
  valueOf(field: string): unknown;
}

/** A fine as its register charges it, in fils. */
export interface DueFine {
  register: string;
  number: string;
  amount: number;
}

/** Who applies, and what is due, as far as fees depend on it. */
export interface FeeApplicant {
  account?: AccountKind | undefined;
  discounts?: readonly GivenDiscount[] | undefined;
  /** The fines to pay as registers charge them, by the names of the fields. */
  fines?: ReadonlyMap<string, readonly DueFine[]> | undefined;
}

/** Whether the fee depends on the answers or on the applicant. */
export const isVariableFee = ({ when, per, percentOf, finesOf, accounts }: FeeRule): boolean =>
  [when, per, percentOf, finesOf, accounts].some((each) => each !== undefined);

function countUnits(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' && value > 0 ? value : 0;
}

/** The amount of a fee, and what of the answers it was made of; undefined when nothing is charged. */
function amountOf(
  { amount, per, percentOf, rate = 0, maximum = maximumLineFils }: FeeRule,
  answers: FeeAnswers | undefined,
): Pick<LocalizedLine, 'amount' | 'units' | 'unitAmount' | 'percentage'> | undefined {
  if (per !== undefined) {
    const units = countUnits(answers?.valueOf(per));
    if (units === 0) return undefined;
    return { amount: roundedProduct(amount, units), units, unitAmount: amount };
  }
  if (percentOf === undefined) return { amount };
  const of = answers?.valueOf(percentOf);
  if (typeof of !== 'number' || of < 0) return undefined;
  const share = roundedShare(of, rate, 10_000);
  return {
    amount: Math.min(Math.max(share, amount), maximum),
    percentage: { of, rate, isLimited: share < amount || share > maximum },
  };
}

function lineOf(fee: FeeRule, answers: FeeAnswers | undefined): LocalizedLine | undefined {
  const { name, title, vatRate, vatCategory, refundable } = fee;
  const charged = amountOf(fee, answers);
  if (!charged) return undefined;
  // No line exceeds the largest amount of a charge. A published fee cannot reach it: its question has
  // a largest value.
  const amount = Math.min(charged.amount, maximumLineFils);
  return {
    name,
    title,
    ...charged,
    amount,
    vatRate,
    vat: vatOn(amount, vatRate),
    ...(vatCategory === undefined ? {} : { vatCategory }),
    ...(refundable === undefined ? {} : { refundable }),
    ...(fee.isOperatorFee ? { isOperatorFee: true } : {}),
  };
}

/** A line for each fine that is paid. */
function fineLines(
  { name, title, vatRate, vatCategory, finesOf = '', isOperatorFee }: FeeRule,
  fines: FeeApplicant['fines'],
): LocalizedLine[] {
  return (fines?.get(finesOf) ?? []).map(({ register, number, amount }) => ({
    name: `${name} ${number}`,
    title: joinTitles(title, { 'ar-EG': number, 'en-US': number, 'ur-PK': number }),
    amount,
    vatRate,
    vat: vatOn(amount, vatRate),
    fine: { register, number },
    ...(vatCategory === undefined ? {} : { vatCategory }),
    ...(isOperatorFee ? { isOperatorFee: true } : {}),
  }));
}

const joinTitles = (one: LocalizedText, other: LocalizedText): LocalizedText => ({
  'ar-EG': `${one['ar-EG']}: ${other['ar-EG']}`,
  'en-US': `${one['en-US']}: ${other['en-US']}`,
  'ur-PK': `${one['ur-PK']}: ${other['ur-PK']}`,
});

/** A negative line for each discount; the next one takes off only what it has above the last one. */
function discountLines(line: LocalizedLine, discounts: readonly GivenDiscount[]): LocalizedLine[] {
  const { amount, vatRate, vatCategory, refundable } = line;
  let left = amount;
  return discounts.flatMap(({ rule, isClaimed }) => {
    const title = withRate(rule.title, rule.rate);
    const remaining = amount - roundedShare(amount, rule.rate, 10_000);
    const taken = left - remaining;
    if (taken <= 0) return [];
    // The VAT of the fee and its discounts is the VAT on what remains.
    const vat = vatOn(remaining, vatRate) - vatOn(left, vatRate);
    left = remaining;
    return [
      {
        name: `${line.name} ${rule.name}`,
        title: joinTitles(title, line.title),
        amount: -taken,
        vatRate,
        // Not -0, which JSON does not have.
        vat: vat === 0 ? 0 : vat,
        ...(vatCategory === undefined ? {} : { vatCategory }),
        ...(refundable === undefined ? {} : { refundable }),
        ...(line.isOperatorFee ? { isOperatorFee: true } : {}),
        discount: {
          title,
          rule: rule.name,
          of: line.name,
          evidence: rule.evidence.kind,
          state: isClaimed ? ('claimed' as const) : ('granted' as const),
        },
      },
    ];
  });
}

/** The sums of lines, in fils. */
export function sumLines(lines: readonly Pick<LocalizedLine, 'amount' | 'vat'>[]) {
  const totalAdminstrativeFees = lines.reduce((sum, line) => sum + line.amount, 0);
  const totalAdminstrativeFeesVatValue = lines.reduce((sum, line) => sum + line.vat, 0);
  return {
    totalAdminstrativeFees,
    totalAdminstrativeFeesVatValue,
    total: totalAdminstrativeFees + totalAdminstrativeFeesVatValue,
  };
}

/**
 * The quote for the fees of a service, in whole fils, by the rule of `rounding.ts`: the amount of a
 * line is `amount` times its units, or its part of an answered amount within its limits; VAT is
 * computed on each line, as on a tax invoice, and the total is the sum of the lines. A fee whose
 * condition is not met, of no unit or of no answered amount, has no line. Each discount has a line
 * for each fee that it reduces. Without answers only the fees that everybody pays are
 * quoted. Browser and server both use it.
 */
export function quoteFees(
  fees: readonly FeeRule[],
  answers?: FeeAnswers,
  { account, discounts = [], fines }: FeeApplicant = {},
): LocalizedQuote {
  const linesOf = (stage: (typeof feeStages)[number]) =>
    fees.flatMap((fee) => {
      if ((fee.stage ?? 'application') !== stage) return [];
      if (isVariableFee(fee) && !answers) return [];
      if (fee.when && !answers?.holds(fee.when)) return [];
      if (fee.accounts && (!account || !fee.accounts.includes(account))) return [];
      if (fee.finesOf !== undefined) return fineLines(fee, fines);
      const line = lineOf(fee, answers);
      if (!line) return [];
      return [line, ...(fee.isFullPrice ? [] : discountLines(line, discounts))];
    });
  const lines = linesOf('application');
  const later = linesOf('issue');
  return {
    lines,
    ...sumLines(lines),
    currency: 'AED',
    ...(later.length > 0 ? { afterApproval: { lines: later, total: sumLines(later).total } } : {}),
  };
}

/** What of the paid fees is paid back: all, those that the service marks as refundable, or nothing. */
export const withdrawalRefunds = ['full', 'part', 'none'] as const;
export type WithdrawalRefund = (typeof withdrawalRefunds)[number];

/** What of the fees of a service is paid back when an applicant withdraws before and after work begins. */
export const withdrawalRule = z.strictObject({
  beforeWork: z.enum(withdrawalRefunds),
  afterWork: z.enum(withdrawalRefunds),
});
export type WithdrawalRule = z.infer<typeof withdrawalRule>;

/** For so many days applicants can object to a decision, where a service names no other number. */
export const usualObjectionDays = 30;
export const maximumObjectionDays = 365;

/** The rule of a service that names none, and of requests that were sent before there was one. */
export const usualWithdrawalRule: WithdrawalRule = { beforeWork: 'full', afterWork: 'part' };
