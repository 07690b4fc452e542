import type { Caller } from '#platform/auth/caller.ts';
import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { afterCall } from '#platform/database/calls/call-connection.ts';
import type { Database } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type {
  CalendarPreview,
  previewCalendar,
  saveCalendar,
} from '@diwan/contract/calendars/calendar-calls';
import { resolveCalendar, type AgencyCalendar } from '@diwan/contract/calendars/calendars';
import { findCalendarProblems } from '@diwan/contract/calendars/check-calendar';
import { openWorkingTime, type WorkingTime } from '@diwan/contract/calendars/working-time';
import type { BodyOf } from '@diwan/contract/wire/call';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { Catalogue } from '../services/services.actions.ts';
import { isWholeCalendar, storeCalendar, type Calendars } from './calendars.actions.ts';
import * as store from './calendars.store.ts';

/** What the calls on calendars need. */
export interface CalendarsContext {
  database: Database;
  catalogue: Catalogue;
  calendars: Calendars;
  /**
   * What a change would move; requests import this feature, so that it cannot import them. `agencyId`
   * is null where the calendar of the portal changes.
   */
  previewDueDays(
    agencyId: number | null,
    timeOf: (agencyId: number) => WorkingTime,
  ): Promise<CalendarPreview>;
}

/** The calendar of an agency that declares nothing. */
export const nothingDeclared: AgencyCalendar = { week: null, hours: null, days: [], periods: [] };

/**
 * Who may change a calendar: that of the portal administrators only, that of an agency all who may make
 * the call. Throws YouAreUnauthorized.
 */
function requireEditor(caller: Caller, agencyId: number | null): void {
  // guard: calendar of the portal (calendars)
  if (agencyId === null && !caller.roles.includes('Admin')) throw new Refusal('YouAreUnauthorized');
}

type Changed = BodyOf<typeof saveCalendar>;

/** The name of an agency. Throws NotFound. */
export function nameOfAgency(catalogue: Catalogue, agencyId: number): LocalizedText {
  const found = catalogue.agencies().find(({ item }) => item.id === agencyId);
  if (!found) throw new Refusal('NotFound');
  return found.item.name;
}

// Throws NotFound, and a ValidationRefusal.
function checkChange({ catalogue }: CalendarsContext, { agencyId, calendar }: Changed): void {
  if (agencyId !== undefined) nameOfAgency(catalogue, agencyId);
  const problems = findCalendarProblems(calendar);
  if (agencyId === undefined)
    for (const field of ['week', 'hours'] as const)
      if (calendar[field] === null) problems.push({ field, code: 'required' });
  if (problems.length > 0)
    throw new ValidationRefusal(
      problems.map(({ field, code, params = {} }) => ({
        field: `calendar.${field}`,
        code,
        params,
      })),
    );
}

const findDeclared = (rows: readonly store.DeclaredCalendar[], agencyId: number | null) =>
  rows.find((row) => row.agency_id === agencyId);

function requireVersion(
  rows: readonly store.DeclaredCalendar[],
  { agencyId = null, version }: { agencyId?: number | null | undefined; version: number },
): void {
  if ((findDeclared(rows, agencyId)?.version ?? 0) !== version)
    throw new Refusal('RecordHasChanged');
}

/**
 * What a change of a calendar would move. Throws NotFound, RecordHasChanged, YouAreUnauthorized, and a
 * ValidationRefusal.
 */
export async function preview(
  context: CalendarsContext,
  caller: Caller,
  changed: BodyOf<typeof previewCalendar>,
): Promise<CalendarPreview> {
  const agencyId = changed.agencyId ?? null;
  requireEditor(caller, agencyId);
  checkChange(context, changed);
  const rows = await store.selectDeclared(context.database);
  requireVersion(rows, changed);
  const portal = agencyId === null ? changed.calendar : findDeclared(rows, null)?.document;
  if (!portal || !isWholeCalendar(portal))
    throw new Error('The calendar of the portal is not whole');
  const times = new Map<number, WorkingTime>();
  return context.previewDueDays(agencyId, (agency) => {
    const known = times.get(agency);
    if (known) return known;
    const own = agency === agencyId ? changed.calendar : findDeclared(rows, agency)?.document;
    const time = openWorkingTime(resolveCalendar(portal, own ?? nothingDeclared));
    times.set(agency, time);
    return time;
  });
}

/**
 * Changes a calendar; the due days of open requests follow soon after. Returns its next version. Throws
 * NotFound, RecordHasChanged, YouAreUnauthorized, and a ValidationRefusal.
 */
export async function save(
  context: CalendarsContext,
  { caller, ...author }: ChangeAuthor & { caller: Caller },
  changed: Changed,
): Promise<number> {
  const { database, catalogue, calendars } = context;
  const agencyId = changed.agencyId ?? null;
  requireEditor(caller, agencyId);
  checkChange(context, changed);
  const name = agencyId === null ? undefined : nameOfAgency(catalogue, agencyId);
  const version = await inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, 'calendars');
    const rows = await store.selectDeclared(transaction);
    requireVersion(rows, changed);
    const before = findDeclared(rows, agencyId)?.document ?? nothingDeclared;
    await recordChange(
      transaction,
      { caller, ...author },
      {
        entity: 'calendar',
        entityId: agencyId ?? 'portal',
        name,
        action: 'changed',
        before: { ...before },
        after: { ...changed.calendar },
      },
    );
    return storeCalendar(transaction, agencyId, changed.calendar);
  });
  await afterCall(() => calendars.refresh());
  return version;
}
