import { useState } from 'react';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { useSession } from '../../../lib/api/session.ts';
import { findStoredDrafts, correctionScope } from '../drafts/draft-storage.ts';
import { useCurrentDraft, type CurrentDraft } from '../drafts/use-current-draft.ts';
import { useDrafts } from '../drafts/draft-list.data.ts';
import type { Draft } from '../drafts/draft.ts';
import { findOpenMarks, withoutMarkedDocuments } from './correction-marks.ts';

/** The stage name in `passed` of a draft whose unmarked answers and documents are open too. */
export const unmarkedStage = 'rest';

const noSuggestions = { fields: [], isAgreed: false, hasEarlier: false };

/** The request as it was submitted, without the documents that have to be replaced. */
function toInitialDraft(record: RequestRecord): Draft {
  const marks = findOpenMarks(record);
  const sent = record.attachments
    .filter((attachment) => !attachment.isResult)
    .map(({ attachmentId, name, fileName, size, mediaType }) => ({
      attachmentId,
      name,
      fileName,
      size,
      mediaType,
    }));
  return {
    answers: record.answers,
    explanations: {},
    documents: withoutMarkedDocuments(sent, marks),
    passed: marks.length === 0 ? [unmarkedStage] : [],
  };
}

/**
 * The draft of a correction. Like every draft it is stored on this device and on the server
 * (decision 0029). It belongs to this version of the request. Undefined while loading.
 */
export function useCorrectionDraft(record: RequestRecord): CurrentDraft | undefined {
  const ssid = useSession()?.ssid ?? '';
  const blank = toInitialDraft(record);
  return useCurrentDraft(
    {
      serviceId: record.serviceId,
      correction: { requestId: record.requestId, version: record.version },
    },
    ssid,
    async () => ({ blank, content: blank, suggestions: noSuggestions }),
  );
}

/**
 * Whether a correction of this request was started. `savedAt` is the time when it was saved on the
 * server, undefined when it is stored on this device only.
 */
export function useStartedCorrection({ requestId, version, allowedActions }: RequestRecord): {
  isStarted: boolean;
  savedAt: string | undefined;
} {
  const ssid = useSession()?.ssid ?? '';
  const { data = [] } = useDrafts();
  const [isOnDevice] = useState(
    () => findStoredDrafts(correctionScope(requestId, version), ssid).length > 0,
  );
  const draft = data.find(({ mends }) => mends?.requestId === requestId);
  return {
    isStarted: allowedActions.includes('update') && (draft !== undefined || isOnDevice),
    savedAt: draft?.savedAt,
  };
}
