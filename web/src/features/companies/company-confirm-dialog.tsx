import { useTranslation } from 'react-i18next';
import {
  cancelCompanyInvitation,
  removeCompanyUser,
  setCompanyManager,
} from '@diwan/contract/people/company-users';
import { messageOf } from '../../lib/api/handle-error.ts';
import type { SendError } from '../../lib/api/send-error.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useCompanyAction } from './company-users.data.ts';

/** What is about to be done, to whom. */
export interface CompanyDecision {
  kind: 'remove' | 'leave' | 'makeManager' | 'endManager' | 'cancelInvitation';
  id: string;
  name: string;
}

interface AskProps {
  decision: CompanyDecision;
  isPending: boolean;
  error: SendError | null;
  onConfirm: () => void;
  onClose: () => void;
}

function Ask({ decision: { kind, name }, isPending, error, onConfirm, onClose }: AskProps) {
  const { t } = useTranslation('companies');
  const isDangerous = kind === 'remove' || kind === 'leave' || kind === 'cancelInvitation';
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t(`confirm.${kind}.title`)}
      isBusy={isPending}
      actions={
        <>
          <Button
            variant={isDangerous ? 'danger' : 'primary'}
            isPending={isPending}
            onPress={onConfirm}
          >
            {t(`confirm.${kind}.send`)}
          </Button>
          <Button variant="quiet" isDisabled={isPending} onPress={onClose}>
            {t('cancel')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {error ? (
          <Notice tone="danger" isLive>
            {messageOf(error)}
          </Notice>
        ) : null}
        <p className="text-lg font-semibold">
          <bdi className="wrap-anywhere">{name}</bdi>
        </p>
        <p>{t(`confirm.${kind}.text`)}</p>
      </div>
    </Dialog>
  );
}

/** Asks before something that somebody else feels. */
export function CompanyConfirmDialog({
  decision,
  onClose,
  onLeft,
}: {
  decision: CompanyDecision;
  onClose: () => void;
  onLeft: () => void;
}) {
  const { t } = useTranslation('companies');
  const { kind, id } = decision;
  const remove = useCompanyAction(removeCompanyUser, { done: t('done.remove'), onDone: onClose });
  const manager = useCompanyAction(setCompanyManager, { done: t('done.manager'), onDone: onClose });
  const cancel = useCompanyAction(cancelCompanyInvitation, {
    done: t('done.cancelInvitation'),
    onDone: onClose,
  });
  const action =
    kind === 'cancelInvitation'
      ? cancel
      : kind === 'makeManager' || kind === 'endManager'
        ? manager
        : remove;
  const confirm = () => {
    if (kind === 'cancelInvitation') cancel.act({ invitationId: id });
    else if (kind === 'makeManager' || kind === 'endManager')
      manager.act({ userId: id, isManager: kind === 'makeManager' });
    // Whoever leaves is answered that the company is none of theirs any more.
    else if (kind === 'leave')
      remove.mutate(
        { body: { userId: id } },
        {
          onSettled: (_data, error) => {
            if (!error || error.status === 403) onLeft();
          },
        },
      );
    else remove.act({ userId: id });
  };
  const isRefused = action.error && !(kind === 'leave' && action.error.status === 403);
  return (
    <Ask
      decision={decision}
      isPending={action.isPending}
      error={isRefused ? action.error : null}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
