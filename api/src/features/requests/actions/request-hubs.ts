import {
  groupUpdated,
  presenceHub,
  requestHub,
  type RequestEvent,
} from '@diwan/contract/wire/hubs';
import type { Workflow } from '@diwan/contract/requests/workflow';
import type { Transaction } from '../../../platform/database/database.ts';
import type { Hub } from '../../../platform/hubs/hubs.ts';
import { writeNews } from '../../../platform/hubs/hub-news.ts';
import { seesAll, type Caller } from '../../../platform/auth/session.ts';
import { countGroup } from '../workflow/workflow.ts';

const staff = 'staff';
const partnerAudience = (partnerId: number) => `partner:${partnerId}`;

function partnerOf(caller: Caller): string | undefined {
  return caller.roles.includes('ServiceProvider') && caller.partnerId !== null
    ? partnerAudience(caller.partnerId)
    : undefined;
}

/**
 * Who hears what: each person the changes of the counts that they see. Source: specification §6,
 * §7.
 */
export const requestHubs: readonly Hub[] = [
  { path: presenceHub, audienceOf: partnerOf },
  { path: requestHub, audienceOf: (caller) => (seesAll(caller) ? staff : partnerOf(caller)) },
];

/**
 * What a move did to the counts of clerks or of its provider; `from` is null for a request that
 * begins. Source: specification §4.
 */
function eventsOfMove(
  workflow: Workflow,
  from: number | null,
  to: number,
  whose: 'staff' | 'provider',
): RequestEvent[] {
  const left = from === null ? undefined : countGroup(workflow, from, whose);
  const entered = countGroup(workflow, to, whose);
  if (left === entered) return [];
  const events: RequestEvent[] = [];
  if (left === 'new') events.push('requestDetails');
  if (left === 'processing') events.push('requestSubmitted');
  if (entered === 'new') events.push('requestCreated');
  if (entered === 'processing') events.push('requestProcessing');
  return events;
}

/** Writes down what the hubs will tell of a move, in the transaction that makes it. */
export async function writeMoveNews(
  transaction: Transaction,
  workflow: Workflow,
  move: { partnerId: number | null; from: number | null; to: number },
): Promise<void> {
  const { partnerId, from, to } = move;
  const newsOf = (whose: 'staff' | 'provider', audience: string) =>
    eventsOfMove(workflow, from, to, whose).map((event) => ({
      hub: requestHub,
      event,
      audiences: [audience],
    }));
  const partner = partnerId === null ? undefined : partnerAudience(partnerId);
  await writeNews(transaction, [
    ...newsOf('staff', staff),
    ...(partner === undefined
      ? []
      : [
          ...newsOf('provider', partner),
          { hub: presenceHub, event: groupUpdated, audiences: [partner] },
        ]),
  ]);
}
