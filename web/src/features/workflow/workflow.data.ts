import { useEffect, useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { send } from '#lib/api/send.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { getAllServicesForUpdatingPartner } from '@diwan/contract/catalogue/services';
import { shippedWorkflowNames } from '@diwan/contract/requests/workflow';
import {
  getWorkflowDocument,
  getWorkflows,
  judgeWorkflow,
} from '@diwan/contract/requests/workflows';
import type { ReplyOf } from '@diwan/contract/wire/call';

export type WorkflowValidation = ReplyOf<typeof judgeWorkflow>;

export const useWorkflows = () => useCall(getWorkflows, {});

/** Names workflows: the one that comes with the portal has a name in each language. */
export function useWorkflowName() {
  const { t } = useTranslation('workflow');
  return (name: string) => (shippedWorkflowNames.includes(name) ? t('page.standard') : name);
}

/** A stored document never changes. */
export const useDocument = (workflowId: number | undefined) =>
  useCall(getWorkflowDocument, {
    query: { WorkflowId: workflowId ?? 0 },
    enabled: workflowId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });

const hourMs = 3_600_000;

/** All services with their names, for a select. */
export const useServiceChoices = () =>
  useCall(getAllServicesForUpdatingPartner, { query: {}, staleTime: hourMs });

const debounceMs = 400;

/**
 * The server's validation of a document, requested shortly after its last change; replies about
 * earlier versions are ignored.
 */
export function useWorkflowValidation(
  document: string,
  serviceId: number | undefined,
): { validation?: WorkflowValidation; error?: ApiError; isChecking: boolean } {
  const [latest, setLatest] = useState<{
    key: string;
    validation?: WorkflowValidation;
    error?: ApiError;
  }>();
  const key = `${serviceId ?? ''} ${document}`;
  const isBlank = document.trim() === '';
  useEffect(() => {
    if (isBlank) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      send(judgeWorkflow, {
        body: { document, ...(serviceId === undefined ? {} : { serviceId }) },
        signal: controller.signal,
        skipErrorHandling: true,
      }).then(
        (validation) => setLatest({ key, validation }),
        (error: ApiError) => {
          if (!controller.signal.aborted) setLatest({ key, error });
        },
      );
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [document, serviceId, key, isBlank]);
  if (isBlank) return { isChecking: false };
  return latest?.key === key ? { ...latest, isChecking: false } : { isChecking: true };
}
