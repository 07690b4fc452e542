import { useCallback, useRef, useState } from 'react';
import { z } from 'zod';
import type { ServiceForm } from '@diwan/contract/forms';
import type { Session } from '../../lib/session.ts';
import type { AnswerValues } from './form-fields-form.ts';

const keptDocument = z.object({ attachmentId: z.uuid(), name: z.string(), fileName: z.string(), size: z.number(), mediaType: z.string() });
const keptDraft = z.object({ answers: z.record(z.string(), z.unknown()), documents: z.array(keptDocument), passed: z.array(z.string()), savedAt: z.string() });

/** A file that the server holds already. */
export type UploadedDocument = z.infer<typeof keptDocument>;
/** A request that is being written. `passed` names the stages that were gone through once. */
export type Draft = z.infer<typeof keptDraft>;

const keyOf = (serviceId: number, ssid: string): string => `draft:${serviceId}:${ssid}`;

/** What this person began for this service in this window; undefined when there is nothing. */
export function findDraft(serviceId: number, ssid: string): Draft | undefined {
  try {
    const kept = keptDraft.safeParse(JSON.parse(window.sessionStorage.getItem(keyOf(serviceId, ssid)) ?? 'null'));
    return kept.success ? kept.data : undefined;
  } catch {
    return undefined;
  }
}

export function forgetDraft(serviceId: number, ssid: string): void {
  window.sessionStorage.removeItem(keyOf(serviceId, ssid));
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
