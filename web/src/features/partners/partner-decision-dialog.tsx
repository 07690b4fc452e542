import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert } from '#ui/feedback/alert.tsx';
import { CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { MessageFields, findMissingMessages, type Messages } from '#ui/forms/message-fields.tsx';
import {
  changePartnerState,
  type PartnerRecord,
} from '@diwan/contract/people/partner-registration';
import { partnerTransitions, type PartnerAction } from '@diwan/contract/people/partner-states';

interface DecisionDraft {
  reasons: string[];
  messages: Messages;
}

export const emptyDecision: DecisionDraft = {
  reasons: [],
  messages: { messageAr: '', messageEn: '', messageUr: '' },
};

interface PartnerDecisionDialogProps {
  record: PartnerRecord;
  action: PartnerAction;
  draft: DecisionDraft;
  onDraft: (draft: DecisionDraft) => void;
  onClose: () => void;
  onDone: (record: PartnerRecord) => void;
  reload: () => unknown;
}

/**
 * A decision of an admin about a provider, with its reasons. The page stores the draft, so that the
 * input is preserved when the dialog is closed by mistake.
 */
export function PartnerDecisionDialog({
  record,
  action,
  draft,
  onDraft,
  onClose,
  onDone,
  reload,
}: PartnerDecisionDialogProps) {
  const { t } = useTranslation(['partners', 'errors']);
  const reasons = record.reasons[action] ?? [];
  const isKnown = (name: string) => reasons.some((reason) => reason.name === name);
  const form = useForm<DecisionDraft>({
    defaultValues: { ...draft, reasons: draft.reasons.filter(isKnown) },
  });
  const { control, subscribe, formState } = form;
  useEffect(
    () =>
      subscribe({ formState: { values: true }, callback: ({ values }) => onDraft({ ...values }) }),
    [subscribe, onDraft],
  );
  const change = useAction(changePartnerState, {
    skipErrorHandling: true,
    onSuccess: (fresh) => {
      showToast(t(`decide.${action}.done`), 'success');
      onDone(fresh);
    },
  });
  const { requiresReason } = partnerTransitions[action];
  const submit = ({ reasons: chosen, messages }: DecisionDraft) =>
    change.mutate(
      {
        body: {
          partnerId: record.partnerId,
          action,
          version: record.version,
          reasons: chosen,
          ...(findMissingMessages(messages, true).length === 0 ? messages : {}),
        },
      },
      {
        onError: ({ name }) => {
          if (name === 'ProviderHasChanged' || name === 'ProviderActionNotAllowed') reload();
        },
      },
    );
  return (
    <FormDialog
      form={form}
      kind={requiresReason ? 'panel' : 'modal'}
      title={t(`decide.${action}.title`)}
      submitLabel={t(`decide.${action}.send`)}
      cancelLabel={t('decide.cancel')}
      isDangerous={action === 'refuse' || action === 'suspend'}
      isPending={change.isPending}
      error={change.error}
      errorPosition="bottom"
      onResetError={change.reset}
      submitsOnEnter={false}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <bdi className="font-semibold">{record.name}</bdi>
      </p>
      <p className="text-ink-700">{t(`decide.${action}.text`)}</p>
      {action === 'suspend' && record.openRequestsCount > 0 ? (
        <Alert tone="warning">
          {t('decide.openRequests', { count: record.openRequestsCount })}
        </Alert>
      ) : null}
      {requiresReason ? (
        <>
          <FormField
            control={control}
            name="reasons"
            validate={(chosen) =>
              chosen.length === 0 ? t('refusals.ReasonRequired', { ns: 'errors' }) : undefined
            }
          >
            {(field) => (
              <CheckboxGroup
                {...field}
                label={t('decide.reasons')}
                choices={reasons.map(({ name, text }) => ({ value: name, label: text }))}
                focusIds={['ReasonRequired']}
              />
            )}
          </FormField>
          <FormField
            control={control}
            name="messages"
            focusId="MessageIncomplete"
            validate={(messages) => findMissingMessages(messages, false)[0]}
          >
            {({ value, onChange }) => (
              <MessageFields
                isOptional
                value={value}
                onChange={onChange}
                missing={formState.isSubmitted ? findMissingMessages(value, false) : []}
              />
            )}
          </FormField>
        </>
      ) : null}
    </FormDialog>
  );
}
