import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sendForFile } from '#lib/api/send.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  decideLedgerClosing,
  getClosingStatement,
  getLedgerClosings,
  type LedgerClosing,
} from '@diwan/contract/payments/closings';
import { getLedgerDays } from '@diwan/contract/payments/ledger';
import { DownloadButtons } from './download-buttons.tsx';
import { PagedTable } from './payments-list.tsx';

/** Reads again what a closing changes. */
export function useRefreshClosings() {
  const client = useQueryClient();
  return () => {
    for (const call of [getLedgerClosings, getLedgerDays])
      void client.invalidateQueries({ queryKey: [call.name] });
  };
}

function WaitingClosing({ closing }: { closing: LedgerClosing }) {
  const { t } = useTranslation('closings');
  const { date } = useFormat();
  const refresh = useRefreshClosings();
  const action = useAction(decideLedgerClosing, {
    onSuccess: () => {
      refresh();
      showToast(t('decided'), 'success');
    },
    onError: refresh,
  });
  const decide = (isConfirmed: boolean) => action.mutate({ body: { id: closing.id, isConfirmed } });
  const name = { day: date(closing.until) };
  return (
    <span className="flex flex-wrap items-center gap-2">
      {closing.isOwn ? (
        <span className="text-sm text-ink-600">{t('another')}</span>
      ) : (
        <Button
          size="sm"
          isPending={action.isPending}
          aria-label={t('confirmName', name)}
          onPress={() => decide(true)}
        >
          {t('confirm')}
        </Button>
      )}
      <Button
        size="sm"
        variant="secondary"
        isPending={action.isPending}
        aria-label={t('refuseName', name)}
        onPress={() => decide(false)}
      >
        {t('refuse')}
      </Button>
    </span>
  );
}

const tones = { waiting: 'waiting', closed: 'done', refused: 'refused' } as const;

function useColumns(): Column<LedgerClosing>[] {
  const { t } = useTranslation('closings');
  const { date } = useFormat();
  return [
    {
      key: 'period',
      header: t('period'),
      isPrimary: true,
      cell: ({ from, until }) => (
        <span className="flex flex-wrap gap-x-2">
          <bdi>{date(from)}</bdi>
          {until === from ? null : (
            <>
              <span aria-hidden>–</span>
              <bdi>{date(until)}</bdi>
            </>
          )}
        </span>
      ),
    },
    {
      key: 'state',
      header: t('state'),
      cell: (row) => <StatusTag tone={tones[row.state]}>{t(`states.${row.state}`)}</StatusTag>,
    },
    {
      key: 'askedBy',
      header: t('askedBy'),
      cell: (row) => <bdi>{row.askedBy ?? t('byPortal')}</bdi>,
    },
    {
      key: 'confirmedBy',
      header: t('confirmedBy'),
      cell: (row) => (row.decidedBy ? <bdi>{row.decidedBy}</bdi> : null),
    },
    {
      key: 'action',
      header: t('action'),
      isControl: true,
      cell: (row) => {
        if (row.state === 'waiting') return <WaitingClosing closing={row} />;
        if (row.state === 'refused') return null;
        return (
          <DownloadButtons
            choices={[
              {
                label: t('statement'),
                fileName: `closing-${row.until}.pdf`,
                load: () =>
                  sendForFile(getClosingStatement, {
                    query: { Id: row.id },
                    skipErrorHandling: true,
                  }),
              },
            ]}
          />
        );
      },
    },
  ];
}

const closingsOnPage = 5;

/** The closings of days: one that waits is decided, the others have a statement. */
export function Closings() {
  const { t } = useTranslation('closings');
  const [page, setPage] = useState(1);
  const list = useCall(getLedgerClosings, {
    query: { PageNumber: page, Take: closingsOnPage },
    keepPrevious: true,
  });
  const columns = useColumns();
  return (
    <PagedTable
      list={list}
      caption={t('list')}
      emptyTitle={t('noneYet')}
      emptyText={t('noneYetText')}
      columns={columns}
      rowKey={(row) => row.id}
      page={page}
      size={closingsOnPage}
      onPage={setPage}
    />
  );
}
