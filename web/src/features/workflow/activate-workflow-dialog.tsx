import { queryClient } from '#lib/api/query-client.ts';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { getAllStatuses } from '@diwan/contract/requests/request-lists';
import {
  getWorkflowDraft,
  getWorkflows,
  judgeWorkflow,
  putWorkflowInForce,
} from '@diwan/contract/requests/workflows';
import { useWorkflowName } from './workflow.data.ts';

/**
 * The scope of a workflow: one service, or all without their own workflow. `replaces` is the
 * active workflow when the page was opened.
 */
export interface WorkflowScope {
  serviceId?: number;
  serviceName?: string;
  replaces: number;
}

interface ActivateWorkflowProps {
  scope: WorkflowScope;
  /** The name and text of the new document; without them the previous workflow is restored. */
  name?: string;
  text?: string;
  /** Called before the page shows the new workflow. */
  onActivated?: () => void;
  onClose: () => void;
  onDone: () => void;
}

/** Confirms a change of the active workflow and names its scope. */
export function ActivateWorkflowDialog({
  scope,
  name,
  text,
  onActivated,
  onClose,
  onDone,
}: ActivateWorkflowProps) {
  const { t } = useTranslation('workflow');
  const nameOf = useWorkflowName();
  const activate = useAction(putWorkflowInForce, {
    skipErrorHandling: true,
    onSuccess: async () => {
      showToast(t('replace.done'), 'success');
      onActivated?.();
      // The server has deleted the draft of what is active now.
      queryClient.removeQueries({ queryKey: [getWorkflowDraft.name] });
      await Promise.all(
        [getWorkflows.name, getAllStatuses.name, judgeWorkflow.name].map((each) =>
          queryClient.invalidateQueries({ queryKey: [each] }),
        ),
      );
      onDone();
    },
  });
  const isBack = text === undefined;
  const backTitle = scope.serviceId === undefined ? t('replace.backGeneral') : t('replace.back');
  const { serviceId, serviceName, replaces } = scope;
  const about = isBack
    ? t('replace.backConfirm')
    : serviceId === undefined
      ? t('replace.confirmGeneral')
      : t('replace.confirmService', { service: `\u2068${serviceName}\u2069` });
  return (
    <ConfirmDialog
      title={
        isBack
          ? backTitle
          : t('replace.confirmTitle', { name: `\u2068${nameOf(name ?? '')}\u2069` })
      }
      confirmLabel={isBack ? t('replace.goBack') : t('replace.put')}
      pendingLabel={t('replace.putting')}
      cancelLabel={t('replace.cancel')}
      isPending={activate.isPending}
      onConfirm={() =>
        activate.mutate({
          body: {
            replaces,
            ...(text === undefined ? {} : { document: text }),
            ...(serviceId === undefined ? {} : { serviceId }),
          },
        })
      }
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <p>{about}</p>
        <ErrorAlert error={activate.error} />
      </div>
    </ConfirmDialog>
  );
}
