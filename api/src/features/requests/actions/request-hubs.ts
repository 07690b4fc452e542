import { countGroup } from '#features/workflow/workflow-rules.actions.ts';
import { isPortalStaff, type Caller } from '#platform/auth/caller.ts';
import type { Sql } from '#platform/database/sql.ts';
import { insertHubEvents, type HubEvent } from '#platform/hubs/hub-events.store.ts';
import type { Following, Hub } from '#platform/hubs/hubs.ts';
import type { Workflow } from '@diwan/contract/requests/workflow';
import {
  accountHub,
  groupUpdated,
  presenceHub,
  requestHub,
  type RequestEvent,
} from '@diwan/contract/wire/hubs';
import { companyTopic, partnerTopic, staffTopic, userTopic } from '../model/topics.ts';
import { changeOf, staffListsChanged } from '../record/viewers.actions.ts';

const staff = 'staff';
/** The supervisors of a partner. */
export const partnerAudience = (partnerId: number) => `partner:${partnerId}`;

function partnerOf(caller: Caller): string | undefined {
  if (!caller.roles.includes('ServiceProvider') || caller.partnerId === null) return undefined;
  // guard: group of a service provider in a hub (hubs) => partnerAudience(1)
  return partnerAudience(caller.partnerId);
}

/** Whose events of the request hub a caller hears. */
export const requestAudience = (caller: Caller): string | undefined =>
  isPortalStaff(caller) ? staff : partnerOf(caller);

/**
 * The audience of each hub: callers hear of the changes of the counts that they see. Source:
 * specification §6, §7.
 */
export const requestHubs = (viewers: Following): readonly Hub[] => [
  { path: presenceHub, audienceOf: partnerOf },
  {
    path: requestHub,
    audienceOf: requestAudience,
    topicsOf: (caller) => [
      userTopic(caller.userId),
      ...(isPortalStaff(caller) ? [staffTopic] : []),
      ...(caller.partnerId !== null && caller.roles.includes('ServiceProvider')
        ? [partnerTopic(caller.partnerId)]
        : []),
    ],
    following: viewers,
  },
  {
    path: accountHub,
    audienceOf: ({ userId }) => userTopic(userId),
    topicsOf: ({ userId, companyId, roles }) => [
      userTopic(userId),
      ...(companyId !== null && roles.includes('CompanyUser') ? [companyTopic(companyId)] : []),
    ],
  },
];

/**
 * The events of a move for one audience, whose counts it changes; `from` is null for a new request.
 * Source: specification §4.
 */
function eventsOfMove(
  workflow: Workflow,
  from: number | null,
  to: number,
  audience: 'staff' | 'provider',
): RequestEvent[] {
  const left = from === null ? undefined : countGroup(workflow, from, audience);
  const entered = countGroup(workflow, to, audience);
  if (left === entered) return [];
  const events: RequestEvent[] = [];
  if (left === 'new') events.push('requestDetails');
  if (left === 'processing') events.push('requestSubmitted');
  if (entered === 'new') events.push('requestCreated');
  if (entered === 'processing') events.push('requestProcessing');
  return events;
}

/** The write that stores the hub events of a move, in the transaction of the move. */
export function insertMoveEvents(
  workflow: Workflow,
  {
    partnerId,
    from,
    to,
    ...owner
  }: { id: number | undefined; userId: string; companyId: number | null } & {
    partnerId: number | null;
    from: number | null;
    to: number;
  },
  further: readonly HubEvent[] = [],
): Sql | undefined {
  const eventsFor = (kind: 'staff' | 'provider', audience: string) =>
    eventsOfMove(workflow, from, to, kind).map((event) => ({
      hub: requestHub,
      event,
      audiences: [audience],
    }));
  const partner = partnerId === null ? undefined : partnerAudience(partnerId);
  const ofStaff = eventsFor('staff', staff);
  return insertHubEvents([
    changeOf(owner),
    ...further,
    ...(ofStaff.length > 0 ? ofStaff : [staffListsChanged]),
    ...(partner === undefined
      ? []
      : [
          ...eventsFor('provider', partner),
          { hub: presenceHub, event: groupUpdated, audiences: [partner] },
        ]),
  ]);
}
