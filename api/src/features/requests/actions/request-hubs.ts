import { countGroup } from '#features/workflow/workflow-rules.actions.ts';
import {
  isPortalStaff,
  limitedAgencies,
  wholeAgencies,
  type Caller,
} from '#platform/auth/caller.ts';
import type { Transaction } from '#platform/database/database.ts';
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
import { selectListenerGroups, type ListenerGroup } from '../model/colleagues.store.ts';
import type { CountPlace } from '../model/request-counts.store.ts';
import {
  agencyTopic,
  companyTopic,
  partnerTopic,
  staffTopic,
  userTopic,
  workTopic,
} from '../model/topics.ts';
import { changeOf, listsChangedOf } from '../record/viewers.actions.ts';

/** The staff of all agencies. */
const staff = 'staff';
/**
 * What concerns an agency, heard by each group of agencies that has it, and what concerns a service of
 * an agency, heard by each group of teams that works on it.
 */
const audiencesOf = (agencyId: number, serviceId: number) => [
  agencyTopic(agencyId),
  workTopic(agencyId, serviceId),
];
/**
 * The staff of these agencies and teams and of no others; of teams without an agency, only those who see
 * the work of teams. Their events have numbers of their own.
 */
const groupAudience = ({ agencyIds, teamIds }: Pick<ListenerGroup, 'agencyIds' | 'teamIds'>) =>
  `agencies:${agencyIds.join(',')}${teamIds === null ? '' : `;teams:${teamIds.join(',')}`}`;
/** The supervisors of a partner. */
export const partnerAudience = (partnerId: number) => `partner:${partnerId}`;

function partnerOf(caller: Caller): string | undefined {
  if (!caller.roles.includes('ServiceProvider') || caller.partnerId === null) return undefined;
  // guard: group of a service provider in a hub (hubs) => partnerAudience(1)
  return partnerAudience(caller.partnerId);
}

function staffAudience(caller: Caller): string {
  if (caller.scope === 'all') return staff;
  const limited = limitedAgencies(caller);
  const teamIds = limited.flatMap((each) => each.teamIds).toSorted((one, other) => one - other);
  // guard: hub events of another agency (agency-scope) => staff
  return groupAudience({
    agencyIds: wholeAgencies(caller),
    teamIds: limited.length > 0 ? teamIds : null,
  });
}

// What a caller of some agencies hears, by the names that events have.
const partsOf = (caller: Caller): string[] => [
  ...wholeAgencies(caller).map(agencyTopic),
  ...limitedAgencies(caller).flatMap(({ agencyId, serviceIds }) =>
    serviceIds.map((serviceId) => workTopic(agencyId, serviceId)),
  ),
];

/** Whose events of the request hub a caller hears. */
export const requestAudience = (caller: Caller): string | undefined =>
  isPortalStaff(caller) ? staffAudience(caller) : partnerOf(caller);

/** The names that events have which `requestAudience` hears, before they are published. */
export function audiencePartsOf(caller: Caller): string[] {
  if (isPortalStaff(caller) && caller.scope !== 'all') return partsOf(caller);
  return [requestAudience(caller) ?? ''];
}

// An event goes to each group of agencies and teams that somebody of the staff has which sees it.
async function listenersOf(
  transaction: Transaction,
  audiences: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const shared = audiences.filter((each) => /^(agency|work):/.test(each));
  if (shared.length === 0) return new Map();
  const works = shared.flatMap((each) => {
    const [kind, agencyId, serviceId] = each.split(':');
    return kind === 'work' ? [{ agencyId: Number(agencyId), serviceId: Number(serviceId) }] : [];
  });
  const groups = (await selectListenerGroups(transaction, works)).map((group) => ({
    audience: groupAudience(group),
    heard: new Set([
      ...group.agencyIds.map(agencyTopic),
      ...group.works.map(({ agencyId, serviceId }) => workTopic(agencyId, serviceId)),
    ]),
  }));
  return new Map(
    shared.map((each) => [
      each,
      groups.filter(({ heard }) => heard.has(each)).map(({ audience }) => audience),
    ]),
  );
}

function staffTopicsOf(caller: Caller): string[] {
  if (!isPortalStaff(caller)) return [];
  // guard: topics of another agency (agency-scope) => [staffTopic]
  return caller.scope === 'all' ? [staffTopic] : partsOf(caller);
}

/**
 * The audience of each hub: callers hear of the changes of the counts that they see. Source:
 * specification §6, §7.
 */
export const requestHubs = (viewers: Following): readonly Hub[] => [
  { path: presenceHub, audienceOf: partnerOf },
  {
    path: requestHub,
    audienceOf: requestAudience,
    listenersOf,
    topicsOf: (caller) => [
      userTopic(caller.userId),
      ...staffTopicsOf(caller),
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

/**
 * The events of a request that moves from one agency to another in its status: for the staff of one it
 * has gone, for those of the other it is new. The staff of all agencies count it as before.
 */
export function eventsOfTransfer(
  workflow: Workflow,
  {
    serviceId,
    statusId,
    from,
    to,
    ...owner
  }: {
    id: number;
    userId: string;
    companyId: number | null;
    serviceId: number;
    statusId: number;
    from: number;
    to: number;
  },
): HubEvent[] {
  const group = countGroup(workflow, statusId, 'staff');
  const [left, entered] =
    group === 'new'
      ? (['requestDetails', 'requestCreated'] as const)
      : (['requestSubmitted', 'requestProcessing'] as const);
  return [
    changeOf(owner),
    listsChangedOf(from, serviceId),
    listsChangedOf(to, serviceId),
    ...(group === undefined
      ? []
      : [
          { hub: requestHub, event: left, audiences: audiencesOf(from, serviceId) },
          { hub: requestHub, event: entered, audiences: audiencesOf(to, serviceId) },
        ]),
  ];
}

/** The write that stores the hub events of a move, in the transaction of the move. */
export function insertMoveEvents(
  workflow: Workflow,
  {
    partnerId,
    agencyId,
    serviceId,
    from,
    to,
    ...owner
  }: { id: number | undefined; userId: string; companyId: number | null } & CountPlace & {
      serviceId: number;
      from: number | null;
      to: number;
    },
  further: readonly HubEvent[] = [],
): Sql | undefined {
  const eventsFor = (kind: 'staff' | 'provider', ...audiences: string[]) =>
    eventsOfMove(workflow, from, to, kind).map((event) => ({ hub: requestHub, event, audiences }));
  const partner = partnerId === null ? undefined : partnerAudience(partnerId);
  const ofStaff = eventsFor('staff', staff, ...audiencesOf(agencyId, serviceId));
  return insertHubEvents([
    changeOf(owner),
    ...further,
    ...(ofStaff.length > 0 ? ofStaff : [listsChangedOf(agencyId, serviceId)]),
    ...(partner === undefined
      ? []
      : [
          ...eventsFor('provider', partner),
          { hub: presenceHub, event: groupUpdated, audiences: [partner] },
        ]),
  ]);
}
