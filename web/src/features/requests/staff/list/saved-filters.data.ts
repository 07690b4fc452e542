import { useQueryClient } from '@tanstack/react-query';
import { useAction, useCall } from '#lib/api/use-call.ts';
import {
  changeSavedFilter,
  deleteSavedFilter,
  getSavedFilters,
  saveFilter,
  type SavedFilter,
} from '@diwan/contract/requests/saved-filters';
import type { StaffListName } from './staff-lists.ts';

/** The user's saved filters for one list. */
export function useSavedFilters(list: StaffListName) {
  const { data, error } = useCall(getSavedFilters, { staleTime: 300_000 });
  return { filters: data?.filter((filter) => filter.list === list), error };
}

/** The calls that change saved filters. Each reply holds all of them. */
export function useFilterActions() {
  const client = useQueryClient();
  const storeFilters = (all: SavedFilter[]) =>
    void client.setQueriesData({ queryKey: [getSavedFilters.name] }, all);
  return {
    save: useAction(saveFilter, { skipErrorHandling: true, onSuccess: storeFilters }),
    change: useAction(changeSavedFilter, { skipErrorHandling: true, onSuccess: storeFilters }),
    remove: useAction(deleteSavedFilter, { skipErrorHandling: true, onSuccess: storeFilters }),
  };
}
