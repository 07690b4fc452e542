import { useEffect, useState } from 'react';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { getAllServicesForUpdatingPartner } from '@diwan/contract/catalogue/services';
import {
  getWorkflowDocument,
  getWorkflows,
  judgeWorkflow,
} from '@diwan/contract/requests/workflows';
import type { SendError } from '../../lib/api/send-error.ts';
import { send } from '../../lib/api/send.ts';
import { useCall } from '../../lib/api/use-call.ts';

export type Judgement = ReplyOf<typeof judgeWorkflow>;

export const useWorkflows = () => useCall(getWorkflows, {});

/** A kept document never changes. */
export const useDocument = (workflowId: number | undefined) =>
  useCall(getWorkflowDocument, {
    query: { WorkflowId: workflowId ?? 0 },
    enabled: workflowId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });

const anHour = 3_600_000;

/** Every service by its name, to choose one. */
export const useServiceChoices = () =>
  useCall(getAllServicesForUpdatingPartner, { staleTime: anHour });

const pauseMs = 400;

/**
 * What the server says of a text some moments after the last change of it; a word about an earlier
 * text is not listened to.
 */
export function useJudgement(
  document: string,
  serviceId: number | undefined,
): { judgement?: Judgement; error?: SendError; isChecking: boolean } {
  const [said, setSaid] = useState<{ of: string; judgement?: Judgement; error?: SendError }>();
  const of = `${serviceId ?? ''} ${document}`;
  const isBlank = document.trim() === '';
  useEffect(() => {
    if (isBlank) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      send(judgeWorkflow, {
        body: { document, ...(serviceId === undefined ? {} : { serviceId }) },
        signal: stop.signal,
        skipErrorHandling: true,
      }).then(
        (judgement) => setSaid({ of, judgement }),
        (error: SendError) => {
          if (!stop.signal.aborted) setSaid({ of, error });
        },
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [document, serviceId, of, isBlank]);
  if (isBlank) return { isChecking: false };
  return said?.of === of ? { ...said, isChecking: false } : { isChecking: true };
}
