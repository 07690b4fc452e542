import { hashPassword } from '../features/users/users.actions.ts';
import type { Transaction } from '../platform/database/database.ts';
import { resolve, type SeedFiles } from './seed-files.ts';

type People = SeedFiles['people'];

// One by one, because rows of one insert have nothing but their place to tell whose id is whose.
async function insertNamed(
  transaction: Transaction,
  table: 'companies' | 'partners',
  list: People['companies'] | People['partners'],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const { key, name } of list) {
    const { id } = await transaction
      .insertInto(table)
      .values({ name: JSON.stringify(name) })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(key, id);
  }
  return ids;
}

/**
 * Companies, partners and one account a role. Answers which partner provides the services of an
 * agency, by the agency's slug.
 */
export async function seedPeople(
  transaction: Transaction,
  { people, agencies }: SeedFiles,
): Promise<Map<string, number>> {
  const companyIds = await insertNamed(transaction, 'companies', people.companies);
  const partnerIds = await insertNamed(transaction, 'partners', people.partners);
  const rows = await Promise.all(
    people.accounts.map(async (account) => ({
      username: account.username,
      password_hash: await hashPassword(people.password),
      full_name: account.fullName,
      phone_number: account.phoneNumber,
      email: account.email,
      emirates_id: account.emiratesId,
      email_verified_at: new Date(),
      phone_verified_at: new Date(),
      roles: account.roles,
      company_id: account.company ? resolve(companyIds, account.company, 'the company') : null,
      partner_id: account.partner ? resolve(partnerIds, account.partner, 'the partner') : null,
      is_company_manager: account.company !== undefined,
    })),
  );
  await transaction.insertInto('users').values(rows).execute();

  const slugs = new Map(agencies.map(({ slug }) => [slug, slug]));
  return new Map(
    people.partners.flatMap(({ key, agencies: served }) =>
      served.map(
        (slug) =>
          [resolve(slugs, slug, 'the agency'), resolve(partnerIds, key, 'the partner')] as const,
      ),
    ),
  );
}
