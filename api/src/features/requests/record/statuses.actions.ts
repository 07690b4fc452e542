import type { ReplyOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import type { getAllStatuses } from '@diwan/contract/requests/requests';
import { seesAll, type Caller } from '../../../platform/auth/session.ts';
import { describeStatus } from './request-record.actions.ts';
import type { RequestsContext } from '../requests.actions.ts';
import { countGroup } from '../workflow/workflow.ts';

/**
 * The statuses of the workflows in force, by id. A draft is its owner's alone, so staff have no use
 * for that status.
 */
export function listStatuses(
  { workflow }: Pick<RequestsContext, 'workflow'>,
  caller: Caller,
  language: Language,
): ReplyOf<typeof getAllStatuses> {
  const seesDrafts = caller.roles.some((role) => role === 'Client' || role === 'CompanyUser');
  const whose = caller.roles.includes('ServiceProvider') && !seesAll(caller) ? 'provider' : 'staff';
  const statuses = new Map(
    workflow
      .inForce()
      .toReversed()
      .flatMap((document) =>
        document.statuses.map((status) => [status.statusId, { document, status }] as const),
      ),
  );
  return [...statuses.values()]
    .toSorted((one, other) => one.status.statusId - other.status.statusId)
    .flatMap(({ document, status: { statusId, key } }) => {
      const isDraft = statusId === document.start.draft;
      return isDraft && !seesDrafts
        ? []
        : [
            {
              ...describeStatus(document, statusId, language),
              key,
              countsAs: countGroup(document, statusId, whose),
              ...(isDraft ? { isDraft } : {}),
            },
          ];
    });
}
