import { useRef, useState } from 'react';
import type { RequestRecord } from '@diwan/contract/requests';
import { forget, recall, remember } from '../../lib/browser-memory.ts';
import type { UploadedDocument } from './draft.ts';
import type { AnswerValues } from './form-fields-form.ts';

interface MendDraft {
  answers: AnswerValues;
  documents: UploadedDocument[];
}

const keyOf = (record: RequestRecord) => `mend.${record.requestId}.${record.version}`;

function read(record: RequestRecord): MendDraft {
  const sent = record.attachments.filter((attachment) => !attachment.isResult).map(({ attachmentId, name, fileName, size, mediaType }) => ({ attachmentId, name, fileName, size, mediaType }));
  try {
    const kept = JSON.parse(recall('session', keyOf(record)) ?? 'null') as MendDraft | null;
    return kept?.answers && Array.isArray(kept.documents) ? kept : { answers: record.answers, documents: sent };
  } catch {
    return { answers: record.answers, documents: sent };
  }
}

/** What is being mended survives a reload, a new language and leaving the page; a new version of the record begins anew. */
export function useMendDraft(record: RequestRecord) {
  const [[key, draft]] = useState((): [string, MendDraft] => [keyOf(record), read(record)]);
  const latest = useRef(draft);
  const keep = (part: (before: MendDraft) => Partial<MendDraft>): MendDraft => {
    latest.current = { ...latest.current, ...part(latest.current) };
    remember('session', key, JSON.stringify(latest.current));
    return latest.current;
  };
  return { draft, keep, forget: () => forget('session', key) };
}
