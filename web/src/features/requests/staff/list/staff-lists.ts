import type { RequestListQuery } from '#features/requests/data/request-list.data.ts';
import type { Status } from '#features/requests/data/requests.data.ts';

export const staffLists = ['new', 'processing', 'all'] as const;
export type StaffListName = (typeof staffLists)[number];

export function staffListOf(pathname: string): StaffListName {
  return staffLists.find((list) => pathname.endsWith(`/${list}`)) ?? 'all';
}

/** The statuses of a list: those that count as it, or the one that is chosen for all requests. */
export function statusesOfList(
  list: StaffListName,
  statuses: readonly Status[],
  chosen: number | undefined,
): Pick<RequestListQuery, 'statusId' | 'statusIds'> {
  if (list === 'all') return { statusId: chosen };
  const counted = statuses.filter((status) => status.countsAs === list);
  return { statusId: undefined, statusIds: counted.map((status) => status.statusId) };
}
