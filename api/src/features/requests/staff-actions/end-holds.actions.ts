import { findHoldEnd } from '#features/workflow/workflow-rules.actions.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { dayInDubai } from '@diwan/contract/wire/days';
import { scheduleActor } from '../actions/actor.ts';
import { lockForStep, recordStep } from '../actions/step.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { visibleToEveryone } from '../model/requests.store.ts';
import { selectDueHolds } from './end-holds.store.ts';

type EndingContext = Pick<
  RequestsContext,
  'database' | 'workflow' | 'calendars' | 'notifier' | 'now' | 'announce'
>;

// Does nothing when a clerk or another process was faster, or an action on the request can still be
// undone.
function endHold(context: EndingContext, requestId: number): Promise<void> {
  return inTransaction(context.database, async (unit) => {
    const request = await lockForStep(unit, context, requestId, {
      visible: visibleToEveryone,
      userId: null,
    });
    const at = context.now();
    if (!request || request.facts.pending) return;
    const { row, workflow } = request;
    if (row.hold_until === null || row.hold_until > dayInDubai(at)) return;
    const end = findHoldEnd(workflow, row.status_id);
    if (!end) throw new Error(`Nothing ends the hold of request ${requestId}`);
    recordStep(context, unit, request, { ...end, actor: scheduleActor, at });
  });
}

/**
 * Ends the holds whose day has come in Asia/Dubai. Each is a separate transaction, which begins
 * with the lock of the request, so that several processes may do it at the same time.
 */
export async function endDueHolds(
  context: EndingContext & { reportFailure(error: unknown): void },
): Promise<void> {
  const today = dayInDubai(context.now());
  for (const requestId of await selectDueHolds(context.database, today)) {
    try {
      await endHold(context, requestId);
    } catch (error) {
      context.reportFailure(error);
    }
  }
}
