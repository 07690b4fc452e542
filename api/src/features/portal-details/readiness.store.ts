import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';

/** What the database says about the items; each is true where it is done. */
interface StoredReadiness {
  secondFactor: boolean;
  secondAdmin: boolean;
  staff: boolean;
  agency: boolean;
  category: boolean;
  rejectionReasons: boolean;
  documentTypes: boolean;
  service: boolean;
  mailTried: boolean;
  legalTexts: boolean;
  seller: boolean;
  isFirstDayHidden: boolean;
}

/** Reads all of them together. Legal texts are done when the operator and the controller are named. */
export async function selectReadiness(database: Database): Promise<StoredReadiness> {
  const { rows } = await sql<StoredReadiness>`
    with admins as (
      select users.id
      from users
      where 'Admin' = any (users.roles)
        and users.suspended_at is null
    )
    select
      not exists (
        select
        from admins
        where not exists (
          select
          from second_factors
          where second_factors.user_id = admins.id
            and second_factors.secret is not null
        )
      ) as "secondFactor",
      (select count(*) from admins) > 1 as "secondAdmin",
      exists (
        select
        from users
        where 'Employee' = any (users.roles)
          and users.suspended_at is null
      ) as staff,
      exists (select from agencies where retired_at is null) as agency,
      exists (select from categories where retired_at is null) as category,
      exists (select from rejection_reasons where retired_at is null) as "rejectionReasons",
      exists (select from attachment_types where retired_at is null) as "documentTypes",
      exists (select from services where deleted_at is null) as service,
      exists (select from messages where channel = 'email' and state = 'sent') as "mailTried",
      (
        select count(*)
        from text_overrides
        where noun = 'static'
          and key in ('terms.operator.text', 'privacy.controller.text')
          and texts <> '{}'
      ) = 2 as "legalTexts",
      exists (select from sellers where agency_id is null) as seller,
      exists (
        select from portal_details where first_day_hidden_at is not null
      ) as "isFirstDayHidden"
  `.execute(database);
  return rows[0] as StoredReadiness;
}

/** Hides the list of the first day; false where it was hidden before. */
export async function hideFirstDay(transaction: Transaction, at: Date): Promise<boolean> {
  const row = await transaction
    .insertInto('portal_details')
    .values({ content: '{}', version: 0, first_day_hidden_at: at })
    .onConflict((conflict) =>
      conflict
        .column('is_only')
        .doUpdateSet({ first_day_hidden_at: at })
        .where('portal_details.first_day_hidden_at', 'is', null),
    )
    .returning('version')
    .executeTakeFirst();
  return row !== undefined;
}
