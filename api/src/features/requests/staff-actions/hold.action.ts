import { ValidationRefusal } from '#platform/core/refusals.ts';
import { maximumHoldDays } from '@diwan/contract/requests/request-actions';
import { dayAfter, dayInDubai } from '@diwan/contract/wire/days';
import { completeMessage, messageOf } from './sent-inputs.ts';
import { defineStaffAction } from './staff-action.ts';

// Throws a ValidationRefusal.
function checkDay(until: string, now: Date): void {
  const today = dayInDubai(now);
  const [earliest, latest] = [dayAfter(today, 1), dayAfter(today, maximumHoldDays)];
  if (until < earliest)
    throw new ValidationRefusal([
      { field: 'holdUntil', code: 'dateTooEarly', params: { minimum: earliest } },
    ]);
  if (until > latest)
    throw new ValidationRefusal([
      { field: 'holdUntil', code: 'dateTooLate', params: { maximum: latest } },
    ]);
}

/** Stops the clock of the request until a day. */
export const hold = defineStaffAction<'hold'>()({
  read: (body) => ({ until: body.holdUntil, message: messageOf(body) }),
  async prepare({ facts, isPending, sent: { until, message: typed }, now }) {
    // A day that was right when it was sent may have come by the time the action can no longer be undone.
    if (!isPending) checkDay(until, now);
    const message = completeMessage(typed, true, facts);
    return { message, hold: { until, reason: message } };
  },
});

/** Ends a hold before its day; the step itself clears it. */
export const resume = defineStaffAction<'resume'>()({
  read: () => undefined,
  prepare: async () => ({}),
});
