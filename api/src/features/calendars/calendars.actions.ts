import type { Database, Transaction } from '#platform/database/database.ts';
import {
  resolveCalendar,
  type AgencyCalendar,
  type Calendar,
} from '@diwan/contract/calendars/calendars';
import { openWorkingTime, type WorkingTime } from '@diwan/contract/calendars/working-time';
import * as store from './calendars.store.ts';

/** A version of a calendar, and the counting by it. */
export interface StoredCalendar {
  id: number;
  calendar: Calendar;
  createdAt: Date;
  time: WorkingTime;
}

/** The calendars in memory. A request keeps the version that it was sent under. */
export interface Calendars {
  /** The calendar of an agency; with null that of the portal. */
  current(agencyId: number | null): StoredCalendar;
  /**
   * The counting by a version. Pass the current transaction, if there is one: many transactions that
   * each need a second connection would exhaust the pool.
   */
  get(calendarId: number, transaction?: Transaction): Promise<WorkingTime>;
  /** Changes with every change of a calendar. */
  version(): number;
  /** Reads the current calendars again; other processes may have changed them. */
  refresh(): Promise<void>;
}

const open = ({ id, document, created_at }: store.CalendarVersion): StoredCalendar => ({
  id,
  calendar: document,
  createdAt: created_at,
  time: openWorkingTime(document),
});

/** The counting by each of some versions, read from the database. */
export async function readWorkingTimes(
  database: Database | Transaction,
  ids: readonly number[],
): Promise<(calendarId: number) => WorkingTime> {
  const rows = await store.selectVersions(database, [...new Set(ids)]);
  const times = new Map(rows.map((row) => [row.id, open(row).time]));
  return (calendarId) => {
    const time = times.get(calendarId);
    if (!time) throw new Error(`There is no calendar ${calendarId}`);
    return time;
  };
}

/** Reads the current calendars into memory. */
export async function openCalendars(database: Database | Transaction): Promise<Calendars> {
  // Versions never change, and there are a few a year.
  const times = new Map<number, WorkingTime>();
  let current = new Map<number | null, StoredCalendar>();
  async function refresh(): Promise<void> {
    const known = new Map([...current.values()].map((each) => [each.id, each]));
    const rows = await store.selectCurrentVersions(database);
    current = new Map(rows.map((row) => [row.agency_id, known.get(row.id) ?? open(row)]));
    for (const { id, time } of current.values()) times.set(id, time);
  }
  await refresh();
  return {
    current(agencyId) {
      const found = current.get(agencyId) ?? current.get(null);
      if (!found) throw new Error('The portal has no calendar');
      return found;
    },
    async get(calendarId, transaction) {
      const known = times.get(calendarId);
      if (known) return known;
      const time = (await readWorkingTimes(transaction ?? database, [calendarId]))(calendarId);
      times.set(calendarId, time);
      return time;
    },
    version: () => Math.max(...[...current.values()].map(({ id }) => id)),
    refresh,
  };
}

/** Whether a calendar declares everything, as the portal's does. */
export const isWholeCalendar = (declared: AgencyCalendar): declared is Calendar =>
  declared.week !== null && declared.hours !== null;

/**
 * Stores what the portal (null) or an agency declares, and the versions that follow: a change of the
 * portal's calendar makes a version of each agency that declares something. Returns the number of its
 * changes. The transaction holds the lock `calendars`.
 */
export async function storeCalendar(
  transaction: Transaction,
  agencyId: number | null,
  declared: AgencyCalendar,
): Promise<number> {
  const rows = await store.selectDeclared(transaction);
  const others = rows.filter((row) => row.agency_id !== agencyId);
  const portal =
    agencyId === null ? declared : others.find((row) => row.agency_id === null)?.document;
  if (!portal || !isWholeCalendar(portal))
    throw new Error('The calendar of the portal is not whole');
  const resolve = (agency: number, own: AgencyCalendar) => ({
    agency_id: agency,
    document: resolveCalendar(portal, own),
  });
  // The first calendar of an agency also ends the version of the portal that its requests have.
  const isFirst = agencyId !== null && rows.length === others.length;
  await store.replaceVersions(transaction, [
    ...(agencyId === null || isFirst ? [{ agency_id: null, document: portal }] : []),
    ...(agencyId === null
      ? others.flatMap((row) =>
          row.agency_id === null ? [] : resolve(row.agency_id, row.document),
        )
      : [resolve(agencyId, declared)]),
  ]);
  return store.storeDeclared(transaction, agencyId, declared);
}
