import { useState } from 'react';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { useSession } from '../../../lib/api/session.ts';
import { findOnDevice, mendPlace } from '../drafts/draft-device.ts';
import { useOpenDraft, type OpenDraft } from '../drafts/draft-in-hand.ts';
import { useDrafts } from '../drafts/draft-list.data.ts';
import type { Draft } from '../drafts/draft.ts';
import { openMarks, withoutMarked } from './mend-marks.ts';

/** In `passed` of the draft: more than what is marked is open. */
export const restStage = 'rest';

const noSuggestions = { fields: [], isAgreed: false, hasEarlier: false };

/** A request as it was sent, without the documents that others are asked for in place of. */
function startOf(record: RequestRecord): Draft {
  const marks = openMarks(record);
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
    documents: withoutMarked(sent, marks),
    passed: marks.length === 0 ? [restStage] : [],
  };
}

/**
 * What is being mended, on this device and on the server as every draft is (decision 0029); it
 * belongs to this version of the request.
 */
export function useMendDraft(record: RequestRecord): OpenDraft | undefined {
  const ssid = useSession()?.ssid ?? '';
  const blank = startOf(record);
  return useOpenDraft(
    {
      serviceId: record.serviceId,
      mends: { requestId: record.requestId, version: record.version },
    },
    ssid,
    async () => ({ blank, content: blank, suggestions: noSuggestions }),
  );
}

/**
 * Whether somebody has begun to mend this request, and when that was saved on the server; nothing
 * where it is only on this device.
 */
export function useBegunMend({ requestId, version, allowedActions }: RequestRecord): {
  isBegun: boolean;
  savedAt: string | undefined;
} {
  const ssid = useSession()?.ssid ?? '';
  const { data = [] } = useDrafts();
  const [isOnDevice] = useState(() => findOnDevice(mendPlace(requestId, version), ssid).length > 0);
  const draft = data.find(({ mends }) => mends?.requestId === requestId);
  return {
    isBegun: allowedActions.includes('update') && (draft !== undefined || isOnDevice),
    savedAt: draft?.savedAt,
  };
}
