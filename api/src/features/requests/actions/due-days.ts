// The days of a request by the calendar of its agency: the promised day of its service, the limit of
// its status, and the due day, which is the earlier of the two.

import type { StoredCalendar } from '#features/calendars/calendars.actions.ts';
import { getStatus, isOnHold } from '#features/workflow/workflow-rules.actions.ts';
import type { WorkingTime } from '@diwan/contract/calendars/working-time';
import { getAction, type RequestAction } from '@diwan/contract/requests/actions';
import type { Workflow } from '@diwan/contract/requests/workflow';
import type { RequestChanges, RequestRow } from '../model/requests.store.ts';
import type { RequestClock } from '../model/step-facts.store.ts';

/** What of a step changes the days. */
interface Moved {
  to: number;
  at: Date;
}

// The clock of a request stands still while it waits for the applicant, and while it is on hold.
const isClockRunning = (workflow: Workflow, statusId: number) =>
  getStatus(workflow, statusId).tone === 'progress' && !isOnHold(workflow, statusId);

// While somebody decides about an objection, the limit of that status alone is promised.
const isObjection = (workflow: Workflow, statusId: number) =>
  workflow.transitions.some(({ to, action }) => to === statusId && getAction(action).objects);

/** The day by which a request has to leave a status; null in a status without a time limit. */
function limitDayFrom(time: WorkingTime, workflow: Workflow, { to, at }: Moved): string | null {
  const { workingDays, tone } = getStatus(workflow, to);
  return workingDays !== undefined && tone === 'progress' ? time.dueDay(at, workingDays) : null;
}

const earlierDay = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one;

/** The days of a request, and the calendar by which they are counted. */
interface DueDays {
  promised_on: string | null;
  due_on: string | null;
  calendar_id: number;
}

/** The promised day and the due day of a request that is sent, paid or corrected. */
export function dueDaysFrom(
  workflow: Workflow,
  step: Moved,
  workingDays: number,
  { id, time }: StoredCalendar,
): DueDays {
  const promised =
    isClockRunning(workflow, step.to) && workingDays > 0 ? time.dueDay(step.at, workingDays) : null;
  const due = earlierDay(promised, limitDayFrom(time, workflow, step));
  return { promised_on: promised, due_on: due, calendar_id: id };
}

/**
 * The day when the promised working days end; those of holds do not count. `at` ends a hold that
 * lasts.
 */
export function promisedDay(
  time: WorkingTime,
  { begunAt, holds }: RequestClock,
  workingDays: number,
  at: Date,
): string {
  const toDate = (text: string | null) => (text === null ? null : new Date(text));
  const onHold = time.countDaysOnHold(
    holds.map((hold) => ({ begunAt: new Date(hold.begunAt), endedAt: toDate(hold.endedAt) })),
    at,
  );
  return time.dueDay(new Date(begunAt), workingDays + onHold);
}

/**
 * The days of an open request, counted again by another calendar. `enteredAt`: its last step. `at` ends
 * a hold that lasts.
 */
export function recountedDays(
  workflow: Workflow,
  row: Pick<RequestRow, 'status_id' | 'working_days' | 'promised_on'> & { enteredAt: Date },
  { clock, time, at }: { clock: RequestClock | null; time: WorkingTime; at: Date },
): Pick<DueDays, 'promised_on' | 'due_on'> {
  const limit = limitDayFrom(time, workflow, { to: row.status_id, at: row.enteredAt });
  if (isObjection(workflow, row.status_id)) return { promised_on: limit, due_on: limit };
  const promised =
    row.promised_on !== null && clock
      ? promisedDay(time, clock, row.working_days, at)
      : row.promised_on;
  return { promised_on: promised, due_on: earlierDay(promised, limit) };
}

/** The calendar that a request has, and the one that its agency has now. */
export interface RequestCalendars {
  own: WorkingTime;
  current: StoredCalendar;
}

/**
 * The days that a step changes; empty when they stay. The clock begins and continues by the calendar
 * that the agency has now. While it runs, the calendar of the request changes with a note only: see
 * `moveDueDays`.
 */
export function dueDaysAfter(
  workflow: Workflow,
  row: Pick<RequestRow, 'status_id' | 'working_days' | 'promised_on' | 'due_on'>,
  {
    clock,
    calendars: { own, current },
  }: { clock: RequestClock | null; calendars: RequestCalendars },
  step: Moved & { action: RequestAction },
): Pick<RequestChanges, keyof DueDays> {
  const { working_days: workingDays } = row;
  const { restartsClock, objects } = getAction(step.action);
  if (restartsClock || !isClockRunning(workflow, step.to))
    return dueDaysFrom(workflow, step, workingDays, current);
  if (objects) {
    const limit = limitDayFrom(current.time, workflow, step);
    return { promised_on: limit, due_on: limit, calendar_id: current.id };
  }
  if (isClockRunning(workflow, row.status_id)) {
    const next = earlierDay(row.promised_on, limitDayFrom(own, workflow, step));
    return next === row.due_on ? {} : { due_on: next };
  }
  const promised =
    clock && workingDays > 0 ? promisedDay(current.time, clock, workingDays, step.at) : null;
  return {
    promised_on: promised,
    due_on: earlierDay(promised, limitDayFrom(current.time, workflow, step)),
    calendar_id: current.id,
  };
}
