import type { Caller } from '#platform/auth/caller.ts';
import { createTranslator, type TextValues } from '#platform/core/locale-texts.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import {
  evaluateRule,
  type EligibilityPoint,
  type EligibilityRule,
  type EligibilityState,
} from '@diwan/contract/catalogue/eligibility';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { getIdentityProfile } from '../users/users.actions.ts';
import type { CatalogueService } from './catalogue-records.ts';
import type { Catalogue } from './services.actions.ts';

const t = createTranslator('eligibility');

/**
 * The people whom a rule admits, the question that settles it (empty where only the account can),
 * and what to do otherwise (empty where the rule says nothing).
 */
interface RuleTexts {
  text: string;
  question: string;
  advice: string;
}

type RuleOf<Kind extends EligibilityRule['kind']> = Extract<EligibilityRule, { kind: Kind }>;

const joinList = (
  language: Language,
  items: readonly string[],
  type: 'conjunction' | 'disjunction',
) => new Intl.ListFormat(language, { type }).format(items);

const capitalize = (text: string) => text.slice(0, 1).toLocaleUpperCase('en-US') + text.slice(1);

function joinCountries(language: Language, codes: readonly string[]): string {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return joinList(
    language,
    codes.map((code) => names.of(code) ?? code),
    'conjunction',
  );
}

function describeAge({ from, to }: RuleOf<'age'>, language: Language): string {
  const years = (count: number | undefined) => t('age.years', language, { count: count ?? 0 });
  if (from === undefined) return t('age.to', language, { to: years(to) });
  if (to === undefined) return t('age.from', language, { from: years(from) });
  return t('age.between', language, { from: years(from), to: years(to) });
}

// Each kind of rule is a key with a `text` and a `question`.
function textAndQuestion(key: string, language: Language, values?: TextValues) {
  return {
    text: t(`${key}.text`, language, values),
    question: t(`${key}.question`, language, values),
  };
}

function describeStanding({ any }: RuleOf<'standing'>, language: Language) {
  const groups = any.map((standing) => t(`standing.groups.${standing}`, language));
  const who = any.map((standing) => t(`standing.one.${standing}`, language));
  return {
    text: capitalize(joinList(language, groups, 'conjunction')),
    question: t('standing.question', language, { who: joinList(language, who, 'disjunction') }),
  };
}

function textsOf(rule: EligibilityRule, language: Language): Pick<RuleTexts, 'text' | 'question'> {
  switch (rule.kind) {
    case 'account': {
      const account = rule.any.length > 1 ? 'both' : (rule.any[0] ?? 'individual');
      return { text: t(`account.${account}`, language), question: '' };
    }
    case 'standing':
      return describeStanding(rule, language);
    case 'nationality':
      return textAndQuestion(rule.in ? 'nationality.in' : 'nationality.notIn', language, {
        countries: joinCountries(language, rule.in ?? rule.notIn ?? []),
      });
    case 'age':
      return textAndQuestion('age', language, { age: describeAge(rule, language) });
    case 'licence':
      return rule.title
        ? textAndQuestion('licence.named', language, { title: rule.title[language] })
        : textAndQuestion('licence.trade', language);
    case 'emirate': {
      const names = rule.any.map((emirate) => t(`emirate.names.${emirate}`, language));
      return textAndQuestion('emirate', language, {
        emirates: joinList(language, names, 'disjunction'),
      });
    }
    default:
      return { text: rule.text[language], question: rule.question[language] };
  }
}

/** The texts of a rule in one language. The rule's own note takes precedence as advice. */
function describeRule(rule: EligibilityRule, language: Language): RuleTexts {
  const advice =
    rule.kind === 'account' && rule.any.length === 1
      ? t(`accountAdvice.${rule.any[0] ?? 'individual'}`, language)
      : '';
  return { ...textsOf(rule, language), advice: rule.note?.[language] ?? advice };
}

// Only the year is used, because the day of birth is not known.
const yearInDubai = (at: Date) => Number(dayInDubai(at).slice(0, 4));

/**
 * The eligibility rules of a service as texts. A deleted service is not named as the alternative.
 */
export function describeEligibility(
  catalogue: Pick<Catalogue, 'getServiceByName'>,
  service: CatalogueService,
  language: Language,
): EligibilityPoint[] {
  return service.eligibility.map((rule) => ({
    name: rule.name,
    ...describeRule(rule, language),
    ...elsewhereOf(catalogue, rule, language),
  }));
}

function elsewhereOf(
  catalogue: Pick<Catalogue, 'getServiceByName'>,
  { elsewhere }: EligibilityRule,
  language: Language,
): Pick<EligibilityPoint, 'elsewhere'> {
  if (elsewhere === undefined) return {};
  try {
    const other = catalogue.getServiceByName(elsewhere);
    return {
      elsewhere: { name: localize(other.name, language), replacedName: other.replacedName },
    };
  } catch (error) {
    if (error instanceof Refusal) return {};
    throw error;
  }
}

/** The state of each rule for a caller, by the known facts. */
export async function evaluateEligibility(
  database: Database | Transaction,
  caller: Caller,
  service: CatalogueService,
  at: Date,
): Promise<{ name: string; state: EligibilityState }[]> {
  if (service.eligibility.length === 0) return [];
  const facts = await getIdentityProfile(database, caller);
  return service.eligibility.map((rule) => ({
    name: rule.name,
    state: evaluateRule(rule, facts, yearInDubai(at)),
  }));
}

/** Throws NotEligible with the text of the first rule that the caller is known to violate. */
export function refuseIneligible(
  service: CatalogueService,
  evaluated: Awaited<ReturnType<typeof evaluateEligibility>>,
): void {
  const failed = evaluated.find(({ state }) => state === 'notMet');
  const rule = service.eligibility.find(({ name }) => name === failed?.name);
  if (rule)
    throw new Refusal('NotEligible', {
      rule: {
        'ar-EG': describeRule(rule, 'ar-EG').text,
        'en-US': describeRule(rule, 'en-US').text,
        'ur-PK': describeRule(rule, 'ur-PK').text,
      },
    });
}
