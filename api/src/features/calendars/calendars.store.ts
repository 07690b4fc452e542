import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { AgencyCalendar, Calendar } from '@diwan/contract/calendars/calendars';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    /** That of the portal is a whole `Calendar`. */
    'calendars.document': AgencyCalendar;
    'calendar_versions.document': Calendar;
  }
}

/** A version of a calendar; `agency_id` is null for the portal's. */
export interface CalendarVersion {
  id: number;
  agency_id: number | null;
  document: Calendar;
  created_at: Date;
}

const versionColumns = ['id', 'agency_id', 'document', 'created_at'] as const;

/** The versions that hold now. */
export function selectCurrentVersions(
  database: Database | Transaction,
): Promise<CalendarVersion[]> {
  return database
    .selectFrom('calendar_versions')
    .select(versionColumns)
    .where('superseded_at', 'is', null)
    .execute();
}

export function selectVersions(
  database: Database | Transaction,
  ids: readonly number[],
): Promise<CalendarVersion[]> {
  return database
    .selectFrom('calendar_versions')
    .select(versionColumns)
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .execute();
}

/** What is declared of a calendar, with the number of its changes. */
export interface DeclaredCalendar {
  agency_id: number | null;
  document: AgencyCalendar;
  version: number;
}

const declaredColumns = ['agency_id', 'document', 'version'] as const;

export function selectDeclared(database: Database | Transaction): Promise<DeclaredCalendar[]> {
  return database.selectFrom('calendars').select(declaredColumns).execute();
}

/** Stores what is declared of a calendar, as its next version. */
export async function storeDeclared(
  transaction: Transaction,
  agencyId: number | null,
  document: AgencyCalendar,
): Promise<number> {
  const values = { document: JSON.stringify(document), changed_at: new Date() };
  const { version } = await transaction
    .insertInto('calendars')
    .values({ agency_id: agencyId, ...values })
    .onConflict((conflict) =>
      conflict
        .column('agency_id')
        .doUpdateSet((row) => ({ ...values, version: row('calendars.version', '+', 1) })),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** Ends the current versions of some calendars, and inserts those that follow. */
export async function replaceVersions(
  transaction: Transaction,
  versions: readonly Pick<CalendarVersion, 'agency_id' | 'document'>[],
): Promise<void> {
  for (const { agency_id: agencyId, document } of versions) {
    await transaction
      .updateTable('calendar_versions')
      .set({ superseded_at: new Date() })
      .where(sql<boolean>`agency_id is not distinct from ${agencyId}::int`)
      .where('superseded_at', 'is', null)
      .execute();
    await transaction
      .insertInto('calendar_versions')
      .values({ agency_id: agencyId, document: JSON.stringify(document) })
      .execute();
  }
}
