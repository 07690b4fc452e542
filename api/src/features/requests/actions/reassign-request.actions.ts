import { findStep } from '#features/workflow/workflow-rules.actions.ts';
import { nameOfCaller, type Caller } from '#platform/auth/caller.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { enqueueMessages } from '#platform/messages/message-outbox.ts';
import type { getColleagues } from '@diwan/contract/processing/assignments';
import type { ReplyOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { findColleague, selectColleagues, type Colleague } from '../model/colleagues.store.ts';
import { refuseOwnRequest } from '../model/four-eyes.ts';
import { requestUpdate } from '../model/requests.store.ts';
import { userTopic } from '../model/topics.ts';
import { visibleTo } from '../model/visibility.actions.ts';
import { listSettings, noteAssignment, noticesChanged } from '../notices/notices.actions.ts';
import { historyInsert } from '../record/request-history.store.ts';
import type { RecordContext } from '../record/request-record.actions.ts';
import { insertRequestChanged } from '../record/viewers.actions.ts';
import { actorOf } from './actor.ts';
import { actionConflict, hashAction } from './conflict-errors.ts';
import { isFinished, type ActionTarget } from './perform.actions.ts';
import { lockForStep } from './step.ts';

const t = createTranslator('request-history');
const isolate = (text: string) => `\u2068${text}\u2069`;

/**
 * The other employees of the caller's office who can hold requests, or those of `requestIds` that the
 * caller sees, by name.
 */
export async function listColleagues(
  { database }: Pick<RecordContext, 'database'>,
  caller: Caller,
  { requestIds, language }: { requestIds?: readonly number[] | undefined; language: Language },
): Promise<ReplyOf<typeof getColleagues>> {
  const rows = await selectColleagues(
    database,
    caller,
    requestIds && { ids: requestIds, visible: visibleTo(caller) },
  );
  return rows.map((row) => ({ userId: row.id, name: localizePersonName(row, language) }));
}

function messageTo(
  { links }: Pick<RecordContext, 'links'>,
  caller: Caller,
  { number }: { number: string },
  colleague: Colleague,
) {
  const language = colleague.language ?? 'ar-EG';
  return {
    kind: 'request' as const,
    channel: 'email' as const,
    recipient: colleague.email,
    language,
    subject: t('reassigned.subject', language, { number }),
    body: t('reassigned.text', language, {
      number,
      by: isolate(nameOfCaller(caller, language)),
      service: localize(colleague.service_name, language),
      link: links.make(number),
    }),
    userId: colleague.id,
  };
}

/**
 * Gives a received request to a colleague, who becomes its holder, in one transaction: its row, its
 * history and the message to the colleague. It is open to those who may put the request back. Throws
 * RequestNotFound, VersionHasChanged, ActionHeld, ActionNotAllowed, OwnCounterRequest and
 * HolderNotPossible.
 */
export async function reassign(
  context: RecordContext,
  caller: Caller,
  target: ActionTarget,
  holderId: string,
): Promise<void> {
  const { requestId, version } = target;
  const hash = hashAction(caller, version, 'reassign', holderId);
  await inTransaction(context.database, async (unit) => {
    const request = await lockForStep(unit, context, requestId, {
      visible: visibleTo(caller),
      userId: caller.userId,
    });
    if (!request) throw new Refusal('RequestNotFound');
    if (await isFinished(unit, caller, target, { ...request, hash })) return;
    const { row, workflow, facts } = request;
    const step = findStep(workflow, 'release', caller, row);
    if (!step || row.holder_id === null)
      throw await actionConflict(unit, caller, row, { workflow, action: 'release' });
    const { hasActedAtCounter } = facts;
    refuseOwnRequest(context, caller, { ...row, hasActedAtCounter, role: step.role });
    const colleague = await findColleague(unit, caller, row, holderId);
    const isOwn = context.fourEyes && colleague?.is_own_request === true;
    if (!colleague || isOwn || row.holder_id === holderId) throw new Refusal('HolderNotPossible');
    const holderSettings = await listSettings(unit, {
      userId: holderId,
      roles: ['Employee'],
    });
    const isMailed = holderSettings.some(({ kind: each, byMail }) => each === 'assigned' && byMail);
    const at = context.now();
    const { kind, id, name } = actorOf(caller, step.role);
    const holder = JSON.stringify({
      'ar-EG': localizePersonName(colleague, 'ar-EG'),
      'en-US': localizePersonName(colleague, 'en-US'),
      'ur-PK': localizePersonName(colleague, 'ur-PK'),
    });
    unit.write({
      request: requestUpdate(row.id, {
        holder_id: holderId,
        version: row.version + 1,
        updated_at: at,
      }),
      announced: insertRequestChanged(row, [noticesChanged(userTopic(holderId))]),
      noted: noteAssignment(row.id, { id, name }, holderId),
      entry: historyInsert({
        request_id: row.id,
        action: 'reassign',
        from_status_id: row.status_id,
        to_status_id: row.status_id,
        actor_kind: kind,
        actor_id: id,
        actor_name: name,
        at,
        message: holder,
        sent_hash: hash,
      }),
    });
    if (isMailed)
      unit.add((part) => enqueueMessages(part, messageTo(context, caller, row, colleague)));
    unit.afterCommit(() => context.announce());
  });
}
