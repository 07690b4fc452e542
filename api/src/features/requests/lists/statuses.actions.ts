import {
  countGroup,
  isOnHold,
  type CountGroup,
} from '#features/workflow/workflow-rules.actions.ts';
import type { Workflows } from '#features/workflow/workflows.actions.ts';
import { isPortalStaff, type Caller } from '#platform/auth/caller.ts';
import { getAction } from '@diwan/contract/requests/actions';
import type { getAllStatuses } from '@diwan/contract/requests/request-lists';
import type { ReplyOf, Role } from '@diwan/contract/wire/call';
import { countChanges } from '@diwan/contract/wire/hubs';
import type { Language } from '@diwan/contract/wire/languages';
import { audiencePartsOf, requestAudience } from '../actions/request-hubs.ts';
import { selectCounts } from '../model/request-counts.store.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { countedFor } from '../model/visibility.actions.ts';
import { describeStatus } from '../record/request-summary.ts';

/** How often the events of changes that were just committed are published before counting again. */
const maximumAttempts = 3;

/**
 * How many requests are new and how many are being processed, and the number of the last event that
 * these counts include. A service provider counts the requests of their partner. Counts include
 * changes whose events have no number yet: those are published first, and where others keep coming,
 * they are taken off the counts, so that a listener applies each event once.
 */
export async function countOpen(
  context: RequestsContext & { publishEvents: () => Promise<void> },
  caller: Caller,
): Promise<{ new: number; processing: number; sequence: number }> {
  const kind = isPortalStaff(caller) ? 'staff' : 'provider';
  const inGroup = (...groups: CountGroup[]) =>
    new Set(
      context.workflow
        .known()
        .flatMap((workflow) =>
          workflow.statuses
            .filter(({ statusId }) =>
              groups.some((group) => countGroup(workflow, statusId, kind) === group),
            )
            .map(({ statusId }) => statusId),
        ),
    );
  const heard = {
    audience: requestAudience(caller) ?? '',
    parts: audiencePartsOf(caller),
    statusIds: [...inGroup('new', 'processing')],
  };
  const read = () => selectCounts(context.database, countedFor(caller), heard);
  let snapshot = await read();
  for (let attempt = 1; attempt < maximumAttempts && snapshot.pending.length > 0; attempt += 1) {
    await context.publishEvents();
    snapshot = await read();
  }
  const { counts, sequence, pending } = snapshot;
  const sum = (group: CountGroup) => {
    const notPublished = pending
      .map((event) => countChanges[event])
      .reduce((total, { count, by }) => total + (count === group ? by : 0), 0);
    return (
      [...inGroup(group)].reduce((total, statusId) => total + (counts.get(statusId) ?? 0), 0) -
      notPublished
    );
  };
  return { new: sum('new'), processing: sum('processing'), sequence };
}

/**
 * The statuses in which a user with these roles can act, of all known workflows. Statuses that wait
 * for the owner do not wait for staff who could end the request. A draft is not a request.
 */
export function statusesWaitingFor(workflow: Workflows, roles: readonly Role[]): Set<number> {
  // The payment provider performs `pay`, but the request waits for its owner.
  const isOwner = roles.includes('Client') || roles.includes('CompanyUser');
  const isPerformedBy = (who: string) =>
    roles.some((role) => role === who) || (who === 'payment' && isOwner);
  return new Set(
    workflow.known().flatMap(({ statuses, transitions, start }) => {
      const waitsForOwner = new Set(
        statuses.filter(({ tone }) => tone === 'waiting').map(({ statusId }) => statusId),
      );
      return transitions.flatMap(({ action, from, who }) =>
        from !== null &&
        !getAction(action).isVoluntary &&
        from !== start.draft &&
        who.some(isPerformedBy) &&
        (isOwner || !waitsForOwner.has(from)) &&
        !isOnHold({ transitions }, from)
          ? [from]
          : [],
      );
    }),
  );
}

/**
 * The statuses of the active workflows, by id. Staff do not get the status of drafts, which only
 * their owners see.
 */
export function listStatuses(
  { workflow }: Pick<RequestsContext, 'workflow'>,
  caller: Caller,
  language: Language,
): ReplyOf<typeof getAllStatuses> {
  const seesDrafts = caller.roles.some((role) => role === 'Client' || role === 'CompanyUser');
  const isProvider = caller.roles.includes('ServiceProvider') && !isPortalStaff(caller);
  const statuses = new Map(
    workflow
      .active()
      .toReversed()
      .flatMap((document) =>
        document.statuses.map((status) => [status.statusId, { document, status }] as const),
      ),
  );
  return [...statuses.values()]
    .toSorted((one, other) => one.status.statusId - other.status.statusId)
    .flatMap(({ document, status: { statusId, key } }) => {
      const isDraft = statusId === document.start.draft;
      if (isDraft && !seesDrafts) return [];
      return {
        ...describeStatus(document, statusId, { caller, language }),
        key,
        countsAs: countGroup(document, statusId, isProvider ? 'provider' : 'staff'),
        ...(isDraft ? { isDraft } : {}),
      };
    });
}
