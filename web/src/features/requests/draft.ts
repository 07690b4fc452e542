import { useCallback, useRef, useState } from 'react';
import type { ServiceForm } from '@diwan/contract/forms';
import { forget } from '../../lib/browser-memory.ts';
import type { Session } from '../../lib/session.ts';
import type { AnswerValues } from './form-fields-form.ts';

/** A file that the server holds already. */
export interface UploadedDocument {
  attachmentId: string;
  name: string;
  fileName: string;
  size: number;
  mediaType: string;
}

/** A request that is being written. `passed` names the stages that were gone through once. */
export interface Draft {
  answers: Record<string, unknown>;
  documents: UploadedDocument[];
  passed: string[];
  savedAt: string;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';

function isDocument(value: unknown): value is UploadedDocument {
  return isObject(value) && [value.attachmentId, value.name, value.fileName, value.mediaType].every(isText) && typeof value.size === 'number';
}

/** An older version of the portal may have kept it. */
function isDraft(value: unknown): value is Draft {
  return isObject(value) && isObject(value.answers) && Array.isArray(value.documents) && value.documents.every(isDocument)
    && Array.isArray(value.passed) && value.passed.every(isText) && isText(value.savedAt);
}

const keyOf = (serviceId: number, ssid: string): string => `draft:${serviceId}:${ssid}`;

/** What this person began for this service in this window; undefined when there is nothing. */
export function findDraft(serviceId: number, ssid: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(keyOf(serviceId, ssid)) ?? 'null');
    return isDraft(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

export function forgetDraft(serviceId: number, ssid: string): void {
  forget('session', keyOf(serviceId, ssid));
}

/** What the session already tells about the person is not asked again. */
export function answersFromSession(form: ServiceForm, session: Session): AnswerValues {
  const known: AnswerValues = { applicantName: session.fullName, applicantMobile: session.phoneNumber, applicantEmail: session.email };
  const names = new Set(form.steps.flatMap((step) => step.fields.map((field) => field.name)));
  return Object.fromEntries(Object.entries(known).filter(([name, value]) => names.has(name) && value));
}

function startOf(serviceId: number, form: ServiceForm, session: Session): Draft {
  const kept = findDraft(serviceId, session.ssid);
  const known = answersFromSession(form, session);
  if (!kept) return { answers: known, documents: [], passed: [], savedAt: '' };
  // The service may have changed since; what it no longer asks is dropped.
  const names = new Set(form.steps.flatMap((step) => step.fields.map((field) => field.name)));
  return { ...kept, answers: { ...known, ...Object.fromEntries(Object.entries(kept.answers).filter(([name, value]) => names.has(name) && value !== null)) } };
}

export interface DraftInHand {
  draft: Draft;
  change: (part: (before: Draft) => Partial<Draft>) => void;
  /** The request is sent: nothing is kept any more, also not what still arrives. */
  finish: () => void;
}

/** Keeps every keystroke for as long as the window lives: through reloads, sign-in, another language, going back. */
export function useDraft(serviceId: number, form: ServiceForm, session: Session): DraftInHand {
  const { ssid } = session;
  const [draft, setDraft] = useState(() => startOf(serviceId, form, session));
  const latest = useRef(draft);
  const isFinished = useRef(false);
  const change = useCallback((part: (before: Draft) => Partial<Draft>) => {
    if (isFinished.current) return;
    const next = { ...latest.current, ...part(latest.current), savedAt: new Date().toISOString() };
    try {
      window.sessionStorage.setItem(keyOf(serviceId, ssid), JSON.stringify(next));
    } catch {
      // Without storage the draft lives as long as the page, and nothing claims that it was saved.
      next.savedAt = '';
    }
    latest.current = next;
    setDraft(next);
  }, [serviceId, ssid]);
  const finish = useCallback(() => {
    isFinished.current = true;
    forgetDraft(serviceId, ssid);
  }, [serviceId, ssid]);
  return { draft, change, finish };
}
