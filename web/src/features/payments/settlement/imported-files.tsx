import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { TypedText } from '#ui/values/typed-text.tsx';
import {
  getLedgerBalances,
  getLedgerDays,
  getSettlementDifferences,
} from '@diwan/contract/payments/ledger';
import {
  decideWithdrawal,
  getSettlementFiles,
  withdrawSettlement,
  type SettlementFile,
} from '@diwan/contract/payments/settlement-files';
import { ledgerRefreshMs } from '../administration/ledger-tab.tsx';
import { PagedTable } from '../administration/payments-list.tsx';

function useRefreshFiles() {
  const client = useQueryClient();
  return () => {
    for (const call of [
      getSettlementFiles,
      getSettlementDifferences,
      getLedgerDays,
      getLedgerBalances,
    ])
      void client.invalidateQueries({ queryKey: [call.name] });
  };
}

/** What a text of a button says about a file. */
function useFileName() {
  const { t } = useTranslation(['ledger', 'payment-desk']);
  const { date } = useFormat();
  return ({ provider, day }: SettlementFile) => ({
    provider: t(`payment-desk:providers.${provider}`),
    day: date(day),
  });
}

function WithdrawDialog({ file, onClose }: { file: SettlementFile; onClose: () => void }) {
  const { t } = useTranslation('ledger');
  const refresh = useRefreshFiles();
  const nameOf = useFileName();
  const form = useForm({ defaultValues: { reason: '' } });
  const action = useAction(withdrawSettlement, {
    skipErrorHandling: true,
    onSuccess: ({ state }) => {
      refresh();
      showToast(t(state === 'waiting' ? 'files.waits' : 'files.withdrawn'), 'success');
      onClose();
    },
    onError: refresh,
  });
  return (
    <FormDialog
      form={form}
      title={t('files.withdrawName', nameOf(file))}
      submitLabel={t('files.withdraw')}
      cancelLabel={t('cancel')}
      isPending={action.isPending}
      error={action.error}
      errorPosition="bottom"
      submitsOnEnter={false}
      onResetError={action.reset}
      onSubmit={({ reason }) => action.mutate({ body: { id: file.id, reason } })}
      onClose={onClose}
    >
      <p className="text-ink-700">{t('files.withdrawText')}</p>
      {file.matched > 0 ? <p className="text-ink-700">{t('files.secondPerson')}</p> : null}
      <FormField
        control={form.control}
        name="reason"
        validate={(value) => (value.trim() === '' ? t('files.reasonMissing') : undefined)}
      >
        {(field) => <TextAreaField {...field} label={t('files.reason')} maxLength={500} />}
      </FormField>
    </FormDialog>
  );
}

function WaitingFile({ file }: { file: SettlementFile }) {
  const { t } = useTranslation('ledger');
  const refresh = useRefreshFiles();
  const nameOf = useFileName();
  const action = useAction(decideWithdrawal, {
    onSuccess: () => {
      refresh();
      showToast(t('files.decided'), 'success');
    },
    onError: refresh,
  });
  const decide = (isConfirmed: boolean) => action.mutate({ body: { id: file.id, isConfirmed } });
  return (
    <span className="flex flex-wrap items-center gap-2">
      {file.isOwn ? (
        <span className="text-sm text-ink-600">{t('files.another')}</span>
      ) : (
        <Button
          call={decideWithdrawal}
          size="sm"
          isPending={action.isPending}
          aria-label={t('files.confirmName', nameOf(file))}
          onPress={() => decide(true)}
        >
          {t('files.confirm')}
        </Button>
      )}
      <Button
        call={decideWithdrawal}
        size="sm"
        variant="secondary"
        isPending={action.isPending}
        aria-label={t('files.refuseName', nameOf(file))}
        onPress={() => decide(false)}
      >
        {t('files.refuse')}
      </Button>
    </span>
  );
}

const tones = { imported: 'done', waiting: 'waiting', withdrawn: 'refused' } as const;

function useColumns(onWithdraw: (file: SettlementFile) => void): Column<SettlementFile>[] {
  const { t } = useTranslation('ledger');
  const { count } = useFormat();
  const nameOf = useFileName();
  return [
    {
      key: 'file',
      header: t('files.file'),
      isPrimary: true,
      cell: (row) => (
        <span className="flex flex-col">
          <bdi>{nameOf(row).provider}</bdi>
          <bdi>{nameOf(row).day}</bdi>
        </span>
      ),
    },
    {
      key: 'lines',
      header: t('files.lines'),
      cell: (row) => (
        <span className="flex flex-col text-sm">
          <span>
            {t('files.linesOf', {
              lines: count(row.lines),
              matched: count(row.matched),
              differences: count(row.differences),
            })}
          </span>
          <span className="text-ink-600">
            {row.importedBy ? t('files.importedBy', { name: row.importedBy }) : t('files.fetched')}
          </span>
          <Moment at={row.importedAt} />
        </span>
      ),
    },
    {
      key: 'state',
      header: t('days.state'),
      cell: (row) => (
        <span className="flex flex-col items-start gap-1 text-sm">
          <StatusTag tone={tones[row.state]}>{t(`files.states.${row.state}`)}</StatusTag>
          {row.reason ? <TypedText>{row.reason}</TypedText> : null}
          {row.askedBy ? (
            <span className="text-ink-600">{t('files.askedBy', { name: row.askedBy })}</span>
          ) : null}
          {row.decidedBy ? (
            <span className="text-ink-600">{t('files.decidedBy', { name: row.decidedBy })}</span>
          ) : null}
        </span>
      ),
    },
    {
      key: 'action',
      header: t('days.action'),
      isControl: true,
      cell: (row) => {
        if (row.state === 'waiting') return <WaitingFile file={row} />;
        if (row.state === 'withdrawn') return null;
        if (row.isClosed)
          return <span className="text-sm text-ink-600">{t('files.dayClosed')}</span>;
        return (
          <Button
            call={withdrawSettlement}
            size="sm"
            variant="secondary"
            aria-label={t('files.withdrawName', nameOf(row))}
            onPress={() => onWithdraw(row)}
          >
            {t('files.withdraw')}
          </Button>
        );
      },
    },
  ];
}

// Several files a day.
const filesOnPage = 10;

/** The settlement files that were imported, which an admin withdraws while their day is open. */
export function ImportedFiles() {
  const { t } = useTranslation('ledger');
  const [page, setPage] = useState(1);
  const [withdrawing, setWithdrawing] = useState<SettlementFile>();
  const list = useCall(getSettlementFiles, {
    query: { PageNumber: page, Take: filesOnPage },
    keepPrevious: true,
    refetchInterval: ledgerRefreshMs,
  });
  const columns = useColumns(setWithdrawing);
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg">{t('files.listTitle')}</h2>
      <PagedTable
        list={list}
        caption={t('files.listTitle')}
        emptyTitle={t('files.none')}
        emptyText={t('files.noneText')}
        columns={columns}
        rowKey={(row) => row.id}
        page={page}
        size={filesOnPage}
        onPage={setPage}
      />
      {withdrawing ? (
        <WithdrawDialog file={withdrawing} onClose={() => setWithdrawing(undefined)} />
      ) : null}
    </section>
  );
}
