import type { Caller } from '#platform/auth/caller.ts';
import { localize } from '#platform/core/localize.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { PersonFacts } from '@diwan/contract/catalogue/eligibility';
import { findDiscounts, type FeeApplicant } from '@diwan/contract/catalogue/fees';
import type { Service } from '@diwan/contract/catalogue/services';
import type { Language } from '@diwan/contract/wire/languages';
import { getIdentityProfile } from '../users/users.actions.ts';
import type { CatalogueService } from './catalogue-records.ts';

/** What is known about a caller that fees can depend on; read only where an agency has discounts. */
export async function readDiscountFacts(
  database: Database | Transaction,
  caller: Caller,
  { agency }: CatalogueService,
): Promise<PersonFacts> {
  if (agency.discounts.length > 0) return getIdentityProfile(database, caller);
  const isCompany = caller.roles.includes('CompanyUser') && caller.companyId !== null;
  return { account: isCompany ? 'company' : 'individual' };
}

/** The applicant as the fees of a service see them, with the discounts of its agency. */
export function findApplicant(
  { agency }: CatalogueService,
  facts: PersonFacts,
  { today, documents }: { today: string; documents: readonly string[] },
): FeeApplicant {
  const year = Number(today.slice(0, 4));
  return {
    account: facts.account,
    discounts: findDiscounts(agency.discounts, { facts, year, documents }),
  };
}

/** The discounts of a service as its first screen shows them. */
export function describeDiscounts(
  { agency }: CatalogueService,
  language: Language,
): NonNullable<Service['discounts']> {
  return agency.discounts.map(({ name, title, rate, evidence }) => ({
    name,
    title: localize(title, language),
    rate,
    ...(evidence.kind === 'age'
      ? { fromAge: evidence.from, isForCitizens: evidence.isForCitizens }
      : { document: localize(evidence.title, language) }),
  }));
}
