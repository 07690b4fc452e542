import { createTranslator } from '#platform/core/locale-texts.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { insertHubEvents } from '#platform/hubs/hub-events.store.ts';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import { eventsOfTransfer } from '../actions/request-hubs.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import * as store from './move-agencies.store.ts';

type MovingContext = Pick<RequestsContext, 'database' | 'workflow' | 'now' | 'announce'>;

/** Requests that one transaction moves: it holds their locks for some milliseconds. */
const atOnce = 200;

const t = createTranslator('request-history');
const isolate = (text: string) => `\u2068${text}\u2069`;

const noteOf = ({ from_name: from, to_name: to }: store.StrayRequest) =>
  Object.fromEntries(
    languages.map((language) => [
      language,
      t('transferred', language, { from: isolate(from[language]), to: isolate(to[language]) }),
    ]),
  ) as LocalizedText;

/** Moves some open requests of a service to its agency. Returns how many. */
function moveSome(
  { database, workflow, now, announce }: MovingContext,
  serviceId: number,
  maximum = atOnce,
): Promise<number> {
  return inTransaction(database, async (transaction) => {
    const requests = await store.lockStray(transaction, serviceId, maximum);
    if (requests.length === 0) return 0;
    await store.storeMoved(transaction, requests);
    await store.insertTransfers(transaction, requests, { at: now(), messageOf: noteOf });
    const events = [];
    for (const request of requests)
      events.push(
        ...eventsOfTransfer(await workflow.get(request.workflow_id, transaction), {
          id: request.id,
          userId: request.user_id,
          companyId: request.company_id,
          serviceId,
          statusId: request.status_id,
          from: request.from_id,
          to: request.to_id,
        }),
      );
    await insertHubEvents(events)?.execute(transaction);
    transaction.afterCommit(() => announce(false));
    return requests.length;
  });
}

/**
 * Moves the open requests of services that belong to another agency now: who works for it decides them.
 * What has ended stays with the agency that decided it. It goes in small transactions, and continues
 * where another process or an end of this one has left it.
 */
export async function moveAgencies(context: MovingContext): Promise<void> {
  for (const move of await store.selectMoves(context.database)) {
    while ((await moveSome(context, move.service_id)) > 0);
    await store.deleteMove(context.database, move);
  }
}
