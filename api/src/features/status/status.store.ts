import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { IncidentState, StatusPart } from '@diwan/contract/content/status';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'incidents.part': StatusPart;
    'incidents.state': IncidentState;
  }
}

export interface IncidentRow {
  part: StatusPart;
  state: IncidentState;
  began_at: Date;
  ended_at: Date | null;
}

/** What a process saw of a part that does not work as usual: since when, and when last. */
export interface Sighting {
  part: StatusPart;
  state: IncidentState;
  beganAt: Date;
  seenAt: Date;
}

/**
 * Records what a process saw. A part has one open incident, whichever processes report it, and one
 * that ended less than `quietMinutes` before goes on.
 */
export async function recordSightings(
  database: Database,
  sightings: readonly Sighting[],
  quietMinutes: number,
): Promise<void> {
  await sql`
    with seen as (
      select *
      from unnest(
        ${sightings.map(({ part }) => part)}::text[],
        ${sightings.map(({ state }) => state)}::text[],
        ${sightings.map(({ beganAt }) => beganAt)}::timestamptz[],
        ${sightings.map(({ seenAt }) => seenAt)}::timestamptz[]
      ) as each (part, state, began_at, seen_at)
    ),
    known as (
      update incidents
      set state = case
          when 'down' in (incidents.state, seen.state) then 'down'
          else seen.state
        end,
        began_at = least(incidents.began_at, seen.began_at),
        seen_at = greatest(incidents.seen_at, seen.seen_at),
        ended_at = null
      from seen
      where incidents.id = (
        select max(id)
        from incidents as last
        where last.part = seen.part
          and last.seen_at >= seen.began_at - make_interval(mins => ${quietMinutes})
      )
      returning incidents.part
    )
    insert into incidents (part, state, began_at, seen_at)
    select part, state, began_at, seen_at
    from seen
    where part not in (
      select part
      from known
    )
    on conflict (part) where ended_at is null do update
    set seen_at = greatest(incidents.seen_at, excluded.seen_at)`.execute(database);
}

/** Ends the incidents that no process has seen since. */
export async function endUnseen(database: Database, before: Date): Promise<void> {
  await sql`
    update incidents
    set ended_at = seen_at
    where ended_at is null
      and seen_at < ${before}`.execute(database);
}

/** The incidents since a time, the newest first. */
export async function selectIncidents(database: Database, since: Date): Promise<IncidentRow[]> {
  const { rows } = await sql<IncidentRow>`
    select part, state, began_at, ended_at
    from incidents
    where seen_at >= ${since}
    order by began_at desc, id desc
    limit 200`.execute(database);
  return rows;
}

/** The payment providers that payments may use. */
export async function selectEnabledProviders(database: Database): Promise<PaymentProviderName[]> {
  const rows = await database
    .selectFrom('payment_providers')
    .select('name')
    .where('is_enabled', '=', true)
    .execute();
  return rows.map(({ name }) => name);
}

/** Whether documents have waited for the scanner for longer than `minutes`. */
export async function hasLateScans(database: Database, minutes: number): Promise<boolean> {
  const { rows } = await sql<{ late: boolean }>`
    select exists (
      select
      from attachments
      where scan_state = 'waiting'
        and uploaded_at < now() - make_interval(mins => ${minutes})
    ) as late`.execute(database);
  return rows[0]?.late ?? false;
}

/**
 * Whether mails or SMS do not arrive: several fail at the gateway while fewer leave, or nobody has
 * tried those that are due for `minutes`.
 */
export async function hasLateMessages(database: Database, minutes: number): Promise<boolean> {
  const { rows } = await sql<{ late: boolean }>`
    select coalesce(bool_or(failing >= 3 and failing > sent or overdue > 0), false) as late
    from unnest(array['email', 'sms']) as channel
    cross join lateral (
      select count(*) filter (where tries > 0) as failing,
        count(*) filter (where tries = 0 and due_at < now() - make_interval(mins => ${minutes}))
          as overdue
      from messages
      where state = 'waiting'
        and messages.channel = channel.channel
    ) as waiting
    cross join lateral (
      select count(*) as sent
      from messages
      where state = 'sent'
        and messages.channel = channel.channel
        and ended_at > now() - make_interval(mins => ${minutes})
    ) as done`.execute(database);
  return rows[0]?.late ?? false;
}
