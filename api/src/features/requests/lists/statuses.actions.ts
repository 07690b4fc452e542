import type { getAllStatuses } from '@diwan/contract/requests/request-lists';
import type { ReplyOf, Role } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { isPortalStaff, type Caller } from '../../../platform/auth/caller.ts';
import { selectCounts } from '../model/request-counts.store.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { describeStatus } from '../record/request-summary.ts';
import { countGroup, type CountGroup } from '../workflow/workflow.ts';
import type { Workflows } from '../workflow/workflows.actions.ts';

/**
 * How many requests are new and how many are being processed. A service provider counts the requests
 * of their partner.
 */
export async function countOpen(
  context: RequestsContext,
  caller: Caller,
): Promise<{ new: number; processing: number }> {
  // The counts of partner 0 are those of requests without a partner. A supervisor without a partner
  // counts nothing.
  const counts = await selectCounts(
    context.database,
    isPortalStaff(caller) ? undefined : (caller.partnerId ?? -1),
  );
  const audience = isPortalStaff(caller) ? 'staff' : 'provider';
  const idsOf = (group: CountGroup) =>
    new Set(
      context.workflow
        .known()
        .flatMap((workflow) =>
          workflow.statuses
            .filter(({ statusId }) => countGroup(workflow, statusId, audience) === group)
            .map(({ statusId }) => statusId),
        ),
    );
  const sum = (group: CountGroup) =>
    [...idsOf(group)].reduce((total, statusId) => total + (counts.get(statusId) ?? 0), 0);
  return { new: sum('new'), processing: sum('processing') };
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
      return transitions.flatMap(({ from, who }) =>
        from !== null &&
        from !== start.draft &&
        who.some(isPerformedBy) &&
        (isOwner || !waitsForOwner.has(from))
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
