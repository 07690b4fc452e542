import { useRequestAction } from '#features/requests/data/request-actions.data.ts';
import { toReasonChoices, useReasons } from '#features/requests/data/requests.data.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { Fold } from '#ui/forms/fold.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { findMissingMessages } from '#ui/forms/message-fields.tsx';
import { findMissingMarkTexts, toMarksBody } from '../marks/draft-marks.ts';
import { ReturnMarks } from '../marks/return-marks.tsx';
import { ActionDialog, useActionForm, type ActionDialogProps } from './action-dialog.tsx';
import type { ActionDraft } from './action-draft.ts';
import { MessageFormField } from './notification-field.tsx';

/** Returns the request. Without marks, reasons and a message for the whole request are required. */
export function ReturnDialog({ draft, onDraft, onDone, ...frame }: ActionDialogProps) {
  const { t } = useTranslation(['requests', 'returns']);
  const reasons = useReasons([frame.record.requestId]);
  const action = useRequestAction('return');
  const reader = frame.record.applicantLanguage;
  const form = useActionForm({ draft, onDraft });
  const { control, formState, watch } = form;
  const { marks, messages, reasons: reasonIds } = watch();
  const hasMarks = marks.length > 0;
  const missingMarkTexts = findMissingMarkTexts(marks, reader);
  const [firstMark] = missingMarkTexts;
  const requires = frame.record.requiredInputs.return ?? [];
  const needsMessage = !hasMarks || requires.includes('note');
  const needsReason = !hasMarks || requires.includes('reason');
  const isReasonMissing = (chosen: readonly string[]) => needsReason && chosen.length === 0;
  const send = (sent: ActionDraft, version: number) => {
    const hasMessage = findMissingMessages(sent.messages, true, reader).length === 0;
    const body = {
      requestId: frame.record.requestId,
      version,
      requestHistoryRejectionReasonsList: sent.reasons.map(Number),
      ...(hasMessage ? sent.messages : {}),
      ...(hasMarks ? { marks: toMarksBody(sent.marks) } : {}),
    };
    action.mutate(body, { onSuccess: onDone });
  };
  // About the request as a whole.
  const whole = (
    <>
      <FormField
        control={control}
        name="reasons"
        validate={(chosen) => (isReasonMissing(chosen) ? t('dialogs.chooseReasons') : undefined)}
      >
        {({ value, error, ...field }) => (
          <CheckboxGroup
            {...field}
            label={t('returns:marks.general')}
            description={t(needsReason ? 'dialogs.reasonsHint' : 'returns:marks.generalOptional')}
            value={value}
            isOptional={!needsReason}
            choices={toReasonChoices(reasons.data)}
            error={isReasonMissing(value) ? error : undefined}
            focusIds={['RejectionReasonNotFound']}
          />
        )}
      </FormField>
      <MessageFormField form={form} reader={reader} isRequired={needsMessage} />
    </>
  );
  return (
    <ActionDialog
      {...frame}
      form={form}
      title={t('dialogs.returnTitle')}
      sendLabel={t('dialogs.returnSend')}
      isPending={action.isPending}
      error={action.error}
      onSend={send}
      onReset={action.reset}
    >
      <p>{t('dialogs.returnText')}</p>
      <FormField
        control={control}
        name="marks"
        focusId={firstMark && `${firstMark[0]}:${firstMark[1][0]}`}
        validate={(value) => [...findMissingMarkTexts(value, reader).keys()][0]}
      >
        {({ value, onChange }) => (
          <ReturnMarks
            record={frame.record}
            value={value}
            onChange={onChange}
            missing={formState.isSubmitted ? missingMarkTexts : new Map()}
          />
        )}
      </FormField>
      {hasMarks ? (
        <Fold
          title={t('returns:marks.whole')}
          isOpenAtFirst={
            needsReason ||
            needsMessage ||
            reasonIds.length > 0 ||
            Object.values(messages).some((text) => text !== '')
          }
        >
          {whole}
        </Fold>
      ) : (
        whole
      )}
    </ActionDialog>
  );
}
