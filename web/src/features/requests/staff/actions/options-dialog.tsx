import { useEffect } from 'react';
import { useRequestAction } from '#features/requests/data/request-actions.data.ts';
import { useChargeReasons } from '#features/requests/data/requests.data.ts';
import { focusOn } from '#lib/browser/focus-on.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert } from '#ui/feedback/alert.tsx';
import { hasMessage } from '#ui/forms/message-fields.tsx';
import { optionActions } from '@diwan/contract/requests/actions';
import { ActionDialog, useActionForm, type ActionDialogProps } from './action-dialog.tsx';
import { ChargesFormField } from './charge-fields.tsx';
import { toChargesBody, noCharges, findInvalidCharge } from './charges.ts';
import { DiscountFields, claimedDiscounts, toDiscountsBody } from './discount-fields.tsx';
import { MessageFormField, NotificationFormField } from './notification-field.tsx';

/**
 * Approves or accepts a request with options: fines and fees, for whose payment the request then
 * waits, a message, and whether the applicant is notified.
 */
export function OptionsDialog({ draft, onDraft, onDone, ...frame }: ActionDialogProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const { money } = useFormat();
  const { record } = frame;
  const action = optionActions.find((each) => each === frame.action) ?? 'approve';
  const call = useRequestAction(action);
  const form = useActionForm({ draft, onDraft });
  const { charges: typedCharges, discounts, isSilent, messages } = form.watch();
  const requires = record.requiredInputs[action] ?? [];
  const reader = record.applicantLanguage;
  const canCharge = record.chargingActions.includes(action);
  const hasClaims = claimedDiscounts(record).length > 0;
  const reasons = useChargeReasons(record.requestId, canCharge).data ?? [];
  useEffect(() => {
    // After the dialog has taken the focus.
    const frame = window.requestAnimationFrame(() => {
      if (hasClaims) focusOn('DiscountUndecided');
      else if (canCharge) focusOn('fines');
    });
    return () => window.cancelAnimationFrame(frame);
  }, [canCharge, hasClaims]);
  const charges = canCharge ? typedCharges : noCharges;
  const chargesBody = toChargesBody(charges, record.addedFeeVatRate);
  const body = { ...chargesBody, ...(hasMessage(messages) ? messages : {}) };
  const decisions = toDiscountsBody(record, discounts);
  const issueFee = record.fees.afterApproval?.total ?? 0;
  const invalid = findInvalidCharge(charges, reasons);
  const isRefused = Object.values(discounts).includes('refuse');
  const isCharging = [
    invalid !== undefined,
    Object.keys(chargesBody).length > 0,
    canCharge && issueFee > 0,
    isRefused,
  ].some(Boolean);
  return (
    <ActionDialog
      {...frame}
      form={form}
      title={t(`staff:options.${action}.title`)}
      sendLabel={isCharging ? t('charges.send') : t(`actions.${action}`)}
      isPending={call.isPending}
      error={call.error}
      onSend={(_draft, version) => {
        const sent = {
          requestId: record.requestId,
          version,
          ...body,
          ...decisions,
          ...(isSilent ? { shouldNotifyClient: false } : {}),
        };
        call.mutate(sent, { onSuccess: onDone });
      }}
      onReset={call.reset}
    >
      <DiscountFields record={record} form={form} />
      {canCharge && issueFee > 0 ? (
        <Alert>{t('charges.issueFee', { amount: money(issueFee) })}</Alert>
      ) : null}
      {canCharge ? (
        <>
          <p>{t(requires.includes('fee') ? 'charges.textRequired' : 'charges.text')}</p>
          <ChargesFormField
            form={form}
            record={record}
            reasons={reasons}
            isRequired={requires.includes('fee')}
          />
        </>
      ) : null}
      <MessageFormField form={form} reader={reader} isRequired={requires.includes('note')} />
      <NotificationFormField
        form={form}
        preview={{ requestId: record.requestId, action, ...body, ...decisions }}
      />
    </ActionDialog>
  );
}
