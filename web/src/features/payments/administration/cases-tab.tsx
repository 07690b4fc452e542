import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { TypedText } from '#ui/values/typed-text.tsx';
import {
  decidePaymentCase,
  getPaymentCases,
  getRefusedPaymentMessages,
  type PaymentCase,
  type RefusedMessages,
} from '@diwan/contract/payments/events';
import { getWaitingCharges } from '@diwan/contract/processing/waiting-charges';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { DecisionDialog } from './decision-dialog.tsx';
import { usePaymentFilters } from './payment-query.ts';
import { Amount, FilteredTable, PaymentLink } from './payments-list.tsx';

/** Decides a case. Each decision says what happens to the money. */
function CaseDialog({ found, onClose }: { found: PaymentCase; onClose: () => void }) {
  const { t } = useTranslation('payment-desk');
  const client = useQueryClient();
  // All other cases are about money that goes back.
  const hasArrived = ['wrongAmount', 'wrongCurrency', 'unknownReference'].includes(found.kind);
  const action = useAction(decidePaymentCase, {
    skipErrorHandling: true,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [getPaymentCases.name] });
      showToast(t('cases.saved'), 'success');
      onClose();
    },
    onError: () => void client.invalidateQueries({ queryKey: [getPaymentCases.name] }),
  });
  return (
    <DecisionDialog
      title={t(`cases.kinds.${found.kind}`)}
      submitLabel={t('cases.decide')}
      choices={found.decisions.map((value) => ({
        value,
        label: t(`cases.decisions.${value}`),
        hint: t(`cases.effects.${value}`),
      }))}
      action={action}
      onDecide={(decision, note) =>
        action.mutate({ body: { id: found.id, version: found.version, decision, note } })
      }
      onClose={onClose}
    >
      <p className="text-ink-700">
        <span>{t(hasArrived ? 'cases.arrived' : 'amount')}</span>{' '}
        <Amount amount={found.amount} currency={found.currency} />
        {found.expected === undefined || !hasArrived ? null : (
          <>
            {' · '}
            {t('cases.expected')} <Amount amount={found.expected} currency="AED" />
          </>
        )}
      </p>
      {found.detail === '' ? null : (
        <p className="text-ink-700">
          <span>{t('cases.detail')}</span> <bdi dir="ltr">{found.detail}</bdi>
        </p>
      )}
    </DecisionDialog>
  );
}

function useRefusedColumns(): Column<RefusedMessages>[] {
  const { t } = useTranslation('payment-desk');
  const { count } = useFormat();
  return [
    {
      key: 'reason',
      header: t('refused.reason'),
      isPrimary: true,
      cell: (row) => t(`refused.reasons.${row.reason}`),
    },
    { key: 'provider', header: t('provider'), cell: (row) => t(`providers.${row.provider}`) },
    {
      key: 'times',
      header: t('refused.times'),
      align: 'end',
      cell: (row) => count(row.times),
    },
    { key: 'lastAt', header: t('refused.last'), cell: (row) => <Moment at={row.lastAt} /> },
  ];
}

/** Messages to the payment address that were refused. */
function RefusedMessagesList() {
  const { t } = useTranslation('payment-desk');
  const columns = useRefusedColumns();
  const { data } = useCall(getRefusedPaymentMessages, {});
  if (!data || data.length === 0) return null;
  return (
    <section className="pt-8">
      <h2 className="pb-1 text-lg">{t('refused.title')}</h2>
      <p className="pb-3 text-ink-600">{t('refused.lead')}</p>
      <DataTable
        caption={t('refused.title')}
        columns={columns}
        rows={data}
        rowKey={(row) => `${row.provider} ${row.reason} ${row.hour}`}
      />
    </section>
  );
}

type WaitingCharge = ReplyOf<typeof getWaitingCharges>[number];

function useChargeColumns(): Column<WaitingCharge>[] {
  const { t } = useTranslation('waiting-charges');
  return [
    {
      key: 'request',
      header: t('request'),
      isPrimary: true,
      cell: ({ requestNumber }) => (
        <Link
          to={`/requests/request-details?request-number=${encodeURIComponent(requestNumber)}`}
          className="row-link link"
        >
          <bdi dir="ltr">{requestNumber}</bdi>
        </Link>
      ),
    },
    {
      key: 'amount',
      header: t('amount'),
      align: 'end',
      cell: ({ amount }) => <Amount amount={amount} currency="AED" />,
    },
    {
      key: 'askedBy',
      header: t('askedBy'),
      cell: ({ askedBy, isOwn }) => (
        <span className="flex flex-col">
          <bdi>{askedBy}</bdi>
          {isOwn ? <span className="text-sm text-ink-600">{t('yours')}</span> : null}
        </span>
      ),
    },
    { key: 'at', header: t('since'), cell: ({ at }) => <Moment at={at} /> },
  ];
}

/** The fines and fees of staff that wait for a second person; they are confirmed on the request. */
function WaitingCharges() {
  const { t } = useTranslation('waiting-charges');
  const columns = useChargeColumns();
  const { data } = useCall(getWaitingCharges, {});
  if (!data || data.length === 0) return null;
  return (
    <section className="pb-8">
      <h2 className="pb-1 text-lg">{t('title')}</h2>
      <p className="pb-3 text-ink-600">{t('lead')}</p>
      <DataTable
        caption={t('title')}
        columns={columns}
        rows={data}
        rowKey={({ heldActionId }) => heldActionId}
      />
    </section>
  );
}

function useCaseColumns(onDecide: (found: PaymentCase) => void): Column<PaymentCase>[] {
  const { t } = useTranslation('payment-desk');
  return [
    {
      key: 'kind',
      header: t('cases.kind'),
      isPrimary: true,
      cell: (row) =>
        row.requestId === undefined ? (
          t(`cases.kinds.${row.kind}`)
        ) : (
          <PaymentLink merchantReference={row.merchantReference}>
            {t(`cases.kinds.${row.kind}`)}
          </PaymentLink>
        ),
    },
    {
      key: 'reference',
      header: t('reference'),
      cell: (row) => <bdi dir="ltr">{row.merchantReference}</bdi>,
    },
    {
      key: 'amount',
      header: t('amount'),
      align: 'end',
      cell: (row) => <Amount {...row} />,
    },
    { key: 'at', header: t('cases.since'), cell: (row) => <Moment at={row.createdAt} /> },
    {
      key: 'action',
      header: t('cases.decision'),
      isControl: true,
      cell: (row) =>
        row.decision ? (
          <span className="flex flex-col items-start text-sm">
            <span>{t(`cases.decided.${row.decision}`)}</span>
            <TypedText className="text-ink-600">{row.note}</TypedText>
            {row.decidedBy ? <bdi className="text-ink-600">{row.decidedBy}</bdi> : null}
          </span>
        ) : (
          <Button
            call={decidePaymentCase}
            size="sm"
            variant="secondary"
            aria-label={t('cases.decideName', { name: row.merchantReference })}
            onPress={() => onDecide(row)}
          >
            {t('cases.decide')}
          </Button>
        ),
    },
  ];
}

/** What an admin must decide, and what was decided. */
export function CasesTab() {
  const { t } = useTranslation('payment-desk');
  const of = usePaymentFilters('cases');
  const [open, setOpen] = useState<PaymentCase>();
  const list = useCall(getPaymentCases, {
    query: { ...of.query, ...of.page },
    keepPrevious: true,
  });
  const columns = useCaseColumns(setOpen);
  return (
    <>
      <WaitingCharges />
      <FilteredTable
        of={of}
        list={list}
        caption={t('tabs.cases')}
        emptyTitle={t('cases.none')}
        emptyText={t('cases.noneText')}
        columns={columns}
        rowKey={(row) => row.id}
      />
      <RefusedMessagesList />
      {open ? <CaseDialog found={open} onClose={() => setOpen(undefined)} /> : null}
    </>
  );
}
