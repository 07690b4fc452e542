import { useRequestAction } from '#features/requests/data/request-actions.data.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { ActionDialog, useActionForm, type ActionDialogProps } from './action-dialog.tsx';
import { MessageFormField } from './notification-field.tsx';

/** Continues with a request that its applicant asked to withdraw; the applicant reads why. */
export function RefuseWithdrawalDialog({ draft, onDraft, onDone, ...frame }: ActionDialogProps) {
  const { t } = useTranslation('requests');
  const action = useRequestAction('refuseWithdrawal');
  const form = useActionForm({ draft, onDraft });
  const { requestId, applicantLanguage } = frame.record;
  return (
    <ActionDialog
      {...frame}
      form={form}
      title={t('dialogs.refuseWithdrawalTitle')}
      sendLabel={t('dialogs.refuseWithdrawalSend')}
      isPending={action.isPending}
      error={action.error}
      onSend={({ messages }, version) =>
        action.mutate({ requestId, version, ...messages }, { onSuccess: onDone })
      }
      onReset={action.reset}
    >
      <p>{t('dialogs.refuseWithdrawalText')}</p>
      <MessageFormField form={form} reader={applicantLanguage} isRequired />
    </ActionDialog>
  );
}
