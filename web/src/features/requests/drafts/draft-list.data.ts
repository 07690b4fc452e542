import { useQueryClient } from '@tanstack/react-query';
import {
  discardDraft,
  getDrafts,
  restoreDraft,
  type DraftSummary,
} from '@diwan/contract/requests/drafts';
import { hasRole, useSession } from '../../../lib/api/session.ts';
import { useAction, useCall } from '../../../lib/api/use-call.ts';
import { findOnDevice, forgetOnDevice, mendPlace } from './draft-device.ts';

/** The person's drafts, last saved first; nothing for who has none of their own. */
export function useDrafts() {
  const mayWrite = hasRole(useSession(), 'Client', 'CompanyUser');
  return useCall(getDrafts, { enabled: mayWrite, staleTime: 0, skipErrorHandling: true });
}

/** Throws a draft away, here and on the server, and takes it back. */
export function useDiscard(draft: Pick<DraftSummary, 'draftId' | 'serviceId' | 'mends'>) {
  const session = useSession();
  const client = useQueryClient();
  const reload = () => client.invalidateQueries({ queryKey: [getDrafts.name] });
  const discard = useAction(discardDraft, {
    onSuccess: () => {
      if (session)
        for (const { key } of findOnDevice(
          draft.mends ? mendPlace(draft.mends.requestId) : draft.serviceId,
          session.ssid,
        ))
          forgetOnDevice(key);
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
