import type { PersonFacts } from '@diwan/contract/forms/eligibility';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import { findFactColumns } from './person-facts.store.ts';

/**
 * What is known of a person without asking them: for whom their account acts, and what UAE PASS or
 * a proved Emirates ID has told.
 */
export async function findPersonFacts(
  database: Database | Transaction,
  caller: Caller,
): Promise<PersonFacts> {
  const isCompany = caller.roles.includes('CompanyUser') && caller.companyId !== null;
  const row = await findFactColumns(database, caller.userId);
  // 784, then the year of birth.
  const birthYear = /^784-?(\d{4})/.exec(row?.emirates_id ?? '')?.[1];
  return {
    account: isCompany ? 'company' : 'individual',
    nationality: row?.nationality ?? undefined,
    birthYear: birthYear === undefined ? undefined : Number(birthYear),
    hasTradeLicence: isCompany && row?.licence_number ? true : undefined,
  };
}
