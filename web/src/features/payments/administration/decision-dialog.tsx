import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import type { useAction } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { maximumPaymentNote } from '@diwan/contract/payments/events';

/** Asks for a decision with its reason. `children` shows what it is about. */
export function DecisionDialog<Decision extends string>({
  title,
  submitLabel,
  choices,
  action,
  onDecide,
  onClose,
  children,
}: {
  title: string;
  submitLabel: string;
  /** The hint says what the decision does to the money. */
  choices: readonly { value: Decision; label: string; hint: string }[];
  action: Pick<ReturnType<typeof useAction>, 'isPending' | 'error' | 'reset'>;
  onDecide: (decision: Decision, note: string) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation('payment-desk');
  const only = choices.length === 1 ? choices[0]?.value : undefined;
  const form = useForm<{ decision: string; note: string }>({
    defaultValues: { decision: only ?? '', note: '' },
  });
  return (
    <FormDialog
      form={form}
      title={title}
      submitLabel={submitLabel}
      cancelLabel={t('cancel')}
      isPending={action.isPending}
      error={action.error}
      errorPosition="bottom"
      submitsOnEnter={false}
      onResetError={action.reset}
      onSubmit={({ decision, note }) => {
        const chosen = choices.find(({ value }) => value === decision);
        if (chosen) onDecide(chosen.value, note);
      }}
      onClose={onClose}
    >
      {children}
      <FormField
        control={form.control}
        name="decision"
        validate={(value) => (value === '' ? t('cases.decisionMissing') : undefined)}
      >
        {(field) => <RadioGroup {...field} label={t('cases.decision')} choices={choices} />}
      </FormField>
      <FormField
        control={form.control}
        name="note"
        validate={(value) => (value.trim() === '' ? t('cases.noteMissing') : undefined)}
      >
        {(field) => (
          <TextAreaField {...field} label={t('cases.note')} maxLength={maximumPaymentNote} />
        )}
      </FormField>
    </FormDialog>
  );
}
