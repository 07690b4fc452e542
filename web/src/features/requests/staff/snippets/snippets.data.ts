import { useQueryClient } from '@tanstack/react-query';
import { useAction, useCall } from '#lib/api/use-call.ts';
import {
  deleteSnippet,
  getSnippets,
  saveSnippet,
  type Snippet,
} from '@diwan/contract/people/snippets';

/** The saved texts that are offered to the user. */
export function useSnippets() {
  return useCall(getSnippets, { staleTime: 60_000, skipErrorHandling: true });
}

/** The calls that change saved texts. Each reply holds all of them. */
export function useSnippetActions() {
  const client = useQueryClient();
  const storeSnippets = (all: Snippet[]) =>
    void client.setQueriesData({ queryKey: [getSnippets.name] }, all);
  return {
    save: useAction(saveSnippet, { skipErrorHandling: true, onSuccess: storeSnippets }),
    remove: useAction(deleteSnippet, { skipErrorHandling: true, onSuccess: storeSnippets }),
  };
}
