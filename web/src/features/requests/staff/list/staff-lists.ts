import type { Status } from '#features/requests/data/requests.data.ts';

export const staffLists = ['new', 'processing', 'all'] as const;
export type StaffListName = (typeof staffLists)[number];

export function staffListOf(pathname: string): StaffListName {
  return staffLists.find((list) => pathname.endsWith(`/${list}`)) ?? 'all';
}

/** The statuses of a list; undefined for all statuses. */
export function statusIdsOfList(
  list: StaffListName,
  statuses: readonly Status[],
  chosen: number | undefined,
): number[] | undefined {
  if (list === 'all') return chosen === undefined ? undefined : [chosen];
  return statuses.filter((status) => status.countsAs === list).map((status) => status.statusId);
}
