import type { StatusTone } from '@diwan/contract/workflow';
import type { StatusGroup } from './list-filters.ts';
import type { Status } from './requests.data.ts';

const tonesOf: Record<StatusGroup, readonly StatusTone[]> = { waiting: ['waiting'], progress: ['progress'], finished: ['done', 'refused'] };

export function statusIdsOfGroup(statuses: readonly Status[], group: StatusGroup): number[] {
  return statuses.filter((status) => tonesOf[group].includes(status.statusTone)).map((status) => status.statusId);
}

/** What a person is expected to do. Summaries carry no allowed actions, so the keys of the shipped workflow stand in; another key only asks to look. */
const expectations: Record<string, 'pay' | 'mend'> = { waitingForPayment: 'pay', waitingForFees: 'pay', returned: 'mend' };

export function expectationOf(tone: StatusTone, statusKey: string | undefined): 'pay' | 'mend' | 'look' | undefined {
  if (tone !== 'waiting') return undefined;
  return expectations[statusKey ?? ''] ?? 'look';
}
