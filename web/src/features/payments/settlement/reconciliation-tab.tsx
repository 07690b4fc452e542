import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { May } from '#ui/editing/permitted.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { TypedText } from '#ui/values/typed-text.tsx';
import {
  confirmSettlementDifference,
  decideSettlementDifference,
  getLedgerDays,
  getSettlementDifferences,
  type SettlementDifference,
  importSettlement,
} from '@diwan/contract/payments/ledger';
import { getProviderChargeLines, type ChargeLine } from '@diwan/contract/payments/payment-lists';
import { DecisionDialog } from '../administration/decision-dialog.tsx';
import { ledgerRefreshMs } from '../administration/ledger-tab.tsx';
import { usePaymentFilters } from '../administration/payment-query.ts';
import { Amount, FilteredTable, PaymentLink } from '../administration/payments-list.tsx';
import { ImportedFiles } from './imported-files.tsx';
import { ProviderCharges, SettlementFiles } from './settlement-files.tsx';

function useRefresh() {
  const client = useQueryClient();
  return () => {
    for (const call of [getSettlementDifferences, getLedgerDays])
      void client.invalidateQueries({ queryKey: [call.name] });
  };
}

function DifferenceDialog({
  found,
  onClose,
}: {
  found: SettlementDifference;
  onClose: () => void;
}) {
  const { t } = useTranslation('ledger');
  const refresh = useRefresh();
  const action = useAction(decideSettlementDifference, {
    skipErrorHandling: true,
    onSuccess: () => {
      refresh();
      showToast(t('differences.saved'), 'success');
      onClose();
    },
    onError: refresh,
  });
  return (
    <DecisionDialog
      title={t(`differences.kinds.${found.kind}`)}
      submitLabel={t('differences.decide')}
      choices={found.decisions.map((value) => ({
        value,
        label: t(`differences.decisions.${value}`),
        hint: t(`differences.effects.${value}`),
      }))}
      action={action}
      onDecide={(decision, note) => {
        if (decision === 'accept' || decision === 'correct')
          action.mutate({ body: { id: found.id, version: found.version, decision, note } });
      }}
      onClose={onClose}
    >
      <p className="text-ink-700">
        {t('differences.expected')}
        {': '}
        <Side amount={found.expected} currency={found.currency} />
        {' · '}
        {t('differences.actual')}
        {': '}
        <Side amount={found.actual} currency={found.currency} />
      </p>
    </DecisionDialog>
  );
}

/** One side of a difference; nothing where that side has no line. */
function Side({ amount, currency }: { amount: number | undefined; currency: string }) {
  const { t } = useTranslation('ledger');
  return amount === undefined ? (
    <span className="text-ink-600">{t('differences.nothing')}</span>
  ) : (
    <Amount amount={amount} currency={currency} />
  );
}

/** Confirms or sends back the decision of another person. */
function WaitingActions({ row }: { row: SettlementDifference }) {
  const { t } = useTranslation('ledger');
  const refresh = useRefresh();
  const action = useAction(confirmSettlementDifference, {
    onSuccess: () => {
      refresh();
      showToast(t('differences.saved'), 'success');
    },
    onError: refresh,
  });
  const confirm = (isConfirmed: boolean) =>
    action.mutate({ body: { id: row.id, version: row.version, isConfirmed } });
  const name = row.merchantReference;
  return (
    <span className="flex flex-col items-start gap-2 text-sm">
      {row.decision ? <span>{t(`differences.decisions.${row.decision}`)}</span> : null}
      <TypedText className="text-ink-600">{row.note}</TypedText>
      <span className="flex flex-wrap gap-2">
        {row.isOwn ? (
          <span className="text-ink-600">{t('differences.waitsForAnother')}</span>
        ) : (
          <Button
            call={confirmSettlementDifference}
            size="sm"
            isPending={action.isPending}
            aria-label={t('differences.confirmName', { name })}
            onPress={() => confirm(true)}
          >
            {t('differences.confirm')}
          </Button>
        )}
        <Button
          call={confirmSettlementDifference}
          size="sm"
          variant="secondary"
          isPending={action.isPending}
          aria-label={t('differences.sendBackName', { name })}
          onPress={() => confirm(false)}
        >
          {t('differences.sendBack')}
        </Button>
      </span>
    </span>
  );
}

function useColumns(onDecide: (row: SettlementDifference) => void): Column<SettlementDifference>[] {
  const { t } = useTranslation(['ledger', 'payment-desk']);
  const { date } = useFormat();
  return [
    {
      key: 'kind',
      header: t('differences.kind'),
      isPrimary: true,
      cell: (row) =>
        row.isKnown ? (
          <PaymentLink merchantReference={row.merchantReference}>
            {t(`differences.kinds.${row.kind}`)}
          </PaymentLink>
        ) : (
          t(`differences.kinds.${row.kind}`)
        ),
    },
    {
      key: 'reference',
      header: t('differences.reference'),
      cell: (row) => (
        <span className="flex flex-col items-start">
          <bdi dir="ltr" className="wrap-anywhere">
            {row.merchantReference}
          </bdi>
          <span className="text-sm text-ink-600">
            <bdi>{t(`payment-desk:providers.${row.provider}`)}</bdi>
            {' · '}
            <bdi>{date(row.day)}</bdi>
            {row.row === undefined ? null : (
              <>
                {' · '}
                <bdi className="whitespace-nowrap">{t('files.row', { row: row.row })}</bdi>
              </>
            )}
          </span>
        </span>
      ),
    },
    {
      key: 'expected',
      header: t('differences.expected'),
      align: 'end',
      cell: (row) => <Side amount={row.expected} currency={row.currency} />,
    },
    {
      key: 'actual',
      header: t('differences.actual'),
      align: 'end',
      cell: (row) => <Side amount={row.actual} currency={row.currency} />,
    },
    {
      key: 'action',
      header: t('differences.decision'),
      isControl: true,
      cell: (row) => {
        if (row.state === 'waiting') return <WaitingActions row={row} />;
        if (row.state === 'resolved')
          return (
            <span className="flex flex-col items-start text-sm">
              {row.decision ? <span>{t(`differences.decided.${row.decision}`)}</span> : null}
              <TypedText className="text-ink-600">{row.note}</TypedText>
              {row.decidedBy ? <bdi className="text-ink-600">{row.decidedBy}</bdi> : null}
            </span>
          );
        return (
          <Button
            call={decideSettlementDifference}
            size="sm"
            variant="secondary"
            aria-label={t('differences.decideName', { name: row.merchantReference })}
            onPress={() => onDecide(row)}
          >
            {t('differences.decide')}
          </Button>
        );
      },
    },
  ];
}

/** What settlement files and the ledger disagree about, the files, and the providers' charges. */
export function ReconciliationTab() {
  const { t } = useTranslation('ledger');
  const of = usePaymentFilters('differences');
  const [open, setOpen] = useState<SettlementDifference>();
  const list = useCall(getSettlementDifferences, {
    query: { ...of.query, ...of.page },
    keepPrevious: true,
    refetchInterval: ledgerRefreshMs,
  });
  const columns = useColumns(setOpen);
  return (
    <div className="flex flex-col gap-10">
      <section className="flex flex-col gap-3">
        <h2 className="text-lg">{t('tabs.differences')}</h2>
        <FilteredTable
          of={of}
          list={list}
          caption={t('tabs.differences')}
          emptyTitle={t('differences.none')}
          emptyText={t('differences.noneText')}
          columns={columns}
          rowKey={(row) => row.id}
        />
      </section>
      <May call={importSettlement}>
        <SettlementFiles />
      </May>
      <ImportedFiles />
      <ProviderCharges />
      {open ? <DifferenceDialog found={open} onClose={() => setOpen(undefined)} /> : null}
    </div>
  );
}

function useChargeColumns(): Column<ChargeLine>[] {
  const { t } = useTranslation(['payment-lists', 'payment-desk']);
  return [
    {
      key: 'reference',
      header: t('columns.reference'),
      isPrimary: true,
      cell: (row) =>
        row.requestNumber === undefined ? (
          <Reference>{row.merchantReference}</Reference>
        ) : (
          <PaymentLink isRow merchantReference={row.merchantReference} />
        ),
    },
    { key: 'kind', header: t('columns.movement'), cell: (row) => t(`states.charges.${row.kind}`) },
    {
      key: 'amount',
      header: t('columns.amount'),
      align: 'end',
      cell: (row) => <Amount amount={row.amount} currency={row.currency} />,
    },
    {
      key: 'charge',
      header: t('columns.charge'),
      align: 'end',
      cell: (row) => <Amount amount={row.charge} currency={row.currency} />,
    },
    {
      key: 'provider',
      header: t('columns.provider'),
      isHiddenOnPhone: true,
      cell: (row) => t(`payment-desk:providers.${row.provider}`),
    },
    { key: 'at', header: t('columns.time'), cell: (row) => <Moment at={row.at} /> },
  ];
}

/** What providers charged, by the lines of their settlement files. */
export function ChargesTab() {
  const { t } = useTranslation('payment-lists');
  const of = usePaymentFilters('charges');
  const list = useCall(getProviderChargeLines, {
    query: { ...of.query, ...of.page },
    keepPrevious: true,
  });
  const columns = useChargeColumns();
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg">{t('charges.title')}</h2>
      <p className="text-ink-600">{t('charges.lead')}</p>
      <FilteredTable
        of={of}
        list={list}
        caption={t('charges.title')}
        emptyTitle={t('charges.none')}
        emptyText={t('charges.noneText')}
        columns={columns}
        rowKey={(row) => row.id}
      />
    </section>
  );
}
