import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';

/**
 * Active accounts with one of these identifiers. An address counts only where it is verified, an
 * Emirates ID only from UAE PASS.
 */
export function findPeopleByIdentifier(
  database: Database,
  name: {
    username?: string | undefined;
    email?: string | undefined;
    phoneNumber?: string | undefined;
    emiratesId?: string | undefined;
  },
) {
  return (
    database
      .selectFrom('users')
      .select([
        'id',
        'full_name',
        'full_name_ar',
        'roles',
        'language',
        'email',
        'phone_number',
        'email_verified_at',
        'phone_verified_at',
      ])
      // guard: acting for a suspended account
      .where('suspended_at', 'is', null)
      .where(({ or, eb, and }) =>
        or([
          ...(name.username ? [eb('username', '=', name.username)] : []),
          ...(name.email
            ? [
                and([
                  eb(sql<string>`lower(email)`, '=', name.email),
                  eb('email_verified_at', 'is not', null),
                ]),
              ]
            : []),
          ...(name.phoneNumber
            ? [
                and([
                  eb('phone_number', '=', name.phoneNumber),
                  eb('phone_verified_at', 'is not', null),
                ]),
              ]
            : []),
          ...(name.emiratesId ? [eb('emirates_id', '=', name.emiratesId)] : []),
        ]),
      )
      .limit(2)
      .execute()
  );
}
export type CounterPerson = Awaited<ReturnType<typeof findPeopleByIdentifier>>[number];
