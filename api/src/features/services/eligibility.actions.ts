import {
  judgeRule,
  type EligibilityPoint,
  type EligibilityRule,
  type EligibilityState,
} from '@diwan/contract/forms/eligibility';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { localize } from '../../platform/core/localize.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import { findPersonFacts } from '../users/model/person-facts.actions.ts';
import type { CatalogueService } from './catalogue-records.ts';
import { describeRule } from './eligibility-texts.ts';
import type { Catalogue } from './services.actions.ts';

// Only the year counts: the day of birth is not known.
const yearInDubai = (at: Date) => Number(dayInDubai(at).slice(0, 4));

/** The rules of a service in words. A service that fits and has left the catalogue is not named. */
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

/** How the rules stand for a caller, by what is known of them. */
export async function judgeEligibility(
  database: Database | Transaction,
  caller: Caller,
  service: CatalogueService,
  at: Date,
): Promise<{ name: string; state: EligibilityState }[]> {
  if (service.eligibility.length === 0) return [];
  const facts = await findPersonFacts(database, caller);
  return service.eligibility.map((rule) => ({
    name: rule.name,
    state: judgeRule(rule, facts, yearInDubai(at)),
  }));
}

/** Refuses whom the service is not for, as far as that is known, with the rule's own words. */
export async function refuseIneligible(
  database: Database | Transaction,
  caller: Caller,
  service: CatalogueService,
  at: Date,
): Promise<void> {
  const failed = (await judgeEligibility(database, caller, service, at)).find(
    ({ state }) => state === 'notMet',
  );
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
