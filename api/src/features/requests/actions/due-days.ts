// The days of a request: the promised day of its service, the limit of its status, and the due day,
// which is the earlier of the two.

import { getStatus, isOnHold } from '#features/workflow/workflow-rules.actions.ts';
import { calculateDueDate, workingDaysOnHold } from '#platform/core/working-days.ts';
import type { RequestAction } from '@diwan/contract/requests/actions';
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

/** The day by which a request has to leave a status; null in a status without a time limit. */
function limitDayFrom(workflow: Workflow, { to, at }: Moved): string | null {
  const { workingDays, tone } = getStatus(workflow, to);
  return workingDays !== undefined && tone === 'progress'
    ? calculateDueDate(at, workingDays)
    : null;
}

const earlierDay = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one;

/** The promised day and the due day of a request that is sent, paid or corrected. */
export function dueDaysFrom(
  workflow: Workflow,
  step: Moved,
  workingDays: number,
): { promised_on: string | null; due_on: string | null } {
  const promised =
    isClockRunning(workflow, step.to) && workingDays > 0
      ? calculateDueDate(step.at, workingDays)
      : null;
  return { promised_on: promised, due_on: earlierDay(promised, limitDayFrom(workflow, step)) };
}

/**
 * The day when the promised working days end; those of holds do not count. `at` ends a hold that
 * lasts.
 */
export function promisedDay(
  { begunAt, holds }: RequestClock,
  workingDays: number,
  at: Date,
): string {
  const toDate = (time: string | null) => (time === null ? null : new Date(time));
  const onHold = workingDaysOnHold(
    holds.map((hold) => ({ begunAt: new Date(hold.begunAt), endedAt: toDate(hold.endedAt) })),
    at,
  );
  return calculateDueDate(new Date(begunAt), workingDays + onHold);
}

/** The days that a step changes; empty when they stay. */
export function dueDaysAfter(
  workflow: Workflow,
  row: Pick<RequestRow, 'status_id' | 'working_days' | 'promised_on' | 'due_on'>,
  clock: RequestClock | null,
  step: Moved & { action: RequestAction },
): Pick<RequestChanges, 'promised_on' | 'due_on'> {
  const { working_days: workingDays } = row;
  if (step.action === 'pay' || step.action === 'update' || !isClockRunning(workflow, step.to))
    return dueDaysFrom(workflow, step, workingDays);
  const limit = limitDayFrom(workflow, step);
  if (isClockRunning(workflow, row.status_id) || workingDays === 0) {
    const next = earlierDay(row.promised_on, limit);
    return next === row.due_on ? {} : { due_on: next };
  }
  const promised = clock && promisedDay(clock, workingDays, step.at);
  return { promised_on: promised, due_on: earlierDay(promised, limit) };
}
