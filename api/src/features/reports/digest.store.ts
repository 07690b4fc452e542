import type { Expression, SqlBool } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { Language } from '@diwan/contract/wire/languages';

/** Somebody who gets the summary of a day. */
export interface DigestRecipient {
  user_id: string;
  email: string;
  language: Language | null;
}

/**
 * Chooses staff and supervisors with a verified address who want the summary of the day and have not
 * been chosen for it, at most `take`. Another process that chooses the same waits for this
 * transaction and then leaves them out.
 */
export async function claimRecipients(
  transaction: Transaction,
  day: string,
  take: number,
): Promise<DigestRecipient[]> {
  const { rows } = await sql<DigestRecipient>`
    with claimed as (
      insert into staff_digests (user_id, day)
      select users.id, ${day}::date
      from users
      left join notification_settings settings
        on settings.user_id = users.id
        and settings.kind = 'digest'
      where cardinality(users.roles) > 0
        and users.roles && array['Admin', 'Employee', 'ServiceProvider']
        and users.suspended_at is null
        and users.email_verified_at is not null
        and users.email <> ''
        and coalesce(settings.by_mail, true)
        and not exists (
          select
          from staff_digests
          where user_id = users.id
            and day = ${day}::date
        )
      order by users.id
      limit ${take}
      on conflict do nothing
      returning user_id
    )
    select user_id, email, language
    from claimed
    join users on users.id = user_id`.execute(transaction);
  return rows;
}

/** What waits for a team, and what a user holds. The oldest is the first sent of those that wait. */
export interface DigestFigures {
  waiting: number;
  due_today: number;
  late: number;
  assigned: number;
  oldest_number: string | null;
  oldest_at: Date | null;
}

interface FiguresQuery {
  userId: string;
  visible: Expression<SqlBool>;
  openStatuses: readonly number[];
  waitingStatuses: readonly number[];
  today: string;
}

export async function selectDigestFigures(
  database: Database | Transaction,
  { userId, visible, openStatuses, waitingStatuses, today }: FiguresQuery,
): Promise<DigestFigures> {
  const waits = sql`${visible} and status_id = any(${waitingStatuses}::int[])`;
  const { rows } = await sql<DigestFigures>`
    select waiting, due_today, late, assigned, oldest.number as oldest_number, oldest.created_at as oldest_at
    from (
      select count(*)::int as waiting
      from requests
      where ${waits}
        and holder_id is null
    ) as unassigned
    cross join (
      select
        count(*) filter (where due_on = ${today}::date)::int as due_today,
        count(*) filter (where due_on < ${today}::date)::int as late
      from requests
      where ${visible}
        and due_on <= ${today}::date
    ) as due
    cross join (
      select count(*)::int as assigned
      from requests
      where holder_id = ${userId}
        -- guard: digest of assigned requests of another agency (digest)
        and ${visible}
        and status_id = any(${openStatuses}::int[])
    ) as own
    left join lateral (
      select number, created_at
      from requests
      where ${waits}
      order by created_at, id
      limit 1
    ) as oldest on true`.execute(database);
  const [row] = rows;
  if (!row) throw new Error('The database returned no figures');
  return row;
}

/** Deletes what is known of the days before. */
export async function deleteOldDigests(database: Database, before: string): Promise<void> {
  await sql`
    delete from staff_digests
    where day < ${before}::date`.execute(database);
}
