import { sql } from 'kysely';
import type { AuditKind } from '@diwan/contract/people/audit';
import type { Database } from '../../../platform/database/database.ts';

export interface AuditFilter {
  username?: string | undefined;
  kind?: AuditKind | undefined;
  /** YYYY-MM-DD in Asia/Dubai. */
  day?: string | undefined;
  pageNumber: number;
  take: number;
}

/** Events, newest first, with the names of the users. */
export async function listAuditEvents(database: Database, filter: AuditFilter) {
  let events = database.selectFrom('audit_events');
  const { username, kind, day } = filter;
  if (username)
    events = events.where('audit_events.user_id', '=', ({ selectFrom }) =>
      selectFrom('users').select('users.id').where('users.username', '=', username.toLowerCase()),
    );
  if (kind) events = events.where('audit_events.kind', '=', kind);
  if (day)
    events = events.where(
      sql<boolean>`audit_events.at >= ${day}::timestamp at time zone 'Asia/Dubai'
        and audit_events.at < (${day}::timestamp + interval '1 day') at time zone 'Asia/Dubai'`,
    );
  const { count } = await events
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await events
    .leftJoin('users', 'users.id', 'audit_events.user_id')
    .select([
      'audit_events.id',
      'audit_events.at',
      'audit_events.kind',
      'audit_events.address',
      'audit_events.detail',
      'users.username',
      'users.full_name',
    ])
    .orderBy('audit_events.at', 'desc')
    .orderBy('audit_events.id', 'desc')
    .limit(filter.take)
    .offset((filter.pageNumber - 1) * filter.take)
    .execute();
  return { rows, count };
}
