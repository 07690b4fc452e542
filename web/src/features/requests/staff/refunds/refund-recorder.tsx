import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ApiError } from '#lib/api/api-error.ts';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { MoneyField } from '#ui/forms/number-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import {
  type RequestRefund,
  maximumRefundReferenceLength,
  recordRefund,
} from '@diwan/contract/requests/request-costs';
import type { RequestRecord } from '@diwan/contract/requests/requests';

interface RefundRecorderProps {
  requestId: number;
  refund: RequestRefund;
  reload: () => Promise<RequestRecord | undefined>;
}

/** The admin's button and dialog to record a refund. */
export function RefundRecorder({ requestId, refund, reload }: RefundRecorderProps) {
  const { t } = useTranslation('requests');
  const [isOpen, setIsOpen] = useState(false);
  const isDone = refund.refunded + refund.underway >= refund.refundable;
  const container = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // After the full refund there is no button, so the focus moves to where it was.
    if (wasOpen.current && !isOpen && isDone)
      window.requestAnimationFrame(() => container.current?.focus());
    wasOpen.current = isOpen;
  }, [isOpen, isDone]);
  return (
    <div ref={container} tabIndex={-1} className="outline-none">
      {isDone ? null : (
        <span data-no-print className="mt-2 flex">
          <Button call={recordRefund} variant="secondary" size="sm" onPress={() => setIsOpen(true)}>
            {t('refunds.record')}
          </Button>
        </span>
      )}
      {isOpen ? (
        <RefundDialog
          requestId={requestId}
          refund={refund}
          reload={reload}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </div>
  );
}

interface RefundDialogProps {
  requestId: number;
  refund: RequestRefund;
  reload: () => Promise<RequestRecord | undefined>;
  onClose: () => void;
}

interface RefundForm {
  /** Fils; undefined while empty, NaN for other input. */
  amount: number | undefined;
  reference: string;
  refundConfirmed: boolean;
}

/** The field that shows an error of the server. */
const fieldOf: Partial<Record<ApiError['name'], keyof RefundForm>> = {
  RefundTooLarge: 'amount',
  RefundReferenceTaken: 'reference',
};

/** Records a refund. Refunds that others recorded since the dialog opened are shown first. */
function RefundDialog({ requestId, refund, reload, onClose }: RefundDialogProps) {
  const { t } = useTranslation('requests');
  const { money } = useFormat();
  const left = Math.max(0, refund.refundable - refund.refunded - refund.underway);
  const form = useForm<RefundForm>({
    defaultValues: { amount: left, reference: '', refundConfirmed: false },
  });
  // The page reloads in the background; the call needs the amount that the user has seen.
  const [refundedBefore, setRefundedBefore] = useState(refund.refunded);
  const action = useAction(recordRefund, {
    skipErrorHandling: true,
    onSuccess: async ({ refunds }) => {
      const reference = form.getValues('reference').trim();
      const isRecorded = refunds.some((each) => each.reference === reference);
      showToast(t(isRecorded ? 'refunds.recorded' : 'refunds.recordWaits'), 'success');
      await reload();
      onClose();
    },
    onError: async ({ name }) => {
      if (name !== 'RefundHasChanged' && name !== 'RefundTooLarge') return;
      const fresh = (await reload())?.refund;
      if (fresh) setRefundedBefore(fresh.refunded);
    },
  });
  const isValidAmount = (amount: number | undefined) =>
    amount !== undefined && Number.isInteger(amount) && amount > 0 && amount <= left;
  return (
    <FormDialog
      form={form}
      title={t('refunds.record')}
      submitLabel={t('refunds.record')}
      cancelLabel={t('actions.cancel')}
      isPending={action.isPending}
      isDisabled={left === 0}
      error={action.error}
      fieldOfError={({ name }) => fieldOf[name]}
      errorTitle={t('refunds.notRecorded')}
      errorPosition="bottom"
      onResetError={action.reset}
      onSubmit={({ amount = 0, reference }) =>
        action.mutate({ body: { requestId, amount, reference: reference.trim(), refundedBefore } })
      }
      onClose={onClose}
    >
      <p className="text-ink-600">{t('refunds.text')}</p>
      {left === 0 ? (
        <Alert tone="info" isLive>
          {t('refunds.nothingLeft')}
        </Alert>
      ) : null}
      <FormField
        control={form.control}
        name="amount"
        validate={(amount) =>
          isValidAmount(amount) ? undefined : t('refunds.amountWrong', { amount: money(left) })
        }
      >
        {(field) => (
          <MoneyField
            {...field}
            focusIds={['RefundTooLarge']}
            label={t('refunds.amount')}
            description={t('refunds.amountHint', { amount: money(left) })}
          />
        )}
      </FormField>
      <FormField
        control={form.control}
        name="reference"
        validate={(value) => (value.trim() === '' ? t('refunds.referenceMissing') : undefined)}
      >
        {(field) => (
          <TextField
            {...field}
            focusIds={['RefundReferenceTaken']}
            label={t('refunds.referenceLabel')}
            description={t('refunds.referenceHint')}
            dir="ltr"
            autoComplete="off"
            maxLength={maximumRefundReferenceLength}
          />
        )}
      </FormField>
      <FormField
        control={form.control}
        name="refundConfirmed"
        validate={(isConfirmed) => (isConfirmed ? undefined : t('refunds.confirmMissing'))}
      >
        {(field) => <Checkbox {...field} label={t('refunds.confirm')} isRequired />}
      </FormField>
    </FormDialog>
  );
}
