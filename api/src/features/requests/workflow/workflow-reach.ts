import type { Role } from '@diwan/contract/wire/call';
import type {
  Workflow,
  WorkflowStatus,
  WorkflowTransition,
} from '@diwan/contract/requests/workflow';

export const staffRoles: readonly Role[] = ['Admin', 'Employee', 'ServiceProvider'];

/** Whether a request that is there has come to its end. */
export function isEnd({ tone }: Pick<WorkflowStatus, 'tone'>): boolean {
  return tone === 'done' || tone === 'refused';
}

/**
 * Whether the person who asked is the one to do it; the provider's word about a payment is theirs
 * too.
 */
export function isOwnersAction({ who }: Pick<WorkflowTransition, 'who'>): boolean {
  return who.some((role) => role === 'Client' || role === 'CompanyUser' || role === 'payment');
}

/** The statuses that can come after these, themselves included. */
export function reachFrom(
  { transitions }: Pick<Workflow, 'transitions'>,
  statusIds: readonly number[],
): Set<number> {
  const reached = new Set(statusIds);
  for (const statusId of reached) {
    for (const { from, to, toPay } of transitions) {
      if (from !== statusId) continue;
      reached.add(to);
      if (toPay !== undefined) reached.add(toPay);
    }
  }
  return reached;
}
