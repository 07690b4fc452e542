import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import type { SendError } from '../../../lib/api/send-error.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import type { ActionDraft, DraftChange } from './action-draft.ts';
import { ActionProblem } from '../record/action-problem.tsx';
import type { DialogAction } from '../data/request-actions.data.ts';

/** What every dialog of an action gets. */
export interface ActionDialogProps {
  action: DialogAction;
  record: RequestRecord;
  draft: ActionDraft;
  onDraft: (changed: DraftChange) => void;
  reload: () => Promise<RequestRecord | undefined>;
  onClose: () => void;
  onDone: (record: RequestRecord) => void;
}

interface FrameProps extends Pick<ActionDialogProps, 'action' | 'record' | 'reload' | 'onClose'> {
  title: string;
  sendLabel: string;
  isDangerous?: boolean;
  isPending: boolean;
  isDisabled?: boolean;
  error: SendError | null;
  /** Sends with the version of the record that the person has in front of them. */
  onSend: (version: number) => void;
  onForget: () => void;
  children: ReactNode;
}

/**
 * The version is the one seen when the dialog opened: what changed meanwhile is told before
 * anything is done.
 */
export function ActionDialog({
  record,
  reload,
  onClose,
  action,
  title,
  sendLabel,
  isDangerous,
  isPending,
  isDisabled,
  error,
  onSend,
  onForget,
  children,
}: FrameProps) {
  const { t } = useTranslation('requests');
  const [version, setVersion] = useState(record.version);
  const [hasReloaded, setHasReloaded] = useState(false);
  const isGone = hasReloaded && !record.allowedActions.includes(action);
  const reloadRecord = async () => {
    const fresh = await reload();
    if (!fresh) return;
    setVersion(fresh.version);
    setHasReloaded(true);
    onForget();
  };
  return (
    <Dialog
      isOpen
      kind="wide"
      title={title}
      onClose={onClose}
      isBusy={isPending}
      actions={
        <>
          <Button
            variant={isDangerous ? 'danger' : 'primary'}
            isPending={isPending}
            isDisabled={isDisabled || isGone}
            onPress={() => onSend(version)}
          >
            {sendLabel}
          </Button>
          <Button variant="quiet" isDisabled={isPending} onPress={onClose}>
            {t('actions.cancel')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        {isGone ? (
          <Notice tone="warning" isLive>
            {t('faster.gone', { status: record.statusName })}
          </Notice>
        ) : null}
        {hasReloaded && !isGone && !error ? (
          <Notice tone="info" isLive>
            {t('faster.still')}
          </Notice>
        ) : null}
        {children}
        <ActionProblem error={error} onReload={reloadRecord} isTextKept />
      </div>
    </Dialog>
  );
}
