import { z } from 'zod';
import { emirates } from '../forms/emirates.ts';
import { defineCall, signedIn } from '../wire/call.ts';
import { recordIdInAddress } from '../wire/ids.ts';
import { localizedText } from '../wire/languages.ts';

/** The residence status of a person. */
export const residenceStatuses = ['citizen', 'gcc', 'resident', 'visitor'] as const;
export type ResidenceStatus = (typeof residenceStatuses)[number];
/** The kinds of account. */
export const accountKinds = ['individual', 'company'] as const;
export type AccountKind = (typeof accountKinds)[number];

const country = z.string().regex(/^[A-Z]{2}$/);
const years = z.int().min(1).max(120);
/** `note` says what to do instead; `elsewhere` is the address segment of the service that fits. */
const sharedFields = {
  name: z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/),
  note: localizedText.optional(),
  elsewhere: z.string().max(300).optional(),
};

/**
 * One condition for the use of a service. `age` is in whole years on the day, both ends included; a
 * `licence` without a title is a trade licence. Texts are generated from the data; only a
 * `statement` brings its own.
 */
export const eligibilityRule = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('account'),
    ...sharedFields,
    any: z.array(z.enum(accountKinds)).min(1),
  }),
  z.strictObject({
    kind: z.literal('standing'),
    ...sharedFields,
    any: z.array(z.enum(residenceStatuses)).min(1),
  }),
  z
    .strictObject({
      kind: z.literal('nationality'),
      ...sharedFields,
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
      ...sharedFields,
      from: years.optional(),
      to: years.optional(),
    })
    .refine(
      ({ from = 0, to = 999 }) => from <= to && (from > 0 || to < 999),
      'an age rule says from, to or both, the smaller first',
    ),
  z.strictObject({ kind: z.literal('licence'), ...sharedFields, title: localizedText.optional() }),
  z.strictObject({
    kind: z.literal('emirate'),
    ...sharedFields,
    any: z.array(z.enum(emirates)).min(1),
  }),
  z.strictObject({
    kind: z.literal('statement'),
    ...sharedFields,
    text: localizedText,
    question: localizedText,
  }),
]);
export type EligibilityRule = z.infer<typeof eligibilityRule>;

/** The rules of a service: all of them must be met. */
export const eligibilityRules = z
  .array(eligibilityRule)
  .max(12)
  .refine(
    (rules) => new Set(rules.map(({ name }) => name)).size === rules.length,
    'two rules have the same name',
  );

/** The facts about a person that are on record. `birthYear` is that of a verified Emirates ID. */
export interface PersonFacts {
  account?: AccountKind | undefined;
  nationality?: string | undefined;
  birthYear?: number | undefined;
  /** True where the company's trade licence is on record; otherwise unknown. */
  hasTradeLicence?: boolean | undefined;
}

/** The state of a rule for a person; `ask` where it is unknown. */
export const eligibilityStates = ['met', 'notMet', 'ask'] as const;
export type EligibilityState = (typeof eligibilityStates)[number];

const gulfCountries = ['SA', 'KW', 'QA', 'BH', 'OM'];
const toState = (isMet: boolean): EligibilityState => (isMet ? 'met' : 'notMet');

function evaluateAge(
  { from = 0, to = 999 }: { from?: number | undefined; to?: number | undefined },
  birthYear: number | undefined,
  year: number,
): EligibilityState {
  if (birthYear === undefined) return 'ask';
  // The birthday is unknown: it may or may not have passed this year.
  const most = year - birthYear;
  if (most < from || most - 1 > to) return 'notMet';
  return most - 1 >= from && most <= to ? 'met' : 'ask';
}

function evaluateResidence(
  any: readonly ResidenceStatus[],
  nationality: string | undefined,
): EligibilityState {
  if (nationality === undefined) return any.length === residenceStatuses.length ? 'met' : 'ask';
  if (nationality === 'AE') return toState(any.includes('citizen'));
  if (gulfCountries.includes(nationality) && any.includes('gcc')) return 'met';
  // A nationality does not say whether a person lives in the country.
  return any.includes('resident') || any.includes('visitor')
    ? any.includes('resident') && any.includes('visitor')
      ? 'met'
      : 'ask'
    : 'notMet';
}

/** The state of one rule, given the known facts. `year` is that of the day in Asia/Dubai. */
export function evaluateRule(
  rule: EligibilityRule,
  facts: PersonFacts,
  year: number,
): EligibilityState {
  switch (rule.kind) {
    case 'account':
      return facts.account === undefined ? 'ask' : toState(rule.any.includes(facts.account));
    case 'standing':
      return evaluateResidence(rule.any, facts.nationality);
    case 'nationality':
      return facts.nationality === undefined
        ? 'ask'
        : toState(
            rule.in
              ? rule.in.includes(facts.nationality)
              : !rule.notIn?.includes(facts.nationality),
          );
    case 'age':
      return evaluateAge(rule, facts.birthYear, year);
    case 'licence':
      return rule.title === undefined && facts.hasTradeLicence ? 'met' : 'ask';
    default:
      return 'ask';
  }
}

/**
 * A rule as text in the reader's language: whom it admits, the yes-or-no question that decides it
 * (empty where only the account can decide), the advice when it is not met, and the service that
 * fits.
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
 * The states of a service's rules for the caller, by name. The person answers the unknown ones; the
 * answers stay in the browser.
 */
export const checkEligibility = defineCall({
  name: 'checkEligibility',
  method: 'GET',
  path: '/api/Service/CheckEligibility',
  who: signedIn,
  summary: 'The states of a service’s eligibility rules for the caller, by the known facts',
  query: z.object({ serviceId: recordIdInAddress }),
  reply: z.array(z.object({ name: z.string(), state: z.enum(eligibilityStates) })),
  refusals: ['ServiceNotFound'],
});
