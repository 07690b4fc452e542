import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { sendForFile } from '#lib/api/send.ts';
import { useAction } from '#lib/api/use-call.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { MoneyField } from '#ui/forms/number-field.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { getLedgerBalances } from '@diwan/contract/payments/ledger';
import {
  getPayees,
  getPayeeStatement,
  getPayouts,
  requestPayout,
  statementFormats,
  type Payee,
} from '@diwan/contract/payments/payouts';
import { dayAfter } from '@diwan/contract/wire/days';
import { DownloadButtons, fileName } from './download-buttons.tsx';
import { isPeriod } from './journal-tab.tsx';

/** Reads again what a payout changes. */
export function useRefreshPayouts() {
  const client = useQueryClient();
  return () => {
    for (const call of [getPayees, getPayouts, getLedgerBalances])
      void client.invalidateQueries({ queryKey: [call.name] });
  };
}

/** The name of an agency or a payment provider. */
export function usePayeeName() {
  const { t } = useTranslation('payment-desk');
  return ({ provider, name }: Pick<Payee, 'provider' | 'name'>) =>
    provider ? t(`providers.${provider}`) : name;
}

interface PayoutForm {
  amount: number | undefined;
  reference: string;
  paidOn: string;
  note: string;
}

/** Records a payout. */
export function PayoutDialog({ payee, onClose }: { payee: Payee; onClose: () => void }) {
  const { t } = useTranslation('ledger');
  const { amount: amountText } = useFormat();
  const nameOf = usePayeeName();
  const refresh = useRefreshPayouts();
  const today = serverToday();
  const [oldest, payable] = [dayAfter(today, -366), payee.owed - payee.waiting];
  const shownPayable = amountText(payable, payee.currency);
  const form = useForm<PayoutForm>({
    defaultValues: { amount: undefined, reference: '', paidOn: today, note: '' },
  });
  const action = useAction(requestPayout, {
    skipErrorHandling: true,
    onSuccess: ({ state }) => {
      refresh();
      showToast(t(state === 'waiting' ? 'payouts.waits' : 'payouts.recorded'), 'success');
      onClose();
    },
    onError: refresh,
  });
  const checkAmount = (value: number | undefined) => {
    if (value === undefined || Number.isNaN(value) || value <= 0) return t('payouts.amountWrong');
    return value > payable ? t('payouts.amountAbove', { amount: shownPayable }) : undefined;
  };
  return (
    <FormDialog
      form={form}
      title={t('payouts.recordName', { name: nameOf(payee) })}
      submitLabel={t('payouts.record')}
      cancelLabel={t('cancel')}
      isPending={action.isPending}
      error={action.error}
      errorPosition="bottom"
      submitsOnEnter={false}
      onResetError={action.reset}
      onSubmit={({ amount, ...values }) => {
        const { agencyId, provider, currency } = payee;
        const of = provider ? { provider } : { agencyId };
        action.mutate({ body: { ...of, currency, ...values, amount: amount ?? 0 } });
      }}
      onClose={onClose}
    >
      <div className="text-ink-700">
        <p>{t('payouts.owedNow', { amount: shownPayable })}</p>
        <p>{t('payouts.secondPerson')}</p>
      </div>
      <FormField control={form.control} name="amount" validate={checkAmount}>
        {(field) => (
          <MoneyField
            {...field}
            {...(payee.currency === 'AED' ? {} : { suffix: payee.currency })}
            label={t('payouts.amountLabel', { currency: payee.currency })}
          />
        )}
      </FormField>
      <FormField
        control={form.control}
        name="reference"
        validate={(value) => (value.trim() === '' ? t('payouts.referenceMissing') : undefined)}
      >
        {(field) => (
          <TextField {...field} label={t('payouts.reference')} dir="ltr" maxLength={100} />
        )}
      </FormField>
      <FormField
        control={form.control}
        name="paidOn"
        validate={(value) =>
          /^\d{4}-\d\d-\d\d$/.test(value) && value <= today && value >= oldest
            ? undefined
            : t('payouts.dayWrong')
        }
      >
        {(field) => (
          <DayField
            {...field}
            label={t('payouts.paidOnLabel')}
            min={oldest}
            max={today}
            isRequired
          />
        )}
      </FormField>
      <FormField control={form.control} name="note">
        {(field) => <TextAreaField {...field} label={t('payouts.note')} maxLength={500} />}
      </FormField>
    </FormDialog>
  );
}

/** Downloads the statement of a period in one of the currencies of a payee. */
export function StatementDialog({
  payee,
  currencies,
  onClose,
}: {
  payee: Payee;
  currencies: readonly string[];
  onClose: () => void;
}) {
  const { t } = useTranslation('ledger');
  const nameOf = usePayeeName();
  const today = serverToday();
  const [from, setFrom] = useState(`${today.slice(0, 4)}-01-01`);
  const [until, setUntil] = useState(today);
  const [currency, setCurrency] = useState(currencies[0] ?? payee.currency);
  const { provider, agencyId } = payee;
  const of = provider ? { Provider: provider } : { AgencyId: agencyId };
  const isReady = isPeriod(from, until);
  return (
    <Dialog isOpen title={t('payouts.statementName', { name: nameOf(payee) })} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-700">{t('payouts.statementText')}</p>
        {currencies.length > 1 ? (
          <SelectField
            label={t('payouts.currency')}
            value={currency}
            onChange={setCurrency}
            choices={currencies.map((value) => ({ value, label: value }))}
          />
        ) : null}
        <div className="flex flex-col gap-4 md:flex-row">
          <DayField
            label={t('payouts.from')}
            value={from}
            max={today}
            onChange={setFrom}
            isRequired
          />
          <DayField
            label={t('payouts.until')}
            value={until}
            max={today}
            onChange={setUntil}
            isRequired
            {...(isReady ? {} : { error: t('payouts.periodWrong') })}
          />
        </div>
        <DownloadButtons
          isDisabled={!isReady}
          choices={statementFormats.map((format) => ({
            label: t(`payouts.${format}`),
            fileName: fileName(format, 'statement', provider ?? `agency-${agencyId}`, from, until),
            load: () =>
              sendForFile(getPayeeStatement, {
                query: { ...of, Currency: currency, From: from, Until: until, Format: format },
                skipErrorHandling: true,
              }),
          }))}
        />
        <div>
          <Button variant="quiet" onPress={onClose}>
            {t('payouts.close')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
