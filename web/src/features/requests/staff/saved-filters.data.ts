import { useQueryClient } from '@tanstack/react-query';
import {
  changeSavedFilter,
  deleteSavedFilter,
  getSavedFilters,
  saveFilter,
  type SavedFilter,
} from '@diwan/contract/requests/saved-filters';
import { useAction, useCall } from '../../../lib/api/use-call.ts';
import type { StaffListName } from './staff-lists.ts';

/** The person's filters for one list. */
export function useSavedFilters(list: StaffListName) {
  const { data, error } = useCall(getSavedFilters, { staleTime: 300_000 });
  return { filters: data?.filter((filter) => filter.list === list), error };
}

/** What changes them. The answer is all of them, in any language. */
export function useFilterActions() {
  const client = useQueryClient();
  const keep = (all: SavedFilter[]) =>
    void client.setQueriesData({ queryKey: [getSavedFilters.name] }, all);
  return {
    save: useAction(saveFilter, { skipErrorHandling: true, onSuccess: keep }),
    change: useAction(changeSavedFilter, { skipErrorHandling: true, onSuccess: keep }),
    remove: useAction(deleteSavedFilter, { skipErrorHandling: true, onSuccess: keep }),
  };
}
