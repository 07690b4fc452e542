import { z } from 'zod';
import { defineCall, signedIn } from '../wire/call.ts';
import { localizedText } from '../wire/languages.ts';

/** The seven emirates, spelled as forms spell them. */
export const emirates = [
  'abuDhabi',
  'dubai',
  'sharjah',
  'ajman',
  'ummAlQuwain',
  'rasAlKhaimah',
  'fujairah',
] as const;
/** How a person belongs to the country. */
export const standings = ['citizen', 'gcc', 'resident', 'visitor'] as const;
export type Standing = (typeof standings)[number];
/** For whom an account acts. */
export const accountKinds = ['individual', 'company'] as const;
export type AccountKind = (typeof accountKinds)[number];

const country = z.string().regex(/^[A-Z]{2}$/);
const years = z.int().min(1).max(120);
/**
 * `note` says what to do instead, `elsewhere` is the name in addresses of the service that fits.
 */
const shared = {
  name: z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/),
  note: localizedText.optional(),
  elsewhere: z.string().max(300).optional(),
};

/**
 * One condition of who may use a service. `age` in whole years on the day, both ends included; a
 * `licence` without a title is a trade licence. Texts are made of the data; only a `statement`
 * brings its own.
 */
export const eligibilityRule = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('account'),
    ...shared,
    any: z.array(z.enum(accountKinds)).min(1),
  }),
  z.strictObject({
    kind: z.literal('standing'),
    ...shared,
    any: z.array(z.enum(standings)).min(1),
  }),
  z
    .strictObject({
      kind: z.literal('nationality'),
      ...shared,
      in: z.array(country).min(1).optional(),
      notIn: z.array(country).min(1).optional(),
    })
    .refine(
      (rule) => (rule.in === undefined) !== (rule.notIn === undefined),
      'a nationality rule says either in or notIn',
    ),
  z
    .strictObject({
      kind: z.literal('age'),
      ...shared,
      from: years.optional(),
      to: years.optional(),
    })
    .refine(
      ({ from = 0, to = 999 }) => from <= to && (from > 0 || to < 999),
      'an age rule says from, to or both, the smaller first',
    ),
  z.strictObject({ kind: z.literal('licence'), ...shared, title: localizedText.optional() }),
  z.strictObject({ kind: z.literal('emirate'), ...shared, any: z.array(z.enum(emirates)).min(1) }),
  z.strictObject({
    kind: z.literal('statement'),
    ...shared,
    text: localizedText,
    question: localizedText,
  }),
]);
export type EligibilityRule = z.infer<typeof eligibilityRule>;

/** The rules of a service: all of them must hold. */
export const eligibilityRules = z
  .array(eligibilityRule)
  .max(12)
  .refine(
    (rules) => new Set(rules.map(({ name }) => name)).size === rules.length,
    'two rules have the same name',
  );

/** What is known of a person without asking. `birthYear` is that of a proved Emirates ID. */
export interface PersonFacts {
  account?: AccountKind | undefined;
  nationality?: string | undefined;
  birthYear?: number | undefined;
  /** True where the company's trade licence is on record; nothing is known otherwise. */
  hasTradeLicence?: boolean | undefined;
}

/** How a rule stands for a person; `ask` where it is not known. */
export const eligibilityStates = ['met', 'notMet', 'ask'] as const;
export type EligibilityState = (typeof eligibilityStates)[number];

const gulf = ['SA', 'KW', 'QA', 'BH', 'OM'];
const told = (isMet: boolean): EligibilityState => (isMet ? 'met' : 'notMet');

function judgeAge(
  { from = 0, to = 999 }: { from?: number | undefined; to?: number | undefined },
  birthYear: number | undefined,
  year: number,
): EligibilityState {
  if (birthYear === undefined) return 'ask';
  // The day of birth is not known: the birthday of this year has come or has not.
  const most = year - birthYear;
  if (most < from || most - 1 > to) return 'notMet';
  return most - 1 >= from && most <= to ? 'met' : 'ask';
}

function judgeStanding(
  any: readonly Standing[],
  nationality: string | undefined,
): EligibilityState {
  if (nationality === undefined) return any.length === standings.length ? 'met' : 'ask';
  if (nationality === 'AE') return told(any.includes('citizen'));
  if (gulf.includes(nationality) && any.includes('gcc')) return 'met';
  // Whether somebody lives here, no nationality tells.
  return any.includes('resident') || any.includes('visitor')
    ? any.includes('resident') && any.includes('visitor')
      ? 'met'
      : 'ask'
    : 'notMet';
}

/** How one rule stands by what is known of a person. `year` is that of the day in Asia/Dubai. */
export function judgeRule(
  rule: EligibilityRule,
  facts: PersonFacts,
  year: number,
): EligibilityState {
  switch (rule.kind) {
    case 'account':
      return facts.account === undefined ? 'ask' : told(rule.any.includes(facts.account));
    case 'standing':
      return judgeStanding(rule.any, facts.nationality);
    case 'nationality':
      return facts.nationality === undefined
        ? 'ask'
        : told(
            rule.in
              ? rule.in.includes(facts.nationality)
              : !rule.notIn?.includes(facts.nationality),
          );
    case 'age':
      return judgeAge(rule, facts.birthYear, year);
    case 'licence':
      return rule.title === undefined && facts.hasTradeLicence ? 'met' : 'ask';
    default:
      return 'ask';
  }
}

/**
 * A rule as a person reads it, in their language: whom it admits, the yes-or-no question that
 * settles it (empty where only the account can), what to do otherwise, and the service that fits.
 */
export const eligibilityPoint = z.object({
  name: z.string(),
  text: z.string(),
  question: z.string(),
  advice: z.string(),
  elsewhere: z.object({ name: z.string(), replacedName: z.string() }).optional(),
});
export type EligibilityPoint = z.infer<typeof eligibilityPoint>;

/**
 * How the rules of a service stand for the caller, by their names. What is not known is for the
 * person to answer; the answers stay in the browser.
 */
export const checkEligibility = defineCall({
  name: 'checkEligibility',
  method: 'GET',
  path: '/api/Service/CheckEligibility',
  who: signedIn,
  summary: 'How the conditions of a service stand for the caller, by what is known of them',
  query: z.object({ serviceId: z.coerce.number().int().min(1) }),
  reply: z.array(z.object({ name: z.string(), state: z.enum(eligibilityStates) })),
  refusals: ['ServiceNotFound'],
});
