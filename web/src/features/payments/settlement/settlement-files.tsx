import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ApiError } from '#lib/api/api-error.ts';
import { send } from '#lib/api/send.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { buttonColumn, DataTable, type Column } from '#ui/data/data-table.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { FileButton } from '#ui/files/file-button.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { MoneyField, NumberField } from '#ui/forms/number-field.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import {
  fetchSettlement,
  getLedgerDays,
  getProviderCharges,
  getSettlementDifferences,
  importSettlement,
  saveProviderCharge,
  type ProviderChargeRate,
  type SettlementImport,
} from '@diwan/contract/payments/ledger';
import { getSettlementFiles } from '@diwan/contract/payments/settlement-files';
import { dayAfter } from '@diwan/contract/wire/days';

// As the first row of a file names them.
const fileColumns =
  'line_id, kind, merchant_reference, refund_id, amount, charge, currency, occurred_at';

/** What several fetched files found together. */
interface FetchedFiles {
  files: number;
  lines: number;
  matched: number;
  differences: number;
}

/** Fetches the files that keep days open, one after the other, from the providers that offer them. */
function FetchMissing({ rates }: { rates: readonly ProviderChargeRate[] }) {
  const { t } = useTranslation('ledger');
  const client = useQueryClient();
  const [isPending, setIsPending] = useState(false);
  const [fetched, setFetched] = useState<FetchedFiles>();
  const [error, setError] = useState<ApiError | null>(null);
  const offered = new Set(rates.flatMap((rate) => (rate.isFetched ? [rate.provider] : [])));
  const run = async () => {
    setIsPending(true);
    setError(null);
    let sum = { files: 0, lines: 0, matched: 0, differences: 0 };
    setFetched(undefined);
    try {
      const days = await send(getLedgerDays, { query: { Take: 100 }, skipErrorHandling: true });
      for (const { day, missingSettlements } of days.items.toReversed())
        for (const provider of missingSettlements)
          if (offered.has(provider) && day < serverToday()) {
            const body = { provider, day };
            const found = await send(fetchSettlement, { body, skipErrorHandling: true });
            sum = {
              files: sum.files + 1,
              lines: sum.lines + found.lines,
              matched: sum.matched + found.matched,
              differences: sum.differences + found.differences,
            };
            setFetched(sum);
          }
      setFetched(sum);
    } catch (thrown) {
      setError(thrown as ApiError);
    } finally {
      setIsPending(false);
      for (const call of [getSettlementDifferences, getLedgerDays, getSettlementFiles])
        void client.invalidateQueries({ queryKey: [call.name] });
    }
  };
  return (
    <>
      <div>
        <Button
          call={fetchSettlement}
          size="sm"
          variant="secondary"
          isPending={isPending}
          isDisabled={offered.size === 0}
          onPress={() => void run()}
        >
          {t('files.fetchAll')}
        </Button>
      </div>
      <ErrorAlert error={error} />
      {fetched ? (
        <Alert tone={fetched.differences > 0 ? 'warning' : 'success'}>
          {fetched.files === 0 ? t('files.noneMissing') : t('files.fetchedAll', { ...fetched })}
        </Alert>
      ) : null}
    </>
  );
}

function ImportResult({ result }: { result: SettlementImport }) {
  const { t } = useTranslation('ledger');
  const { problems, isKnown, lines, matched, differences } = result;
  if (problems.length === 0)
    return (
      <Alert tone={differences > 0 && !isKnown ? 'warning' : 'success'}>
        {isKnown ? t('files.known') : t('files.imported', { lines, matched, differences })}
      </Alert>
    );
  return (
    <Alert tone="danger">
      <p>{t('files.problems')}</p>
      <ul className="list-disc ps-5">
        {problems.map(({ row, column, message }) => (
          <li key={`${row} ${column} ${message}`}>
            <span>{column ? t('files.place', { row, column }) : t('files.row', { row })}</span>
            {': '}
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** Fetches or uploads the settlement file of a provider for a day. */
export function SettlementFiles() {
  const { t } = useTranslation(['ledger', 'payment-desk']);
  const client = useQueryClient();
  const yesterday = dayAfter(serverToday(), -1);
  const { data: rates } = useCall(getProviderCharges, {});
  const [chosen, setChosen] = useState<ProviderChargeRate['provider']>('paypro');
  const [day, setDay] = useState(yesterday);
  const [isPending, setIsPending] = useState(false);
  const [result, setResult] = useState<SettlementImport>();
  const [error, setError] = useState<ApiError>();
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && day <= yesterday;
  const run = async (work: () => Promise<SettlementImport>) => {
    setIsPending(true);
    setError(undefined);
    setResult(undefined);
    try {
      setResult(await work());
      for (const call of [getSettlementDifferences, getLedgerDays, getSettlementFiles])
        void client.invalidateQueries({ queryKey: [call.name] });
    } catch (thrown) {
      setError(thrown as ApiError);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg">{t('files.title')}</h2>
      <p className="text-ink-600">{t('files.hint')}</p>
      <p className="text-sm text-ink-600">
        {t('files.columns', { columns: `\u2066${fileColumns}\u2069` })}
      </p>
      <div className="flex flex-col gap-4 md:flex-row md:items-end">
        <div className="md:w-60">
          <SelectField
            label={t('provider')}
            value={chosen}
            onChange={(value) => setChosen(value as ProviderChargeRate['provider'])}
            choices={(rates ?? []).map(({ provider }) => ({
              value: provider,
              label: t(`payment-desk:providers.${provider}`),
            }))}
          />
        </div>
        <DayField
          label={t('day')}
          value={day}
          onChange={setDay}
          max={yesterday}
          error={isDay ? undefined : t('files.dayMissing')}
          isRequired
        />
        <div className="flex flex-wrap gap-2 md:pb-1">
          {rates?.find(({ provider }) => provider === chosen)?.isFetched ? (
            <Button
              call={fetchSettlement}
              size="sm"
              isPending={isPending}
              isDisabled={!isDay}
              onPress={() =>
                void run(() =>
                  send(fetchSettlement, {
                    body: { provider: chosen, day },
                    skipErrorHandling: true,
                  }),
                )
              }
            >
              {t('files.fetch')}
            </Button>
          ) : null}
          <FileButton
            call={importSettlement}
            label={t('files.upload')}
            pendingLabel={t('files.upload')}
            isPending={isPending || !isDay}
            accept={['.csv', 'text/csv']}
            onChoose={(file) =>
              void run(() =>
                send(importSettlement, {
                  query: { Provider: chosen, Day: day },
                  content: file,
                  skipErrorHandling: true,
                }),
              )
            }
          />
        </div>
      </div>
      <FetchMissing rates={rates ?? []} />
      {error ? <ErrorAlert error={error} /> : null}
      {result ? <ImportResult result={result} /> : null}
    </section>
  );
}

interface ChargeForm {
  rate: number | undefined;
  fixed: number | undefined;
}

function ChargeDialog({ rate, onClose }: { rate: ProviderChargeRate; onClose: () => void }) {
  const { t } = useTranslation(['ledger', 'payment-desk']);
  const client = useQueryClient();
  const form = useForm<ChargeForm>({
    defaultValues: { rate: rate.rate / 100, fixed: rate.fixed },
  });
  const action = useAction(saveProviderCharge, {
    skipErrorHandling: true,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [getProviderCharges.name] });
      showToast(t('charges.saved'), 'success');
      onClose();
    },
    onError: () => void client.invalidateQueries({ queryKey: [getProviderCharges.name] }),
  });
  const isRate = (value: number | undefined) => value !== undefined && value >= 0 && value <= 100;
  const isFixed = (value: number | undefined) =>
    value !== undefined && Number.isInteger(value) && value >= 0 && value <= 1_000_000;
  return (
    <FormDialog
      form={form}
      title={t(`payment-desk:providers.${rate.provider}`)}
      submitLabel={t('charges.save')}
      cancelLabel={t('cancel')}
      isPending={action.isPending}
      error={action.error}
      errorPosition="bottom"
      onResetError={action.reset}
      onSubmit={(values) =>
        action.mutate({
          body: {
            provider: rate.provider,
            rate: Math.round((values.rate ?? 0) * 100),
            fixed: values.fixed ?? 0,
            version: rate.version,
          },
        })
      }
      onClose={onClose}
    >
      <FormField
        control={form.control}
        name="rate"
        validate={(value) => (isRate(value) ? undefined : t('charges.rateWrong'))}
      >
        {(field) => <NumberField {...field} label={t('charges.rate')} />}
      </FormField>
      <FormField
        control={form.control}
        name="fixed"
        validate={(value) => (isFixed(value) ? undefined : t('charges.fixedWrong'))}
      >
        {(field) => <MoneyField {...field} label={t('charges.fixed')} />}
      </FormField>
    </FormDialog>
  );
}

function useChargeColumns(
  onEdit: (rate: ProviderChargeRate) => void,
): Column<ProviderChargeRate>[] {
  const { t } = useTranslation(['ledger', 'payment-desk']);
  const { money, count } = useFormat();
  return [
    {
      key: 'provider',
      header: t('provider'),
      isPrimary: true,
      cell: (row) => t(`payment-desk:providers.${row.provider}`),
    },
    {
      key: 'charge',
      header: t('charges.title'),
      cell: (row) =>
        row.version === 0
          ? t('charges.unknown')
          : t('charges.value', { rate: count(row.rate / 100), fixed: money(row.fixed) }),
    },
    buttonColumn({
      call: saveProviderCharge,
      key: 'action',
      header: t('days.action'),
      text: t('charges.edit'),
      labelOf: (row) =>
        t('charges.editName', {
          name: t(`payment-desk:providers.${row.provider}`),
        }),
      onPress: onEdit,
    }),
  ];
}

/** What each provider charges, with which its settlement is compared. */
export function ProviderCharges() {
  const { t } = useTranslation('ledger');
  const { data } = useCall(getProviderCharges, {});
  const [open, setOpen] = useState<ProviderChargeRate>();
  const columns = useChargeColumns(setOpen);
  if (!data) return null;
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg">{t('charges.title')}</h2>
      <p className="text-ink-600">{t('charges.hint')}</p>
      <DataTable
        caption={t('charges.title')}
        columns={columns}
        rows={data}
        rowKey={(row) => row.provider}
      />
      {open ? <ChargeDialog rate={open} onClose={() => setOpen(undefined)} /> : null}
    </section>
  );
}
