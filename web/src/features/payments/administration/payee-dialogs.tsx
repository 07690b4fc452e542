import { useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ApiError } from '#lib/api/api-error.ts';
import { sendForFile } from '#lib/api/send.ts';
import { useAction } from '#lib/api/use-call.ts';
import { saveContent } from '#lib/browser/save-file.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { MoneyField } from '#ui/forms/number-field.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { getLedgerBalances } from '@diwan/contract/payments/ledger';
import {
  getPayees,
  getPayeeStatement,
  getPayouts,
  longestStatementDays,
  requestPayout,
  statementFormats,
  type Payee,
  type StatementFormat,
} from '@diwan/contract/payments/payouts';
import { dayAfter } from '@diwan/contract/wire/days';
import { useAmountText } from './payments-list.tsx';

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
  const amountText = useAmountText();
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
      <p className="text-ink-700">
        <span>{t('payouts.owedNow', { amount: shownPayable })}</span> {t('payouts.secondPerson')}
      </p>
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

/** Downloads the statement of a period. */
export function StatementDialog({ payee, onClose }: { payee: Payee; onClose: () => void }) {
  const { t } = useTranslation('ledger');
  const nameOf = usePayeeName();
  const today = serverToday();
  const [from, setFrom] = useState(`${today.slice(0, 4)}-01-01`);
  const [until, setUntil] = useState(today);
  const [pending, setPending] = useState<StatementFormat>();
  const [error, setError] = useState<ApiError | null>(null);
  const isDay = (day: string) => /^\d{4}-\d\d-\d\d$/.test(day);
  const isPeriod =
    isDay(from) &&
    isDay(until) &&
    from <= until &&
    until <= dayAfter(from, longestStatementDays - 1);
  const save = async (format: StatementFormat) => {
    setPending(format);
    setError(null);
    const { provider, agencyId, currency } = payee;
    const of = provider ? { Provider: provider } : { AgencyId: agencyId };
    try {
      const content = await sendForFile(getPayeeStatement, {
        query: { ...of, Currency: currency, From: from, Until: until, Format: format },
        skipErrorHandling: true,
      });
      saveContent(content, `statement-${provider ?? `agency-${agencyId}`}-${until}.${format}`);
    } catch (thrown) {
      setError(thrown as ApiError);
    } finally {
      setPending(undefined);
    }
  };
  return (
    <Dialog isOpen title={t('payouts.statementName', { name: nameOf(payee) })} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-700">{t('payouts.statementText')}</p>
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
            {...(isPeriod ? {} : { error: t('payouts.periodWrong') })}
          />
        </div>
        <ErrorAlert error={error} />
        <div className="flex flex-wrap gap-3">
          {statementFormats.map((format) => (
            <Button
              key={format}
              variant={format === 'pdf' ? 'primary' : 'secondary'}
              icon={<Download aria-hidden size={18} />}
              isPending={pending === format}
              isDisabled={!isPeriod}
              onPress={() => void save(format)}
            >
              {t(`payouts.${format}`)}
            </Button>
          ))}
          <Button variant="quiet" onPress={onClose}>
            {t('payouts.close')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
