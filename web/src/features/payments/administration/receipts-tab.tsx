import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { saveFile } from '#lib/api/download.ts';
import { sendForFile } from '#lib/api/send.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Card } from '#ui/data/card.tsx';
import { May } from '#ui/editing/permitted.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { exportPaymentList, listFormats } from '@diwan/contract/payments/payment-lists';
import {
  cancelReceiptRun,
  getReceiptRuns,
  startReceiptRun,
  type ReceiptRun,
} from '@diwan/contract/payments/receipt-runs';
import { invoiceKinds, type InvoiceKind } from '@diwan/contract/requests/payments';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import { isRealDay } from '@diwan/contract/wire/days';
import { DownloadButtons, fileName } from './download-buttons.tsx';

const pollMs = 2000;
const every = 'all';

const tones: Record<ReceiptRun['state'], StatusTone> = {
  running: 'progress',
  done: 'done',
  cancelled: 'refused',
  failed: 'refused',
};

/** The list of the documents of a period, and the beginning of a run. */
function StartRun({ isRunning }: { isRunning: boolean }) {
  const { t } = useTranslation('payment-desk');
  const client = useQueryClient();
  const today = serverToday();
  const [from, setFrom] = useState(`${today.slice(0, 8)}01`);
  const [until, setUntil] = useState(today);
  const [kind, setKind] = useState<InvoiceKind>();
  const [withXml, setWithXml] = useState(false);
  const start = useAction(startReceiptRun, {
    skipErrorHandling: true,
    onSuccess: () => void client.invalidateQueries({ queryKey: [getReceiptRuns.name] }),
  });
  const isBackwards = from !== '' && until !== '' && until < from;
  const isReady = isRealDay(from) && isRealDay(until) && !isBackwards;
  return (
    <Card title={t('receipts.start')}>
      <div className="flex flex-col gap-4">
        <p className="max-w-form text-ink-600">{t('receipts.lead')}</p>
        <div className="flex flex-wrap gap-4">
          <DayField
            label={t('receipts.from')}
            value={from}
            max={today}
            onChange={setFrom}
            isRequired
          />
          <DayField
            label={t('receipts.until')}
            value={until}
            max={today}
            onChange={setUntil}
            isRequired
            {...(isBackwards ? { error: t('receipts.backwards') } : {})}
          />
        </div>
        <SelectField
          label={t('receipts.kind')}
          width="medium"
          value={kind ?? every}
          onChange={(chosen) => setKind(invoiceKinds.find((each) => each === chosen))}
          choices={[
            { value: every, label: t('receipts.everyKind') },
            ...invoiceKinds.map((value) => ({ value, label: t(`receipts.kinds.${value}`) })),
          ]}
        />
        <DownloadButtons
          isDisabled={!isReady}
          choices={listFormats.map((Format) => ({
            label: t(`receipts.list.${Format}`),
            fileName: fileName(Format, 'documents', kind, from, until),
            load: () =>
              sendForFile(exportPaymentList, {
                query: { List: 'documents', Format, From: from, Until: until, State: kind },
                skipErrorHandling: true,
              }),
          }))}
        />
        <May call={startReceiptRun}>
          {kind === 'receipt' ? null : (
            <Checkbox label={t('receipts.withXml')} value={withXml} onChange={setWithXml} />
          )}
        </May>
        <ErrorAlert error={start.error} />
        <May call={startReceiptRun}>
          <div>
            <Button
              call={startReceiptRun}
              isPending={start.isPending}
              isDisabled={isRunning || !isReady}
              onPress={() =>
                start.mutate({
                  body: {
                    from,
                    until,
                    ...(kind ? { kind } : {}),
                    ...(withXml && kind !== 'receipt' ? { withXml } : {}),
                  },
                })
              }
            >
              {t('receipts.begin')}
            </Button>
            {isRunning ? (
              <p className="mt-2 text-sm text-ink-600">{t('receipts.onlyOne')}</p>
            ) : null}
          </div>
        </May>
      </div>
    </Card>
  );
}

/** How far a running run is, and about how long it still takes. */
function Progress({ run: { total, done, perMinute } }: { run: ReceiptRun }) {
  const { t } = useTranslation('payment-desk');
  const { count } = useFormat();
  const minutes = perMinute ? Math.max(1, Math.ceil((total - done) / perMinute)) : undefined;
  return (
    <div className="flex flex-col gap-1">
      <ProgressBar label={t('receipts.progress')} value={done} max={total} />
      <p className="text-sm text-ink-600" role="status">
        <span>{t('receipts.madeOf', { done: count(done), total: count(total) })}</span>
        <span>{minutes === undefined ? null : ` · ${t('receipts.left', { count: minutes })}`}</span>
      </p>
    </div>
  );
}

function RunFiles({ run }: { run: ReceiptRun }) {
  const { t } = useTranslation('payment-desk');
  const { count, fileSize } = useFormat();
  // A run that goes on may get another file.
  const hasSeveral = run.parts.length > 1 || run.state === 'running';
  const save = useMutation<void, ApiError, ReceiptRun['parts'][number]>({
    mutationFn: ({ filePath, number }) =>
      saveFile(
        filePath,
        // Two runs of a period differ in their kind, the files of a run in their number.
        fileName('zip', 'documents', run.kind, run.from, run.until, hasSeveral && number),
      ),
  });
  if (run.parts.length === 0) return null;
  return (
    <>
      <ul className="flex flex-wrap gap-2" aria-label={t('receipts.files')}>
        {run.parts.map((part) => (
          <li key={part.number}>
            <Button
              size="sm"
              variant="secondary"
              icon={<Download aria-hidden size={18} />}
              isPending={save.isPending && save.variables.number === part.number}
              onPress={() => save.mutate(part)}
            >
              {t('receipts.file', {
                number: count(part.number),
                documents: count(part.documents),
                size: fileSize(part.size),
              })}
            </Button>
          </li>
        ))}
      </ul>
      <ErrorAlert error={save.error} />
    </>
  );
}

/** A run: its period, who began it, its progress and its files. */
function Run({ run, onCancel }: { run: ReceiptRun; onCancel: () => void }) {
  const { t } = useTranslation('payment-desk');
  const { date, dateTime, count } = useFormat();
  const isRunning = run.state === 'running';
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-ink-200 bg-white p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-base">
          {t('receipts.period', { from: date(run.from), until: date(run.until) })}
        </h3>
        <StatusTag tone={tones[run.state]}>{t(`receipts.states.${run.state}`)}</StatusTag>
      </div>
      <p className="text-sm text-ink-600">
        <span>{t(run.kind ? `receipts.kinds.${run.kind}` : 'receipts.everyKind')}</span>
        <span>{run.withXml ? ` · ${t('receipts.hasXml')}` : null}</span>
      </p>
      <p className="text-sm text-ink-600">
        <span>
          {t('receipts.startedBy', { name: run.startedBy, when: dateTime(run.createdAt) })}
        </span>
        <span>
          {run.perMinute ? ` · ${t('receipts.speed', { number: count(run.perMinute) })}` : null}
        </span>
      </p>
      {isRunning ? (
        <Progress run={run} />
      ) : (
        <p className="text-sm text-ink-600">
          {t('receipts.madeOf', { done: count(run.done), total: count(run.total) })}
        </p>
      )}
      <RunFiles run={run} />
      {isRunning ? (
        <div>
          <Button
            call={cancelReceiptRun}
            size="sm"
            variant="quiet"
            icon={<X aria-hidden size={18} />}
            onPress={onCancel}
          >
            {t('receipts.cancel')}
          </Button>
        </div>
      ) : null}
    </li>
  );
}

/** Documents of a period: list, begin, watch, cancel and download. */
export function ReceiptsTab() {
  const { t } = useTranslation('payment-desk');
  const client = useQueryClient();
  const [cancelled, setCancelled] = useState<ReceiptRun>();
  const { data } = useCall(getReceiptRuns, { refetchInterval: pollMs, staleTime: 0 });
  const cancel = useAction(cancelReceiptRun, {
    onSuccess: () => {
      setCancelled(undefined);
      void client.invalidateQueries({ queryKey: [getReceiptRuns.name] });
    },
  });
  if (!data) return <SkeletonRows count={4} />;
  return (
    <div className="flex flex-col gap-6">
      <div data-no-print>
        <StartRun isRunning={data.runs.some(({ state }) => state === 'running')} />
      </div>
      <section aria-label={t('receipts.runs')} className="flex flex-col gap-3">
        <h2 className="text-lg">{t('receipts.runs')}</h2>
        <p className="text-sm text-ink-600">{t('receipts.kept', { count: data.keptDays })}</p>
        {data.runs.length === 0 ? <p>{t('receipts.none')}</p> : null}
        <ul className="flex flex-col gap-3">
          {data.runs.map((run) => (
            <Run key={run.runId} run={run} onCancel={() => setCancelled(run)} />
          ))}
        </ul>
      </section>
      {cancelled ? (
        <ConfirmDialog
          title={t('receipts.cancelTitle')}
          confirmLabel={t('receipts.cancel')}
          cancelLabel={t('receipts.goOn')}
          isPending={cancel.isPending}
          onConfirm={() => cancel.mutate({ body: { runId: cancelled.runId } })}
          onClose={() => setCancelled(undefined)}
        >
          {t('receipts.cancelText')}
        </ConfirmDialog>
      ) : null}
    </div>
  );
}
