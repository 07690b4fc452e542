import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { calendarOfRequest, dueDayByDay } from '#testing/requests/day-by-day.ts';
import { freeService, messageTexts, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  getCalendars,
  previewCalendar,
  saveCalendar,
  type DeclaredCalendar,
} from '@diwan/contract/calendars/calendar-calls';
import type { AgencyCalendar, SpecialDay } from '@diwan/contract/calendars/calendars';
import { objectToDecision } from '@diwan/contract/processing/objections';
import * as actionCalls from '@diwan/contract/requests/request-actions';
import { getRequestById } from '@diwan/contract/requests/requests';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';

const app = useTestApp();
const stage = openRequestStage(app);
let agencyId: number;

beforeAll(async () => {
  agencyId = (await stage.findService(freeService)).governmentAgency.id;
});

const name = { 'ar-EG': 'يوم الحداد', 'en-US': 'Day of mourning', 'ur-PK': 'یومِ سوگ' };
const dayOff = (from: string, until = from): SpecialDay => ({
  from,
  until,
  kind: 'holiday',
  name,
  isExpected: false,
});

async function declared(id: number | undefined): Promise<DeclaredCalendar> {
  const { body } = await app.callAs('admin', getCalendars);
  return body.calendars.find((each) => each.agencyId === id)!;
}

/** What is sent to change what an agency or, without one, the portal declares. */
async function changed(
  id: number | undefined,
  change: (calendar: AgencyCalendar) => AgencyCalendar,
) {
  const { version, calendar } = await declared(id);
  return { agencyId: id, version, calendar: change(calendar) };
}

const withDay = (day: SpecialDay) => (calendar: AgencyCalendar) => ({
  ...calendar,
  days: [...calendar.days, day],
});
const withoutDay = (from: string) => (calendar: AgencyCalendar) => ({
  ...calendar,
  days: calendar.days.filter((day) => day.from !== from),
});

async function save(id: number | undefined, change: Parameters<typeof changed>[1]): Promise<void> {
  const { status } = await app.callAs('admin', saveCalendar, { body: await changed(id, change) });
  expect(status).toBe(200);
}

const read = async (requestId: number, username = 'individual') =>
  (await stage.read(username, requestId)).body;

/** Waits until the days of a request are counted by another version of the calendar. */
async function movesOf(requestId: number, from: string | undefined): Promise<string | undefined> {
  await vi.waitFor(async () => expect((await read(requestId)).promisedBy).not.toBe(from), {
    timeout: 20_000,
    interval: 100,
  });
  return (await read(requestId)).promisedBy;
}

async function ageHistory(requestId: number, days: number): Promise<void> {
  await inTransaction(app.database, async (transaction) => {
    await sql`alter table request_history disable trigger user`.execute(transaction);
    await sql`
      update request_history
      set at = at - make_interval(days => ${days})
      where request_id = ${requestId}`.execute(transaction);
    await sql`alter table request_history enable trigger user`.execute(transaction);
  });
}

describe('a holiday that is declared after requests were sent', () => {
  it('moves their promised days with a note, and back when it is withdrawn', async () => {
    const { requestId, requestNumber } = await stage.send('individual', freeService);
    const before = await read(requestId);
    const due = before.promisedBy!;
    const change = await changed(agencyId, withDay(dayOff(due)));
    const { body: preview } = await app.callAs('admin', previewCalendar, { body: change });
    expect(preview).toMatchObject({ earlier: 0, isAtLeast: false });
    expect(preview.later).toBeGreaterThan(0);
    const own = preview.examples.find((each) => each.requestNumber === requestNumber);
    expect(own?.from ?? due).toBe(due);
    // A preview changes nothing.
    expect((await read(requestId)).promisedBy).toBe(due);

    await save(agencyId, withDay(dayOff(due)));
    const moved = await movesOf(requestId, due);
    const calendar = await calendarOfRequest(app.database, requestId);
    expect(calendar.days).toContainEqual(dayOff(due));
    expect(moved).toBe(
      dueDayByDay(calendar, new Date(before.createdAt), await workingDaysOf(requestId)),
    );
    for (const username of ['individual', 'employee']) {
      const record = await read(requestId, username);
      expect(record).toMatchObject({ version: before.version, statusId: before.statusId });
      expect(record.history).toHaveLength(2);
      expect(record.history[1]).toMatchObject({ action: 'reschedule', actorKind: 'schedule' });
    }
    for (const language of ['ar-EG', 'en-US', 'ur-PK'] as const) {
      const { body } = await app.callAs('individual', getRequestById, {
        query: { RequestId: requestId },
        language,
      });
      expect(body.history[1]?.message).toContain(name[language]);
    }

    await save(agencyId, withoutDay(due));
    expect(await movesOf(requestId, moved)).toBe(due);
    expect((await read(requestId)).history.map(({ action }) => action)).toEqual([
      'create',
      'reschedule',
      'reschedule',
    ]);
  });

  it('moves the day of a decision about an objection, which the days of the service do not count', async () => {
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    await stage.performAction('employee', actionCalls.rejectRequest, {
      requestId,
      requestHistoryRejectionReasonId: 1,
      ...messageTexts,
    });
    await stage.performAction('individual', objectToDecision, { requestId, reason: 'A mistake' });
    const due = (await read(requestId)).promisedBy!;
    await save(agencyId, withDay(dayOff(due)));
    const moved = await movesOf(requestId, due);
    expect([moved, moved! > due]).toEqual([moved, true]);
    await save(agencyId, withoutDay(due));
    expect(await movesOf(requestId, moved)).toBe(due);
  });

  it('also when it is declared for yesterday', async () => {
    const { requestId } = await stage.send('individual', freeService);
    await ageHistory(requestId, 7);
    const workingDays = await workingDaysOf(requestId);
    const sent = new Date(Date.now() - 7 * 86_400_000);
    const calendar = await calendarOfRequest(app.database, requestId);
    const due = dueDayByDay(calendar, sent, workingDays);
    await sql`
      update requests
      set promised_on = ${due}::date, due_on = ${due}::date
      where id = ${requestId}`.execute(app.database);
    // The last seven days contain a working day whatever the weekday is: all of them are off.
    const off = dayOff(dayAfter(todayInDubai(), -6), dayAfter(todayInDubai(), -1));
    await save(agencyId, withDay(off));
    expect(await movesOf(requestId, due)).toBe(
      dueDayByDay(await calendarOfRequest(app.database, requestId), sent, workingDays),
    );
    await save(agencyId, withoutDay(off.from));
    await movesOf(requestId, (await read(requestId)).promisedBy);
  });

  it('of the portal moves requests of every agency that does not work otherwise', async () => {
    const { requestId } = await stage.send('individual', freeService);
    const due = (await read(requestId)).promisedBy!;
    // The agency works on that day.
    await save(agencyId, withDay({ ...dayOff(due), kind: 'working' }));
    await save(undefined, withDay(dayOff(due)));
    await vi.waitFor(async () => {
      const { rows } = await sql<{ outdated: boolean }>`
        select superseded_at is not null as outdated
        from calendar_versions
        join requests on calendar_id = calendar_versions.id
        where requests.id = ${requestId}`.execute(app.database);
      expect(rows).toEqual([{ outdated: false }]);
    }, 20_000);
    const record = await read(requestId);
    expect(record.promisedBy).toBe(due);
    // Nothing moved, so that there is no note.
    expect(record.history).toHaveLength(1);
    await save(agencyId, withoutDay(due));
    expect(await movesOf(requestId, due)).not.toBe(due);
    await save(undefined, withoutDay(due));
  });

  it('counts for a request on hold when its clock continues', async () => {
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    const due = (await read(requestId)).promisedBy!;
    const held = { requestId, ...messageTexts, holdUntil: dayAfter(todayInDubai(), 10) };
    await stage.performAction('employee', actionCalls.holdRequest, held);
    await save(agencyId, withDay(dayOff(due)));
    await stage.performAction('employee', actionCalls.resumeRequest, { requestId });
    const record = await read(requestId);
    expect(record.promisedBy).not.toBe(due);
    expect(record.promisedBy! > due).toBe(true);
    await save(agencyId, withoutDay(due));
    await movesOf(requestId, record.promisedBy);
  });

  it('leaves requests that have ended as they were', async () => {
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    await stage.performAction('employee', actionCalls.submittedRequest, { requestId });
    const versionOf = async () =>
      (
        await app.database
          .selectFrom('requests')
          .select('calendar_id')
          .where('id', '=', requestId)
          .executeTakeFirstOrThrow()
      ).calendar_id;
    const version = await versionOf();
    const { requestId: open } = await stage.send('individual', freeService);
    const due = (await read(open)).promisedBy!;
    await save(agencyId, withDay(dayOff(due)));
    await movesOf(open, due);
    expect(await versionOf()).toBe(version);
  });
});

async function workingDaysOf(requestId: number): Promise<number> {
  const row = await app.database
    .selectFrom('requests')
    .select('working_days')
    .where('id', '=', requestId)
    .executeTakeFirstOrThrow();
  return row.working_days;
}
