import { useRequestAction } from '#features/requests/data/request-actions.data.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { ActionDialog, useActionForm, type ActionDialogProps } from './action-dialog.tsx';
import { MessageFormField } from './notification-field.tsx';

/** A dialog of an action that only needs a message: the applicant reads why. */
const explainDialog = (name: 'refuseWithdrawal' | 'refuseObjection') =>
  function ExplainDialog({ draft, onDraft, onDone, ...frame }: ActionDialogProps) {
    const { t } = useTranslation('requests');
    const action = useRequestAction(name);
    const form = useActionForm({ draft, onDraft });
    const { requestId, applicantLanguage } = frame.record;
    return (
      <ActionDialog
        {...frame}
        form={form}
        title={t(`dialogs.${name}Title`)}
        sendLabel={t(`dialogs.${name}Send`)}
        isPending={action.isPending}
        error={action.error}
        onSend={({ messages }, version) =>
          action.mutate({ requestId, version, ...messages }, { onSuccess: onDone })
        }
        onReset={action.reset}
      >
        <p>{t(`dialogs.${name}Text`)}</p>
        <MessageFormField form={form} reader={applicantLanguage} isRequired />
      </ActionDialog>
    );
  };

/** Continues with a request that its applicant asked to withdraw. */
export const RefuseWithdrawalDialog = explainDialog('refuseWithdrawal');
/** Confirms a decision that its applicant objected to. */
export const RefuseObjectionDialog = explainDialog('refuseObjection');
