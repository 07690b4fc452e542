import { useQueryClient } from '@tanstack/react-query';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { removeStoredDocument } from '#lib/documents/document-storage.ts';
import {
  discardDraft,
  getDrafts,
  restoreDraft,
  type DraftSummary,
} from '@diwan/contract/requests/drafts';
import { findStoredDrafts, correctionScope } from './draft-storage.ts';

/** The user's drafts, last saved first; disabled for roles without drafts. */
export function useDrafts() {
  const canHaveDrafts = hasRole(useSession(), 'Client', 'CompanyUser');
  return useCall(getDrafts, { enabled: canHaveDrafts, staleTime: 0, skipErrorHandling: true });
}

/** Discards a draft on the server and in local storage, and restores it. */
export function useDiscard(draft: Pick<DraftSummary, 'draftId' | 'serviceId' | 'corrects'>) {
  const session = useSession();
  const client = useQueryClient();
  const reload = () => client.invalidateQueries({ queryKey: [getDrafts.name] });
  const discard = useAction(discardDraft, {
    onSuccess: () => {
      if (session)
        for (const { key } of findStoredDrafts(
          draft.corrects ? correctionScope(draft.corrects.requestId) : draft.serviceId,
          session.ssid,
        ))
          removeStoredDocument(key);
    },
  });
  const restore = useAction(restoreDraft, { onSuccess: reload });
  const body = { draftId: draft.draftId };
  return {
    isPending: discard.isPending || restore.isPending,
    discard: (onDone: () => void) => discard.mutate({ body }, { onSuccess: onDone }),
    restore: (onDone: () => void) => restore.mutate({ body }, { onSuccess: onDone }),
    reload,
  };
}
