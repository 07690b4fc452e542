import type { Database, Transaction } from '../platform/database/database.ts';
import { lockName } from '../platform/database/name-lock.ts';
import { seedCatalogue } from './seed-catalogue.ts';
import { readSeedFiles } from './seed-files.ts';
import { seedPeople } from './seed-people.ts';

/** The password of every demo account; a test holds it equal to the one in api/seed/people.json. */
export const demoPassword = 'DiwanDemo2026!';

async function isEmpty(transaction: Transaction): Promise<boolean> {
  const { filled } = await transaction
    .selectNoFrom(({ exists, or, selectFrom }) =>
      or([
        exists(selectFrom('services').select('id')),
        exists(selectFrom('account_types').select('id')),
        exists(selectFrom('users').select('id')),
      ]).as('filled'),
    )
    .executeTakeFirstOrThrow();
  return !filled;
}

/**
 * Fills an empty database with the demo: the catalogue, the rejection reasons and one account a
 * role. One that holds anything is left alone, and
 * of two processes one waits for the other. `report` gets a line when something was done.
 */
export async function seedDemo(database: Database, report: (line: string) => void): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockName(transaction, 'seed');
    if (!(await isEmpty(transaction))) return;
    const files = await readSeedFiles();
    await seedCatalogue(transaction, files, await seedPeople(transaction, files));
    await transaction
      .insertInto('rejection_reasons')
      .values(files.rejectionReasons.map(({ name }) => ({ name: JSON.stringify(name) })))
      .execute();
    await transaction
      .insertInto('referral_codes')
      .values(
        files.referralCodes.map(({ code, name, validUntil, mostUses }) => ({
          code,
          name: JSON.stringify(name),
          valid_from: new Date(0),
          ...(validUntil ? { valid_until: new Date(validUntil) } : {}),
          ...(mostUses ? { most_uses: mostUses } : {}),
        })),
      )
      .execute();
    report(
      `Seeded the demo: ${files.services.length} services of ${files.agencies.length} agencies, ${files.people.accounts.length} accounts`,
    );
  });
}
