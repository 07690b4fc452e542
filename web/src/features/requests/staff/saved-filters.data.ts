import { useQueryClient } from '@tanstack/react-query';
import { changeSavedFilter, deleteSavedFilter, getSavedFilters, saveFilter, type FilterChoice, type SavedFilter } from '@diwan/contract/saved-filters';
import { useAction, useCall } from '../../../lib/use-call.ts';
import type { ListFilters } from './list-filters.ts';
import type { StaffListName } from './staff-lists.ts';

/** The person's filters for one list. */
export function useSavedFilters(list: StaffListName) {
  const { data, error } = useCall(getSavedFilters, { staleTime: 300_000 });
  return { filters: data?.filter((filter) => filter.list === list), error };
}

/** What changes them. The answer is all of them, in any language. */
export function useFilterActions() {
  const client = useQueryClient();
  const keep = (all: SavedFilter[]) => void client.setQueriesData({ queryKey: [getSavedFilters.name] }, all);
  return {
    save: useAction(saveFilter, { skipErrorHandling: true, onSuccess: keep }),
    change: useAction(changeSavedFilter, { skipErrorHandling: true, onSuccess: keep }),
    remove: useAction(deleteSavedFilter, { skipErrorHandling: true, onSuccess: keep }),
  };
}

export function choiceOf({ keyword, statusId, from, to, sort, isMine, refund }: ListFilters): FilterChoice {
  return { keyword, ...(statusId === undefined ? {} : { statusId }), from, to, sort, isMine, ...(refund === undefined ? {} : { refund }) };
}

/** All of the filters, so that a saved one leaves nothing of another in force. */
export function filtersOf({ keyword, statusId, from, to, sort, isMine, refund }: FilterChoice): Omit<ListFilters, 'group' | 'page'> {
  return { keyword, statusId, from, to, sort, isMine, refund };
}

export function isSameChoice(one: FilterChoice, other: FilterChoice): boolean {
  return (['keyword', 'statusId', 'from', 'to', 'sort', 'isMine', 'refund'] as const).every((name) => one[name] === other[name]);
}
