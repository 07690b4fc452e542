import { afterEach, describe, expect, it, vi } from 'vitest';
import { openCalendars } from '#features/calendars/calendars.actions.ts';
import { factsOfRequest, type FiguredRequest } from '#features/reports/figure-facts.ts';
import { selectFiguredRequests } from '#features/reports/fold-figures.store.ts';
import { openWorkflows } from '#features/workflow/workflows.actions.ts';
import { formatDay } from '#platform/core/localize.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { calendarOfRequest, countDayByDay, dueDayByDay } from '#testing/requests/day-by-day.ts';
import { freeService, messageTexts, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { openWorkingTime } from '@diwan/contract/calendars/working-time';
import { undoAction } from '@diwan/contract/processing/pending-actions';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import * as calls from '@diwan/contract/requests/request-actions';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { endDueHolds } from './end-holds.actions.ts';

const app = useTestApp();
const stage = openRequestStage(app);
afterEach(() => vi.useRealTimers());

type HoldBody = BodyInputOf<typeof calls.holdRequest>;
const inDays = (days: number) => dayAfter(todayInDubai(), days);

const hold = (requestId: number, more: Partial<HoldBody> = {}, username = 'employee') =>
  stage.performAction(username, calls.holdRequest, {
    requestId,
    holdUntil: inDays(10),
    ...messageTexts,
    ...more,
  });
const resume = (requestId: number, username = 'employee', more: object = {}) =>
  stage.performAction(username, calls.resumeRequest, { requestId, ...more });

async function putOnHold(more: Partial<HoldBody> = {}) {
  const { requestId } = await stage.sendAndReceive('individual', freeService);
  const { status, body } = await hold(requestId, more);
  expect(status).toBe(200);
  return { requestId, body };
}

/** Moves the clock of the server, whose jobs run on. */
const moveClock = (days: number) =>
  vi.useFakeTimers({
    toFake: ['Date'],
    now: Date.now() + days * 86_400_000,
    shouldAdvanceTime: true,
  });

const storedOf = (requestId: number) =>
  app.database
    .selectFrom('requests')
    .select(['status_id', 'version', 'hold_until', 'due_on', 'promised_on'])
    .where('id', '=', requestId)
    .executeTakeFirstOrThrow();
const stepsOf = (requestId: number) =>
  app.database
    .selectFrom('request_history')
    .select(['action', 'actor_kind'])
    .where('request_id', '=', requestId)
    .orderBy('id')
    .execute();

/** Moves every step of a request and its sending back by days, as if it had begun earlier. */
async function ageRequest(requestId: number, days: number): Promise<void> {
  await inTransaction(app.database, async (transaction) => {
    await sql`alter table request_history disable trigger user`.execute(transaction);
    await sql`
      update request_history
      set at = at - make_interval(days => ${days})
      where request_id = ${requestId}
    `.execute(transaction);
    await sql`alter table request_history enable trigger user`.execute(transaction);
  });
}

describe('a request on hold', () => {
  it('has no due date; staff and applicant read until when, and why', async () => {
    const { requestId, body } = await putOnHold();
    const onHold = { until: inDays(10), reason: messageTexts.messageEn };
    expect(body).toMatchObject({ statusName: 'On hold', onHold, allowedActions: ['resume'] });
    expect((await storedOf(requestId)).hold_until).toBe(inDays(10));
    expect(body).not.toHaveProperty('promisedBy');
    expect(body.history.at(-1)).toMatchObject({
      action: 'hold',
      holdUntil: inDays(10),
      message: messageTexts.messageEn,
    });
    const { body: own } = await stage.read('individual', requestId);
    expect(own).toMatchObject({ onHold, allowedActions: ['askToWithdraw'] });
    expect(own).not.toHaveProperty('promisedBy');
    const { body: list } = await app.callAs('employee', getRequestsByStatusId, {
      query: { StatusId: 11, Take: 50 },
    });
    expect(list.items.find((each) => each.requestId === requestId)).toMatchObject({ onHold });
  });

  it.each([
    ['ar-EG', messageTexts.messageAr],
    ['en-US', messageTexts.messageEn],
    ['ur-PK', messageTexts.messageUr],
  ] as const)('is explained to the applicant in %s', async (language, reason) => {
    const setLanguage = (chosen: Language | null) =>
      app.database
        .updateTable('users')
        .set({ language: chosen })
        .where('username', '=', 'individual')
        .execute();
    await setLanguage(language);
    const { requestId } = await putOnHold();
    await resume(requestId);
    await setLanguage(null);
    const { body } = await app.callAs('individual', getRequestMessages, {
      query: { RequestId: requestId },
    });
    const mails = body.filter(({ channel }) => channel === 'email');
    const [mail] = mails.filter(({ action }) => action === 'hold');
    expect(mail?.language).toBe(language);
    expect(mail?.text).toContain(reason);
    expect(mail?.text).toContain(formatDay(new Date(inDays(10)), language));
    expect(mails.filter(({ action }) => action === 'resume')).toHaveLength(1);
  });

  it('begins tomorrow at the earliest, lasts 180 days at most, and has a reason', async () => {
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    const errorsOf = async (more: Partial<HoldBody>) => {
      const { status, refused } = await hold(requestId, more);
      return { status, field: Object.keys(refused.errors ?? {})[0], error: refused.error };
    };
    const wrong = { status: 400, field: 'holdUntil' };
    expect(await errorsOf({ holdUntil: inDays(0) })).toMatchObject(wrong);
    expect(await errorsOf({ holdUntil: inDays(-1) })).toMatchObject(wrong);
    expect(await errorsOf({ holdUntil: inDays(181) })).toMatchObject(wrong);
    expect(await errorsOf({ holdUntil: '2027-02-30' })).toMatchObject(wrong);
    expect(await errorsOf({ messageAr: '', messageEn: '', messageUr: '' })).toMatchObject({
      status: 400,
      error: 'MessageIncomplete',
    });
    expect(await storedOf(requestId)).toMatchObject({ status_id: 4, hold_until: null });
    expect((await hold(requestId, { holdUntil: inDays(180) })).status).toBe(200);
    await resume(requestId);
    expect((await hold(requestId, { holdUntil: inDays(1) })).status).toBe(200);
    await resume(requestId);
  });

  it('is one of those who hold it: other clerks, providers and applicants are refused', async () => {
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    expect((await hold(requestId, {}, 'employee2')).refused.error).toBe('ActionNotAllowed');
    expect((await hold(requestId, {}, 'supervisor2')).refused.error).toBe('RequestNotFound');
    expect((await hold(requestId, {}, 'individual')).refused.error).toBe('YouAreUnauthorized');
    await hold(requestId);
    expect((await resume(requestId, 'employee2')).refused.error).toBe('ActionNotAllowed');
    expect((await resume(requestId, 'admin')).status).toBe(200);
  });

  it('is put there once by two clerks at the same time', async () => {
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    const answers = await Promise.all([
      hold(requestId, { version: 2 }, 'employee'),
      hold(requestId, { version: 2, holdUntil: inDays(20) }, 'admin'),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.refused.error).toBe('VersionHasChanged');
    expect((await stepsOf(requestId)).filter(({ action }) => action === 'hold')).toHaveLength(1);
  });

  it('can be undone', async () => {
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    const { body } = await hold(requestId, { version: 2, isUndoable: true });
    expect(body.heldAction).toMatchObject({ action: 'hold', isYou: true });
    await stage.performAction('employee', undoAction, { requestId, version: 2 });
    expect(await storedOf(requestId)).toMatchObject({ status_id: 4, hold_until: null });
  });
});

// The due day of a request that was on hold from the day on which it was sent until now.
async function dueAfterHold(requestId: number, sent: Date, workingDays: number): Promise<string> {
  const calendar = await calendarOfRequest(app.database, requestId);
  return dueDayByDay(calendar, sent, workingDays + countDayByDay(calendar, sent, new Date()));
}

describe('the clock', () => {
  it('stands still: the due date moves by the working days on hold', async () => {
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    const before = await storedOf(requestId);
    expect(before.due_on).not.toBeNull();
    await hold(requestId);
    expect(await storedOf(requestId)).toMatchObject({ due_on: null, promised_on: null });
    await ageRequest(requestId, 14);
    await resume(requestId);
    const { created_at: createdAt, working_days: workingDays } = await app.database
      .selectFrom('requests')
      .select(['created_at', 'working_days'])
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    const sent = new Date(createdAt.getTime() - 14 * 86_400_000);
    const { promisedBy, onHold } = (await stage.read('individual', requestId)).body;
    expect(promisedBy).toBe(await dueAfterHold(requestId, sent, workingDays));
    expect(onHold).toBeUndefined();
    expect(await storedOf(requestId)).toMatchObject({ status_id: 4, hold_until: null });
  });

  it('counts every hold since the last submission, and none of the same day', async () => {
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    const before = (await stage.read('individual', requestId)).body.promisedBy;
    for (const _ of [1, 2]) {
      await hold(requestId);
      await resume(requestId);
    }
    expect((await stage.read('individual', requestId)).body.promisedBy).toBe(before);
    for (const _ of [1, 2]) {
      await hold(requestId);
      await ageRequest(requestId, 7);
      await resume(requestId);
    }
    const { working_days: workingDays } = await app.database
      .selectFrom('requests')
      .select('working_days')
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    const sent = new Date(Date.now() - 14 * 86_400_000);
    expect((await stage.read('individual', requestId)).body.promisedBy).toBe(
      await dueAfterHold(requestId, sent, workingDays),
    );
  });

  it('counts an extended hold once', async () => {
    const { requestId } = await putOnHold();
    await ageRequest(requestId, 7);
    // A workflow may let staff extend a hold, which changes no status.
    await app.database
      .insertInto('request_history')
      .values({
        request_id: requestId,
        action: 'hold',
        from_status_id: 11,
        to_status_id: 11,
        actor_kind: 'employee',
        actor_name: '',
        at: new Date(),
        reasons: '[]',
        hold_until: inDays(20),
      })
      .execute();
    await ageRequest(requestId, 7);
    await resume(requestId);
    const { rows: holds } = await sql<{ begun_at: Date; ended_at: Date }>`
      select begun_at, ended_at
      from request_holds
      where request_id = ${requestId}
      order by history_id`.execute(app.database);
    expect(holds).toHaveLength(2);
    expect(holds[0]?.ended_at).toEqual(holds[1]?.begun_at);
    const { working_days: workingDays } = await app.database
      .selectFrom('requests')
      .select('working_days')
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    const sent = new Date(Date.now() - 14 * 86_400_000);
    expect((await stage.read('individual', requestId)).body.promisedBy).toBe(
      await dueAfterHold(requestId, sent, workingDays),
    );
  });

  it('does not run in the figures', async () => {
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    await hold(requestId);
    await ageRequest(requestId, 14);
    const sent = new Date(Date.now() - 15 * 86_400_000);
    await app.database
      .updateTable('requests')
      .set({ created_at: sent })
      .where('id', '=', requestId)
      .execute();
    await resume(requestId);
    const { status } = await stage.performAction('employee', calls.submittedRequest, { requestId });
    expect(status).toBe(200);
    const [figured] = await selectFiguredRequests(app.database, [requestId]);
    const calendar = await calendarOfRequest(app.database, requestId);
    const time = openWorkingTime(calendar);
    const [fact] = factsOfRequest(figured as FiguredRequest, time).filter(
      ({ kind }) => kind === 'done',
    );
    // It ran on the day before the hold, and since its end.
    const heldAt = new Date(Date.now() - 14 * 86_400_000);
    const ran = time.secondsBetween(sent, heldAt);
    expect(fact?.seconds).toBeGreaterThanOrEqual(ran - 60);
    expect(fact?.seconds).toBeLessThan(ran + 600);
    const worked = countDayByDay(calendar, sent, heldAt);
    expect(fact?.days_late).toBe(worked - (figured?.working_days ?? 0));
  });
});

describe('its day', () => {
  it(
    'ends the hold by the scheduler, once the day has come in Dubai',
    { timeout: 60_000 },
    async () => {
      const { requestId } = await putOnHold({ holdUntil: inDays(2) });
      const { requestId: later } = await putOnHold({ holdUntil: inDays(3) });
      moveClock(2);
      await vi.waitFor(
        async () => expect(await storedOf(requestId)).toMatchObject({ status_id: 4, version: 4 }),
        { timeout: 30_000, interval: 200 },
      );
      vi.useRealTimers();
      expect(await stepsOf(requestId)).toMatchObject([
        { action: 'create' },
        { action: 'receive' },
        { action: 'hold', actor_kind: 'employee' },
        { action: 'resume', actor_kind: 'schedule' },
      ]);
      expect((await storedOf(requestId)).due_on).not.toBeNull();
      expect(await storedOf(later)).toMatchObject({ status_id: 11 });
      const { body } = await stage.read('individual', requestId);
      expect(body.history.at(-1)).toMatchObject({ actorKind: 'schedule', actorName: '' });
      const notices = await app.database
        .selectFrom('messages')
        .select('id')
        .where('request_id', '=', requestId)
        .where('channel', '=', 'email')
        .execute();
      expect(notices.length).toBeGreaterThan(1);
    },
  );

  it('may come while the hold can still be undone', { timeout: 60_000 }, async () => {
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    const body = { holdUntil: inDays(1), version: 2, isUndoable: true };
    expect((await hold(requestId, body)).status).toBe(200);
    moveClock(1);
    await app.database
      .updateTable('held_actions')
      .set({ acts_at: sql<Date>`now()` })
      .where('request_id', '=', requestId)
      .execute();
    await vi.waitFor(
      async () =>
        expect((await stepsOf(requestId)).slice(2)).toMatchObject([
          { action: 'hold', actor_kind: 'employee' },
          { action: 'resume', actor_kind: 'schedule' },
        ]),
      { timeout: 30_000, interval: 200 },
    );
  });

  it('waits for an action that can still be undone', { timeout: 60_000 }, async () => {
    const { requestId } = await putOnHold({ holdUntil: inDays(1) });
    const pending = await resume(requestId, 'employee', { version: 3, isUndoable: true });
    expect(pending.body).toMatchObject({ heldAction: { action: 'resume' }, version: 3 });
    const failures: unknown[] = [];
    const tomorrow = new Date(Date.now() + 86_400_000);
    await endDueHolds({
      database: app.serverDatabase,
      workflow: await openWorkflows(app.database, app.config),
      calendars: await openCalendars(app.database),
      now: () => tomorrow,
      announce: () => undefined,
      reportFailure: (error: unknown) => void failures.push(error),
    } as unknown as Parameters<typeof endDueHolds>[0]);
    expect(failures).toEqual([]);
    expect(await storedOf(requestId)).toMatchObject({ status_id: 11, version: 3 });
  });
});
