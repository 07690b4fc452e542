import { useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  getPaymentRouting,
  savePaymentProvider,
  savePaymentRule,
  type PaymentProviderRecord,
  type PaymentRule,
} from '@diwan/contract/payments/providers';
import { RuleDialog, useAgencies } from './rule-dialog.tsx';

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
      call: savePaymentProvider,
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

/** Moves a rule by one place; the first rule that matches decides. */
function MoveButtons({
  rule,
  rules,
  name,
}: {
  rule: PaymentRule;
  rules: readonly PaymentRule[];
  name: string;
}) {
  const { t } = useTranslation('payment-desk');
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey: [getPaymentRouting.name] });
  const move = useAction(savePaymentRule, {
    onSuccess: () => {
      refresh();
      showToast(t('routing.moved'), 'success');
    },
    onError: refresh,
  });
  const { id, version, provider } = rule;
  const index = rules.indexOf(rule);
  const press = (direction: 'up' | 'down') =>
    move.mutate({ body: { id, version, provider, move: direction } });
  return (
    <>
      <IconButton
        label={t('routing.moveUp', { name })}
        isDisabled={index === 0 || move.isPending}
        onPress={() => press('up')}
      >
        <ArrowUp aria-hidden size={18} />
      </IconButton>
      <IconButton
        label={t('routing.moveDown', { name })}
        isDisabled={index === rules.length - 1 || move.isPending}
        onPress={() => press('down')}
      >
        <ArrowDown aria-hidden size={18} />
      </IconButton>
    </>
  );
}

function useRuleColumns(
  rules: readonly PaymentRule[],
  onEdit: (rule: PaymentRule) => void,
): Column<PaymentRule>[] {
  const { t } = useTranslation('payment-desk');
  const { money, count } = useFormat();
  const agencies = useAgencies();
  const { language } = useLanguage();
  const conditionsOf = ({ agencyId, serviceName, method, minimum, maximum }: PaymentRule) => {
    const conditions = [
      ...(agencyId
        ? [agencies.find(({ value }) => value === String(agencyId))?.label ?? count(agencyId)]
        : []),
      ...(serviceName ? [serviceName[language]] : []),
      ...(method ? [t(`methods.${method}`)] : []),
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
      call: savePaymentRule,
      cell: (rule) => (
        <div className="flex flex-wrap items-center gap-1">
          <MoveButtons rule={rule} rules={rules} name={conditionsOf(rule)} />
          <Button
            size="sm"
            variant="secondary"
            aria-label={t('routing.editName', { name: conditionsOf(rule) })}
            onPress={() => onEdit(rule)}
          >
            {t('routing.edit')}
          </Button>
        </div>
      ),
    },
  ];
}

/** The providers, and the rules that choose one for a payment. */
export function RoutingTab() {
  const { t } = useTranslation('payment-desk');
  const [open, setOpen] = useState<{ rule?: PaymentRule }>();
  const { data, error, refetch, isRefetching } = useCall(getPaymentRouting, {});
  const columns = useRuleColumns(data?.rules ?? [], (rule) => setOpen({ rule }));
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
        <Button
          call={savePaymentRule}
          icon={<Plus aria-hidden size={18} />}
          onPress={() => setOpen({})}
        >
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
          rule={open.rule}
          providers={data.providers}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
    </div>
  );
}
