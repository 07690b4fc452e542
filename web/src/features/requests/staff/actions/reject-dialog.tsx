import { useRequestAction } from '#features/requests/data/request-actions.data.ts';
import { toReasonChoices, useReasons } from '#features/requests/data/requests.data.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert } from '#ui/feedback/alert.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { messageNames, toMessages } from '#ui/forms/message-fields.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { ActionDialog, useActionForm, type ActionDialogProps } from './action-dialog.tsx';
import { MessageFormField } from './notification-field.tsx';

export function RejectDialog({ draft, onDraft, onDone, ...frame }: ActionDialogProps) {
  const { t } = useTranslation('requests');
  const reasons = useReasons([frame.record.requestId]);
  const action = useRequestAction('reject');
  const form = useActionForm({ draft, onDraft });
  const { control, getValues, setValue } = form;
  const textsOf = (id: string | undefined) => {
    const names = reasons.data?.find((each) => String(each.id) === id)?.names;
    return names && toMessages(names);
  };
  // A reason fills in the message, unless the user has changed it.
  const fillMessage = (chosen: string) => {
    const { reasons: before, messages } = getValues();
    const text = textsOf(before[0]);
    const isChanged = messageNames.some(
      (name) => messages[name].trim() !== '' && messages[name] !== text?.[name],
    );
    if (!isChanged) setValue('messages', textsOf(chosen) ?? messages);
  };
  return (
    <ActionDialog
      {...frame}
      form={form}
      title={t('dialogs.rejectTitle')}
      sendLabel={t('dialogs.rejectSend')}
      isDangerous
      isPending={action.isPending}
      error={action.error}
      onSend={({ reasons: [reason], messages }, version) =>
        action.mutate(
          {
            requestId: frame.record.requestId,
            version,
            requestHistoryRejectionReasonId: Number(reason),
            ...messages,
          },
          { onSuccess: onDone },
        )
      }
      onReset={action.reset}
    >
      <Alert tone="danger">{t('dialogs.rejectText')}</Alert>
      <FormField
        control={control}
        name="reasons"
        focusId="reason"
        validate={([reason]) => (reason === undefined ? t('dialogs.chooseReason') : undefined)}
      >
        {({ value, error, onChange }) => (
          <RadioGroup
            name="reason"
            label={t('dialogs.reason')}
            value={value[0] ?? ''}
            onChange={(chosen) => {
              fillMessage(chosen);
              onChange([chosen]);
            }}
            choices={toReasonChoices(reasons.data)}
            error={error}
            focusIds={['RejectionReasonNotFound']}
          />
        )}
      </FormField>
      <MessageFormField form={form} reader={frame.record.applicantLanguage} isRequired />
    </ActionDialog>
  );
}
