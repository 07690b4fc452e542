import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { getAgencyRecords } from '@diwan/contract/catalogue/agencies';
import {
  getPaymentRouting,
  savePaymentProvider,
  savePaymentRule,
  type PaymentProviderName,
  type PaymentProviderRecord,
  type PaymentRule,
} from '@diwan/contract/payments/providers';
import { useAction, useCall } from '../../../lib/api/use-call.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { useTranslation } from '../../../lib/i18n/translate.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { DataTable, type Column } from '../../../ui/data/data-table.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';
import { ComboField } from '../../../ui/forms/combo-field.tsx';
import { FormDialog, FormField } from '../../../ui/forms/form-dialog.tsx';
import { MoneyField, NumberField } from '../../../ui/forms/number-field.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { StatusTag } from '../../../ui/values/status-tag.tsx';

const none = '-';

interface RuleForm {
  agencyId: string;
  serviceId: number | undefined;
  minimum: number | undefined;
  maximum: number | undefined;
  provider: string;
  fallback: string;
}

function useAgencies() {
  const { language } = useLanguage();
  const { data } = useCall(getAgencyRecords, { staleTime: 60_000 });
  return (data ?? []).map((agency) => ({ value: String(agency.id), label: agency.name[language] }));
}

const isAmount = (value: number | undefined) =>
  value === undefined || (Number.isInteger(value) && value >= 0);

function RuleDialog({
  rule,
  providers,
  onClose,
}: {
  rule: PaymentRule | undefined;
  providers: readonly PaymentProviderRecord[];
  onClose: () => void;
}) {
  const { t } = useTranslation('payment-desk');
  const client = useQueryClient();
  const agencies = useAgencies();
  const form = useForm<RuleForm>({
    defaultValues: {
      agencyId: rule?.agencyId ? String(rule.agencyId) : '',
      serviceId: rule?.serviceId,
      minimum: rule?.minimum,
      maximum: rule?.maximum,
      provider: rule?.provider ?? providers[0]?.name ?? '',
      fallback: rule?.fallback ?? none,
    },
  });
  const action = useAction(savePaymentRule, {
    skipErrorHandling: true,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [getPaymentRouting.name] });
      showToast(t('routing.saved'), 'success');
      onClose();
    },
    onError: ({ name }) => {
      if (name === 'RecordHasChanged')
        void client.invalidateQueries({ queryKey: [getPaymentRouting.name] });
    },
  });
  const known = rule ? { id: rule.id, version: rule.version } : {};
  const choices = providers.map(({ name }) => ({ value: name, label: t(`providers.${name}`) }));
  const amountError = (value: number | undefined) =>
    isAmount(value) ? undefined : t('routing.amountWrong');
  return (
    <FormDialog
      form={form}
      title={t(rule ? 'routing.editTitle' : 'routing.addTitle')}
      submitLabel={t('routing.save')}
      cancelLabel={t('cancel')}
      isPending={action.isPending}
      error={action.error}
      errorPosition="bottom"
      onResetError={action.reset}
      onSubmit={({ agencyId, serviceId, minimum, maximum, provider, fallback }) =>
        action.mutate({
          body: {
            ...known,
            ...(agencyId ? { agencyId: Number(agencyId) } : {}),
            serviceId,
            minimum,
            maximum,
            provider: provider as PaymentProviderName,
            ...(fallback === none ? {} : { fallback: fallback as PaymentProviderName }),
          },
        })
      }
      onClose={onClose}
      otherAction={
        rule ? (
          <Button
            variant="quiet"
            onPress={() =>
              action.mutate({ body: { ...known, provider: rule.provider, isDeleted: true } })
            }
          >
            {t('routing.delete')}
          </Button>
        ) : null
      }
    >
      <p className="text-ink-600">{t('routing.hint')}</p>
      <FormField control={form.control} name="agencyId">
        {(field) => (
          <ComboField {...field} isOptional label={t('routing.agency')} choices={agencies} />
        )}
      </FormField>
      <FormField control={form.control} name="serviceId">
        {(field) => (
          <NumberField
            {...field}
            isOptional
            label={t('routing.service')}
            description={t('routing.serviceHint')}
          />
        )}
      </FormField>
      <FormField control={form.control} name="minimum" validate={amountError}>
        {(field) => <MoneyField {...field} isOptional label={t('routing.minimum')} />}
      </FormField>
      <FormField control={form.control} name="maximum" validate={amountError}>
        {(field) => <MoneyField {...field} isOptional label={t('routing.maximum')} />}
      </FormField>
      <FormField control={form.control} name="provider">
        {(field) => <SelectField {...field} label={t('provider')} choices={choices} />}
      </FormField>
      <FormField
        control={form.control}
        name="fallback"
        validate={(value) =>
          value === form.getValues('provider') ? t('routing.fallbackSame') : undefined
        }
      >
        {(field) => (
          <SelectField
            {...field}
            label={t('routing.fallback')}
            description={t('routing.fallbackHint')}
            choices={[{ value: none, label: t('routing.noFallback') }, ...choices]}
          />
        )}
      </FormField>
    </FormDialog>
  );
}

function useProviderColumns(): Column<PaymentProviderRecord>[] {
  const { t } = useTranslation('payment-desk');
  const client = useQueryClient();
  const save = useAction(savePaymentProvider, {
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [getPaymentRouting.name] });
      showToast(t('routing.saved'), 'success');
    },
    onError: () => void client.invalidateQueries({ queryKey: [getPaymentRouting.name] }),
  });
  return [
    {
      key: 'name',
      header: t('provider'),
      isPrimary: true,
      cell: (row) => t(`providers.${row.name}`),
    },
    {
      key: 'state',
      header: t('status'),
      cell: (row) => (
        <StatusTag tone={row.isConfigured && row.isEnabled ? 'done' : 'waiting'}>
          {t(
            !row.isConfigured
              ? 'routing.notConfigured'
              : row.isEnabled
                ? 'routing.on'
                : 'routing.off',
          )}
        </StatusTag>
      ),
    },
    {
      key: 'action',
      header: t('routing.action'),
      isControl: true,
      cell: (row) => {
        const { name, isEnabled, position, version } = row;
        return (
          <Button
            size="sm"
            variant="secondary"
            isDisabled={save.isPending || !row.isConfigured}
            aria-label={t(isEnabled ? 'routing.switchOffName' : 'routing.switchOnName', {
              name: t(`providers.${name}`),
            })}
            onPress={() =>
              save.mutate({ body: { name, isEnabled: !isEnabled, position, version } })
            }
          >
            {t(isEnabled ? 'routing.switchOff' : 'routing.switchOn')}
          </Button>
        );
      },
    },
  ];
}

function Providers({ providers }: { providers: readonly PaymentProviderRecord[] }) {
  const { t } = useTranslation('payment-desk');
  const columns = useProviderColumns();
  return (
    <DataTable
      caption={t('routing.providers')}
      columns={columns}
      rows={providers}
      rowKey={(row) => row.name}
    />
  );
}

function useRuleColumns(onEdit: (rule: PaymentRule) => void): Column<PaymentRule>[] {
  const { t } = useTranslation('payment-desk');
  const { money, count } = useFormat();
  const agencies = useAgencies();
  const conditionsOf = ({ agencyId, serviceId, minimum, maximum }: PaymentRule) => {
    const conditions = [
      ...(agencyId
        ? [agencies.find(({ value }) => value === String(agencyId))?.label ?? count(agencyId)]
        : []),
      ...(serviceId ? [t('routing.ofService', { id: count(serviceId) })] : []),
      ...(minimum === undefined ? [] : [t('routing.from', { amount: money(minimum) })]),
      ...(maximum === undefined ? [] : [t('routing.upTo', { amount: money(maximum) })]),
    ];
    return conditions.length === 0 ? t('routing.always') : conditions.join(' · ');
  };
  return [
    {
      key: 'when',
      header: t('routing.when'),
      isPrimary: true,
      cell: (rule) => <bdi>{conditionsOf(rule)}</bdi>,
    },
    {
      key: 'provider',
      header: t('provider'),
      cell: (rule) => t(`providers.${rule.provider}`),
    },
    {
      key: 'fallback',
      header: t('routing.fallback'),
      cell: (rule) => (rule.fallback ? t(`providers.${rule.fallback}`) : t('routing.noFallback')),
    },
    {
      key: 'action',
      header: t('routing.action'),
      isControl: true,
      cell: (rule) => (
        <Button
          size="sm"
          variant="secondary"
          aria-label={t('routing.editName', { name: conditionsOf(rule) })}
          onPress={() => onEdit(rule)}
        >
          {t('routing.edit')}
        </Button>
      ),
    },
  ];
}

/** The providers, and the rules that choose one for a payment. */
export function RoutingTab() {
  const { t } = useTranslation('payment-desk');
  const [open, setOpen] = useState<{ rule?: PaymentRule }>();
  const columns = useRuleColumns((rule) => setOpen({ rule }));
  const { data, error, refetch, isRefetching } = useCall(getPaymentRouting, {});
  if (error && !data)
    return (
      <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
    );
  if (!data) return <SkeletonRows count={4} />;
  return (
    <div className="flex flex-col gap-8">
      <section>
        <h2 className="pb-1 text-lg">{t('routing.providers')}</h2>
        <p className="pb-3 text-ink-600">{t('routing.providersHint')}</p>
        <Providers providers={data.providers} />
      </section>
      <section className="flex flex-col items-start gap-3">
        <div>
          <h2 className="pb-1 text-lg">{t('routing.rules')}</h2>
          <p className="text-ink-600">{t('routing.rulesHint')}</p>
        </div>
        <Button icon={<Plus aria-hidden size={18} />} onPress={() => setOpen({})}>
          {t('routing.add')}
        </Button>
        <div className="w-full">
          {data.rules.length === 0 ? (
            <p className="text-ink-600">{t('routing.none')}</p>
          ) : (
            <DataTable
              caption={t('routing.rules')}
              columns={columns}
              rows={data.rules}
              rowKey={(rule) => rule.id}
            />
          )}
        </div>
      </section>
      {open ? (
        <RuleDialog
          {...open}
          rule={open.rule}
          providers={data.providers}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
    </div>
  );
}
