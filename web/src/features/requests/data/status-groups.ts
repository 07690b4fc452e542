import type { RequestSummary } from '@diwan/contract/requests/requests';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import type { StatusGroup } from '../staff/list-filters.ts';
import type { Status } from './requests.data.ts';

const tonesOf: Record<StatusGroup, readonly StatusTone[]> = {
  waiting: ['waiting'],
  progress: ['progress'],
  finished: ['done', 'refused'],
};

export function statusIdsOfGroup(statuses: readonly Status[], group: StatusGroup): number[] {
  return statuses
    .filter((status) => tonesOf[group].includes(status.statusTone))
    .map((status) => status.statusId);
}

/** What is expected of the person whose request it is, by what they can do now. */
export function expectedOf({
  allowedActions,
  statusTone,
}: Pick<RequestSummary, 'allowedActions' | 'statusTone'>): 'pay' | 'mend' | 'look' | undefined {
  if (allowedActions.includes('pay')) return 'pay';
  if (allowedActions.includes('update')) return 'mend';
  return statusTone === 'waiting' ? 'look' : undefined;
}

/**
 * What staff wait for. They are not told what the applicant can do, so the keys of the shipped
 * workflow stand in; another key only says that it waits.
 */
const expectations: Record<string, 'pay' | 'mend'> = {
  waitingForPayment: 'pay',
  waitingForFees: 'pay',
  returned: 'mend',
};

export function expectationOf(
  tone: StatusTone,
  statusKey: string | undefined,
): 'pay' | 'mend' | 'look' | undefined {
  if (tone !== 'waiting') return undefined;
  return expectations[statusKey ?? ''] ?? 'look';
}
