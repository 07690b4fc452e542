import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { send } from '#lib/api/send.ts';
import { useSession } from '#lib/api/session.ts';
import { queryKeyOf } from '#lib/api/use-call.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import {
  getRequestByIdForUpdate,
  type RequestForUpdate,
  type RequestRecord,
} from '@diwan/contract/requests/requests';
import { toUploadedDocument } from '../documents/uploaded-documents.ts';
import { useDrafts } from '../drafts/draft-list.data.ts';
import { findStoredDrafts, correctionScope } from '../drafts/draft-storage.ts';
import type { Draft } from '../drafts/draft.ts';
import { useCurrentDraft, type CurrentDraft } from '../drafts/use-current-draft.ts';
import { withoutMarkedDocuments } from './correction-marks.ts';

/** The stage name in `passed` of a draft whose unmarked answers and documents are open too. */
export const unmarkedStage = 'rest';

const noSuggestions = { fields: [], isAgreed: false, hasEarlier: false };

/** The request to correct. It is loaded each time the form opens, and not again while it is open. */
export function useRequestForUpdate(requestId: number) {
  const { language } = useLanguage();
  const query = { RequestId: requestId };
  return useQuery<RequestForUpdate, ApiError>({
    queryKey: queryKeyOf(getRequestByIdForUpdate, language, { query }),
    queryFn: ({ signal }) =>
      send(getRequestByIdForUpdate, { query, signal, skipErrorHandling: true }),
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** The request as it was submitted, without the documents that have to be replaced. */
function toInitialDraft(record: RequestForUpdate): Draft {
  const marks = record.openMarks;
  const sent = record.attachments
    .filter((attachment) => !attachment.isResult)
    .map(toUploadedDocument);
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
export function useCorrectionDraft(record: RequestForUpdate): CurrentDraft | undefined {
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
  const draft = data.find(({ corrects }) => corrects?.requestId === requestId);
  return {
    isStarted: allowedActions.includes('update') && (draft !== undefined || isOnDevice),
    savedAt: draft?.savedAt,
  };
}
