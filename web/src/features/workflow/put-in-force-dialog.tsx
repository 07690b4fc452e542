import { useTranslation } from 'react-i18next';
import { getAllStatuses } from '@diwan/contract/requests/requests';
import {
  getWorkflows,
  judgeWorkflow,
  putWorkflowInForce,
} from '@diwan/contract/requests/workflows';
import { messageOf } from '../../lib/api/handle-error.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { showToast } from '../../lib/browser/toasts.ts';
import { useAction } from '../../lib/api/use-call.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import type { Scope } from './workflow-scope.ts';

interface PutProps {
  scope: Scope;
  /** How the document is called, and its text; without them the choice is taken back. */
  name?: string;
  text?: string;
  onClose: () => void;
  onDone: () => void;
}

/** Says for whom it will be before it is done. */
export function PutInForceDialog({ scope, name, text, onClose, onDone }: PutProps) {
  const { t } = useTranslation('workflow');
  const put = useAction(putWorkflowInForce, {
    skipErrorHandling: true,
    onSuccess: async () => {
      showToast(t('replace.done'), 'success');
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
    <Dialog
      isOpen
      title={isBack ? backTitle : t('replace.confirmTitle', { name: `\u2068${name}\u2069` })}
      onClose={onClose}
      isBusy={put.isPending}
      actions={
        <>
          <Button
            isPending={put.isPending}
            pendingLabel={t('replace.putting')}
            onPress={() =>
              put.mutate({
                body: {
                  replaces,
                  ...(text === undefined ? {} : { document: text }),
                  ...(serviceId === undefined ? {} : { serviceId }),
                },
              })
            }
          >
            {isBack ? t('replace.goBack') : t('replace.put')}
          </Button>
          <Button variant="quiet" isDisabled={put.isPending} onPress={onClose}>
            {t('replace.cancel')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>{about}</p>
        {put.error ? (
          <Notice tone="danger" isLive>
            {messageOf(put.error)}
          </Notice>
        ) : null}
      </div>
    </Dialog>
  );
}
