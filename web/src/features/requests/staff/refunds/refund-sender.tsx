import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { MoneyField } from '#ui/forms/number-field.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { maximumPaymentNote, requestRefund } from '@diwan/contract/payments/events';
import type { RequestRefund } from '@diwan/contract/requests/request-costs';
import type { RequestRecord } from '@diwan/contract/requests/requests';

interface RefundSenderProps {
  requestId: number;
  refund: RequestRefund;
  reload: () => Promise<RequestRecord | undefined>;
}

/** The button and dialog of staff to refund through the payment provider. */
export function RefundSender(props: RefundSenderProps) {
  const { t } = useTranslation('requests');
  const [isOpen, setIsOpen] = useState(false);
  const { refundable, refunded, underway } = props.refund;
  if (refundable - refunded - underway <= 0 && !isOpen) return null;
  return (
    <span data-no-print className="mt-2 flex">
      <Button call={requestRefund} size="sm" onPress={() => setIsOpen(true)}>
        {t('refunds.send')}
      </Button>
      {isOpen ? <SendDialog {...props} onClose={() => setIsOpen(false)} /> : null}
    </span>
  );
}

interface SendForm {
  /** Fils; undefined while empty, NaN for other input. */
  amount: number | undefined;
  note: string;
}

function SendDialog({
  requestId,
  refund,
  reload,
  onClose,
}: RefundSenderProps & { onClose: () => void }) {
  const { t } = useTranslation('requests');
  const { money } = useFormat();
  const before = refund.refunded + refund.underway;
  const left = refund.refundable - before;
  // The page reloads in the background; the call needs the sum that the user has seen.
  const [refundedBefore, setRefundedBefore] = useState(before);
  const form = useForm<SendForm>({ defaultValues: { amount: left, note: '' } });
  const action = useAction(requestRefund, {
    skipErrorHandling: true,
    onSuccess: async (refunds) => {
      const isWaiting = refunds.some(({ state }) => state === 'waiting');
      showToast(t(isWaiting ? 'refunds.recordWaits' : 'refunds.sent'), 'success');
      await reload();
      onClose();
    },
    onError: async () => {
      const fresh = (await reload())?.refund;
      if (fresh) setRefundedBefore(fresh.refunded + fresh.underway);
    },
  });
  const isValid = (amount: number | undefined) =>
    amount !== undefined && Number.isInteger(amount) && amount > 0 && amount <= left;
  return (
    <FormDialog
      form={form}
      title={t('refunds.send')}
      submitLabel={t('refunds.send')}
      cancelLabel={t('actions.cancel')}
      isPending={action.isPending}
      error={action.error}
      fieldOfError={({ name }) => (name === 'RefundTooLarge' ? 'amount' : undefined)}
      errorTitle={t('refunds.notSent')}
      errorPosition="bottom"
      onResetError={action.reset}
      onSubmit={({ amount = 0, note }) =>
        action.mutate({ body: { requestId, amount, refundedBefore, note } })
      }
      onClose={onClose}
    >
      <p className="text-ink-600">{t('refunds.sendText')}</p>
      <FormField
        control={form.control}
        name="amount"
        validate={(amount) =>
          isValid(amount) ? undefined : t('refunds.amountWrong', { amount: money(left) })
        }
      >
        {(field) => (
          <MoneyField
            {...field}
            focusIds={['RefundTooLarge']}
            label={t('refunds.sendAmount')}
            description={t('refunds.amountHint', { amount: money(left) })}
          />
        )}
      </FormField>
      <FormField
        control={form.control}
        name="note"
        validate={(value) => (value.trim() === '' ? t('refunds.noteMissing') : undefined)}
      >
        {(field) => (
          <TextAreaField {...field} label={t('refunds.note')} maxLength={maximumPaymentNote} />
        )}
      </FormField>
    </FormDialog>
  );
}
