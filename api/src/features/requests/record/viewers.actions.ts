import { getActor, isPortalStaff, isStaff, type Caller } from '#platform/auth/caller.ts';
import { localizePersonName } from '#platform/core/localize.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { insertHubEvents, type HubEvent } from '#platform/hubs/hub-events.store.ts';
import { everyHub } from '#platform/hubs/hub-events.ts';
import type { Following } from '#platform/hubs/hubs.ts';
import type { getRequestViewers } from '@diwan/contract/requests/requests';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { listsChanged, requestChanged, viewersChanged } from '@diwan/contract/wire/hubs';
import type { Language } from '@diwan/contract/wire/languages';
import {
  agencyTopic,
  companyTopic,
  requestTopic,
  staffTopic,
  userTopic,
  workTopic,
} from '../model/topics.ts';
import { getVisibleRequest, visibleTo } from '../model/visibility.actions.ts';
import * as store from './viewers.store.ts';

/**
 * The event that tells the staff of an agency, and of its teams those of a service, to read their lists
 * again, where no event of the counts does.
 */
export const listsChangedOf = (agencyId: number, serviceId: number): HubEvent => ({
  hub: everyHub,
  event: listsChanged,
  audiences: [staffTopic, agencyTopic(agencyId), workTopic(agencyId, serviceId)],
});

/**
 * The write that tells those who have a request open, its owner, and the lists of the staff that it
 * has changed. `id` is undefined for a new request.
 */
export function insertRequestChanged(
  request: {
    id?: number | undefined;
    agency_id: number;
    service_id: number;
    user_id: string;
    company_id: number | null;
  },
  further: readonly HubEvent[] = [],
): Sql | undefined {
  const { id, user_id: userId, company_id: companyId } = request;
  return insertHubEvents([
    changeOf({ id, userId, companyId }),
    listsChangedOf(request.agency_id, request.service_id),
    ...further,
  ]);
}

/** The event of `insertRequestChanged`. */
export function changeOf({
  id,
  userId,
  companyId,
}: {
  id: number | undefined;
  userId: string;
  companyId: number | null;
}) {
  return {
    hub: everyHub,
    event: requestChanged,
    audiences: [
      ...(id === undefined ? [] : [requestTopic(id)]),
      companyId === null ? userTopic(userId) : companyTopic(companyId),
    ],
  };
}

async function announceViewers(
  transaction: Transaction,
  requestIds: readonly number[],
): Promise<void> {
  if (requestIds.length === 0) return;
  await insertHubEvents([
    { hub: everyHub, event: viewersChanged, audiences: requestIds.map(requestTopic) },
  ])?.execute(transaction);
}

/** Who has which request open, by the connections of this process. */
export interface Viewers extends Following {
  /** Keeps the rows of this process, and removes those of processes that died. */
  renew(): Promise<void>;
}

/** Opens the store of the requests that users have open. Applicants follow, and are not shown. */
export function openViewers(database: Database, announce: () => void): Viewers {
  const connections = new Map<
    string,
    { id: string; userId: string; requestIds: readonly number[] }
  >();

  async function replace(id: string, userId: string, requestIds: readonly number[]): Promise<void> {
    await inTransaction(database, async (transaction) => {
      const viewer = { connectionId: id, userId };
      await announceViewers(
        transaction,
        await store.replaceViewed(transaction, viewer, requestIds),
      );
    });
  }

  return {
    async follow(id, caller, asked) {
      const requestIds = await store.selectVisibleIds(database, asked, visibleTo(caller));
      if (isStaff(caller)) {
        const { userId } = getActor(caller);
        connections.set(id, { id, userId, requestIds });
        await replace(id, userId, requestIds);
      }
      return requestIds.map(requestTopic);
    },
    async end(id) {
      const viewed = connections.get(id);
      connections.delete(id);
      if (viewed) await replace(id, viewed.userId, []);
    },
    async renew() {
      await store.renewViewed(database, connections.values());
      const isChanged = await inTransaction(database, async (transaction) => {
        const ids = await store.deleteExpired(transaction);
        await announceViewers(transaction, ids);
        return ids.length > 0;
      });
      if (isChanged) announce();
    },
  };
}

/**
 * Who else has a request open. A service provider sees the people of their own company only. Throws
 * RequestNotFound.
 */
export async function listViewers(
  { database }: { database: Database },
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<ReplyOf<typeof getRequestViewers>> {
  await getVisibleRequest(database, caller, requestId);
  const partnerId = isPortalStaff(caller) ? undefined : (caller.partnerId ?? -1);
  const rows = await store.selectViewers(database, requestId, partnerId);
  return rows
    .filter(({ user_id: id }) => id !== getActor(caller).userId)
    .map((row) => ({ name: localizePersonName(row, language), since: row.since.toISOString() }));
}
