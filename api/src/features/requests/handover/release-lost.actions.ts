import { findRelease } from '#features/workflow/workflow-rules.actions.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localizePersonName, type PersonNames } from '#platform/core/localize.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import { scheduleActor } from '../actions/actor.ts';
import { lockForStep, recordStep } from '../actions/step.ts';
import { markFailed } from '../model/pending-actions.store.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { visibleToEveryone } from '../model/requests.store.ts';
import * as store from './release-lost.store.ts';

type ReleasingContext = Pick<
  RequestsContext,
  'database' | 'workflow' | 'calendars' | 'notifier' | 'now' | 'announce'
>;

const t = createTranslator('request-history');

const noteOf = (holder: PersonNames, isSuspended: boolean) =>
  Object.fromEntries(
    languages.map((language) => [
      language,
      t(isSuspended ? 'released.suspended' : 'released.lost', language, {
        name: `\u2068${localizePersonName(holder, language)}\u2069`,
      }),
    ]),
  ) as LocalizedText;

// What the holder sent and can still undo fails: it was decided by somebody who may not decide.
function release(context: ReleasingContext, requestId: number): Promise<void> {
  return inTransaction(context.database, async (unit) => {
    const request = await lockForStep(unit, context, requestId, {
      visible: visibleToEveryone,
      userId: null,
    });
    if (!request) return;
    const holder = await store.findLostHolder(unit, requestId);
    const end = findRelease(request.workflow, request.row.status_id);
    if (!holder || !end) return;
    const { pending } = request.facts;
    if (pending && pending.userId !== holder.id) return;
    // guard: what an employee who lost a request can still undo (release-lost)
    if (pending) await markFailed(unit, pending.id, 'RequestNotFound');
    // The holder hears nothing more of a request that they may not see.
    const row = { ...request.row, holder_id: null };
    recordStep(
      context,
      unit,
      { ...request, row },
      {
        ...end,
        actor: scheduleActor,
        at: context.now(),
        message: noteOf(holder, holder.isSuspended),
        changes: { holder_id: null },
        isSilent: true,
      },
    );
  });
}

/**
 * Puts the requests back into the queue whose holder may no longer see them: one who is suspended, or
 * has lost the role or the agency. One in a status from which nothing is put back, such as a request on
 * hold, waits until it leaves that status. Each is a transaction that begins with the lock of the
 * request, so that several processes may do it at the same time.
 */
export async function releaseLostRequests(
  context: ReleasingContext & { reportFailure(error: unknown): void },
): Promise<void> {
  const { database, workflow } = context;
  for (const loss of await store.selectLosses(database)) {
    const groups = await store.selectLostGroups(database, loss.user_id);
    for (const group of groups) {
      if (!findRelease(await workflow.get(group.workflow_id), group.status_id)) continue;
      for (const id of await store.selectLostRequests(database, loss.user_id, group))
        await release(context, id).catch(context.reportFailure);
    }
    if (groups.length === 0) await store.deleteLoss(database, loss);
  }
}
