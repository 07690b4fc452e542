import { useRef, useState } from 'react';
import type { RequestRecord } from '@diwan/contract/requests';
import { forget, recallJson, remember } from '../../../lib/browser-memory.ts';
import { useSession } from '../../../lib/session.ts';
import type { UploadedDocument } from '../drafts/draft.ts';
import type { AnswerValues } from '../form-fields/form-fields-form.ts';
import { openMarks, withoutMarked } from './mend-marks.ts';

export interface MendDraft {
  answers: AnswerValues;
  documents: UploadedDocument[];
  /** Why something marked stays as it is, by the key of its mark. */
  explanations: Record<string, string>;
  /** More than what is marked is open. */
  isAllOpen: boolean;
}

/** A device may be shared: what was not sent by then is forgotten. */
const longestMs = 14 * 86_400_000;
const prefixOf = (ssid: string) => `mend:${ssid}:`;
const keyOf = (record: RequestRecord, ssid: string) => `${prefixOf(ssid)}${record.requestId}:${record.version}`;

function readKept(key: string): Partial<MendDraft> | undefined {
  const kept = recallJson('local', key) as (Partial<MendDraft> & { at?: string }) | undefined;
  return kept?.at && Date.now() - Date.parse(kept.at) < longestMs ? kept : undefined;
}

// What is too old, or of an earlier version of the same request, is no use to anybody.
function clearAway(record: RequestRecord, ssid: string): void {
  const isDone = (key: string) => key.startsWith(`${prefixOf(ssid)}${record.requestId}:`) && key !== keyOf(record, ssid);
  try {
    for (const key of Object.keys(window.localStorage)) if (key.startsWith('mend:') && (isDone(key) || !readKept(key))) forget('local', key);
  } catch {
    // Without storage there is nothing to clear away.
  }
}

function read(record: RequestRecord, ssid: string): MendDraft {
  const marks = openMarks(record);
  const sent = record.attachments.filter((attachment) => !attachment.isResult).map(({ attachmentId, name, fileName, size, mediaType }) => ({ attachmentId, name, fileName, size, mediaType }));
  const start: MendDraft = { answers: record.answers, documents: withoutMarked(sent, marks), explanations: {}, isAllOpen: marks.length === 0 };
  clearAway(record, ssid);
  const kept = readKept(keyOf(record, ssid));
  return kept?.answers && Array.isArray(kept.documents) ? { ...start, ...kept } : start;
}

/** What is being mended survives a reload, a new language, leaving the page and closing the browser; a new version of the record begins anew. */
export function useMendDraft(record: RequestRecord) {
  const ssid = useSession()?.ssid ?? '';
  const [[key, start]] = useState((): [string, MendDraft] => [keyOf(record, ssid), read(record, ssid)]);
  const [draft, setDraft] = useState(start);
  const latest = useRef(draft);
  const keep = (part: (before: MendDraft) => Partial<MendDraft>): void => {
    latest.current = { ...latest.current, ...part(latest.current) };
    remember('local', key, JSON.stringify({ ...latest.current, at: new Date().toISOString() }));
    setDraft(latest.current);
  };
  return { start, draft, keep, forget: () => forget('local', key) };
}
