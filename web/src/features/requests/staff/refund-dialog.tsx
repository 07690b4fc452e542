import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  longestRefundReference,
  recordRefund,
  type RequestRefund,
} from '@diwan/contract/requests/request-refunds';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { messageOf } from '../../../lib/api/handle-error.ts';
import type { SendError } from '../../../lib/api/send-error.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { useAction } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Checkbox } from '../../../ui/forms/checkbox.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { MoneyField } from '../../../ui/forms/number-field.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';

interface RefundDialogProps {
  requestId: number;
  refund: RequestRefund;
  reload: () => Promise<RequestRecord | undefined>;
  onClose: () => void;
}

/** What the server says of one box. */
function saidOf(
  error: SendError | null,
  name: SendError['name'],
  field: string,
): string | undefined {
  return error?.name === name ? messageOf(error) : error?.fieldErrors[field]?.join(' ');
}

/** Writes a refund down. What others wrote since it opened is told before anything is written. */
export function RefundDialog({ requestId, refund, reload, onClose }: RefundDialogProps) {
  const { t } = useTranslation('requests');
  const { money } = useFormat();
  const left = refund.refundable - refund.refunded;
  const [amount, setAmount] = useState<number | undefined>(left);
  const [reference, setReference] = useState('');
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  // The page asks again by itself; what the person has been told of is what counts.
  const [refundedBefore, setRefundedBefore] = useState(refund.refunded);
  const action = useAction(recordRefund, {
    skipErrorHandling: true,
    onSuccess: async () => {
      showToast(t('refunds.recorded'), 'success');
      await reload();
      onClose();
    },
    onError: async ({ name }) => {
      if (name !== 'RefundHasChanged' && name !== 'RefundTooLarge') return;
      const fresh = (await reload())?.refund;
      if (fresh) setRefundedBefore(fresh.refunded);
    },
  });
  const { error, isPending } = action;
  const isAmount = amount !== undefined && Number.isInteger(amount) && amount > 0 && amount <= left;
  const faults = {
    amount: !isAmount,
    reference: reference.trim() === '',
    refundConfirmed: !isConfirmed,
  };
  const send = () => {
    setHasTried(true);
    const [fault] = Object.entries(faults).find(([, isWrong]) => isWrong) ?? [];
    if (fault) window.requestAnimationFrame(() => focusOn(fault));
    else if (amount !== undefined && !isPending)
      action.mutate({ body: { requestId, amount, reference: reference.trim(), refundedBefore } });
  };
  const amountError =
    hasTried && faults.amount
      ? t('refunds.amountWrong', { amount: money(left) })
      : saidOf(error, 'RefundTooLarge', 'amount');
  const referenceError =
    hasTried && faults.reference
      ? t('refunds.referenceMissing')
      : saidOf(error, 'RefundReferenceTaken', 'reference');
  const isToldBeside =
    error !== null &&
    (error.name === 'RefundTooLarge' ||
      error.name === 'RefundReferenceTaken' ||
      Object.keys(error.fieldErrors).length > 0);
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      if (error) action.reset();
      set(value);
    };
  return (
    <Dialog
      isOpen
      title={t('refunds.record')}
      onClose={onClose}
      isBusy={isPending}
      actions={
        <>
          <Button isPending={isPending} isDisabled={left === 0} onPress={send}>
            {t('refunds.record')}
          </Button>
          <Button variant="quiet" isDisabled={isPending} onPress={onClose}>
            {t('actions.cancel')}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p className="text-ink-600">{t('refunds.text')}</p>
        {left === 0 ? (
          <Notice tone="info" isLive>
            {t('refunds.nothingLeft')}
          </Notice>
        ) : null}
        <MoneyField
          name="amount"
          focusIds={['RefundTooLarge']}
          label={t('refunds.amount')}
          description={t('refunds.amountHint', { amount: money(left) })}
          value={amount}
          onChange={change(setAmount)}
          error={amountError}
        />
        <TextField
          name="reference"
          focusIds={['RefundReferenceTaken']}
          label={t('refunds.referenceLabel')}
          description={t('refunds.referenceHint')}
          dir="ltr"
          autoComplete="off"
          value={reference}
          onChange={change(setReference)}
          maxLength={longestRefundReference}
          error={referenceError}
        />
        <Checkbox
          name="refundConfirmed"
          label={t('refunds.confirm')}
          value={isConfirmed}
          onChange={setIsConfirmed}
          isRequired
          error={hasTried && !isConfirmed ? t('refunds.confirmMissing') : undefined}
        />
        {error && !isToldBeside ? (
          <Notice tone="danger" isLive title={t('refunds.notRecorded')}>
            {messageOf(error)}
          </Notice>
        ) : null}
        <button type="submit" hidden>
          {t('refunds.record')}
        </button>
      </form>
    </Dialog>
  );
}
