import { useTranslation } from '#lib/i18n/translate.ts';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import {
  cancelCompanyInvitation,
  removeCompanyUser,
  setCompanyManager,
} from '@diwan/contract/people/companies';
import { useCompanyAction } from './company-users.data.ts';

/** An action on a user or an invitation that must be confirmed. */
export interface CompanyDecision {
  kind: 'remove' | 'leave' | 'makeManager' | 'endManager' | 'cancelInvitation';
  id: string;
  name: string;
}

/** Confirms an action on another user. */
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
  const remove = useCompanyAction(removeCompanyUser, {
    done: t('done.remove'),
    onDone: kind === 'leave' ? onLeft : onClose,
  });
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
    // After leaving, the list is refused with 403, because the user is no longer in the company.
    else if (kind === 'leave')
      remove.mutate(
        { body: { userId: id } },
        {
          onError: ({ status }) => {
            if (status === 403) onLeft();
          },
        },
      );
    else remove.act({ userId: id });
  };
  const isRefused = action.error && !(kind === 'leave' && action.error.status === 403);
  return (
    <ConfirmDialog
      title={t(`confirm.${kind}.title`)}
      confirmLabel={t(`confirm.${kind}.send`)}
      cancelLabel={t('cancel')}
      isDangerous={kind === 'remove' || kind === 'leave' || kind === 'cancelInvitation'}
      isPending={action.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <ErrorAlert error={isRefused ? action.error : null} />
        <p className="text-lg font-semibold">
          <bdi className="wrap-anywhere">{decision.name}</bdi>
        </p>
        <p>{t(`confirm.${kind}.text`)}</p>
      </div>
    </ConfirmDialog>
  );
}
