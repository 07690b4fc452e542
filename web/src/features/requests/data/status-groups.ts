import type { RequestSummary } from '@diwan/contract/requests/requests';
import type { StatusTone } from '@diwan/contract/requests/workflow';

/**
 * The next step that is expected of the applicant, by their allowed actions. The values are also
 * the last part of the keys of the texts.
 */
export function findExpectedStep({
  allowedActions,
  statusTone,
}: Pick<RequestSummary, 'allowedActions' | 'statusTone'>): 'pay' | 'correct' | 'look' | undefined {
  if (allowedActions.includes('pay')) return 'pay';
  if (allowedActions.includes('update')) return 'correct';
  return statusTone === 'waiting' ? 'look' : undefined;
}

/**
 * The applicant's steps by status key of the default workflow. Staff do not receive the applicant's
 * allowed actions, so the status key decides. With another key only the waiting is shown.
 */
const awaitedSteps: Record<string, 'pay' | 'correct'> = {
  waitingForPayment: 'pay',
  waitingForFees: 'pay',
  returned: 'correct',
};

/** The applicant's step for which staff wait; undefined when the request does not wait. */
export function findAwaitedStep(
  tone: StatusTone,
  statusKey: string | undefined,
): 'pay' | 'correct' | 'look' | undefined {
  if (tone !== 'waiting') return undefined;
  return awaitedSteps[statusKey ?? ''] ?? 'look';
}
