import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { useRowSelection } from '#ui/data/row-selection.ts';
import { selectColumn } from '#ui/data/select-box.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import {
  cancelCatalogueJob,
  catalogueLists,
  getCatalogueJob,
  importActions,
  runCatalogueJob,
  type CatalogueJob,
  type ImportProblem,
  type JobChange,
} from '@diwan/contract/catalogue/transfer';

const pollMs = 700;

function useChangeColumns(): Column<JobChange>[] {
  const { t } = useTranslation(['catalogue', 'changes']);
  const fieldLabel = (field: string) => {
    const label = t(`fields.${field}`);
    return label === `fields.${field}` ? field : label;
  };
  return [
    {
      key: 'name',
      header: t('groups.name'),
      isPrimary: true,
      cell: ({ name, key }) => (
        <>
          <bdi className="block">{name}</bdi>
          <bdi dir="ltr" className="block text-sm font-normal text-ink-500">
            {key}
          </bdi>
        </>
      ),
    },
    { key: 'list', header: t('jobs.list'), cell: ({ list }) => t(`jobs.lists.${list}`) },
    {
      key: 'action',
      header: t('jobs.what'),
      cell: ({ action }) => t(`changes:actions.${action}`),
    },
    {
      key: 'fields',
      header: t('jobs.fields'),
      cell: ({ fields }) => (
        <ul className="flex flex-col gap-1">
          {fields.map(({ field, before, after }, index) => (
            // A text in three languages has three entries of one field.
            <li key={`${field} ${index}`}>
              <span className="text-ink-500">{fieldLabel(field)}</span>
              {before === undefined && after === undefined ? null : (
                <>
                  {': '}
                  <bdi className="text-ink-500 line-through">
                    {before ?? t('jobs.nothing')}
                  </bdi>{' '}
                  <bdi className="font-medium">{after ?? t('jobs.nothing')}</bdi>
                </>
              )}
            </li>
          ))}
        </ul>
      ),
    },
  ];
}

function useProblemColumns(): Column<ImportProblem>[] {
  const { t } = useTranslation('catalogue');
  const { count } = useFormat();
  return [
    {
      key: 'message',
      header: t('jobs.problem'),
      isPrimary: true,
      cell: ({ message }) => message,
    },
    {
      key: 'list',
      header: t('jobs.list'),
      cell: ({ list }) => {
        const label = t(`jobs.lists.${list}`);
        return <bdi>{label === `jobs.lists.${list}` ? list : label}</bdi>;
      },
    },
    {
      key: 'row',
      header: t('jobs.row'),
      align: 'end',
      cell: ({ row }) => (row > 0 ? count(row) : ''),
    },
    {
      key: 'column',
      header: t('jobs.column'),
      cell: ({ column, heading }) => (
        <>
          <bdi className="block">{heading}</bdi>
          {heading === column ? null : (
            <bdi dir="ltr" className="block text-sm text-ink-500">
              {column}
            </bdi>
          )}
        </>
      ),
    },
  ];
}

/** How many records of each list a job adds, changes, retires and restores. */
function JobCounts({ job }: { job: CatalogueJob }) {
  const { t } = useTranslation(['catalogue', 'changes']);
  const { count } = useFormat();
  const lists = catalogueLists.filter((list) => job.counts[list]);
  return (
    <dl className="flex flex-col gap-2">
      {lists.map((list) => {
        const counts = job.counts[list];
        const parts = importActions.filter((action) => (counts?.[action] ?? 0) > 0);
        return (
          <div key={list} className="flex flex-wrap gap-x-4 gap-y-1">
            <dt className="min-w-32 font-semibold">{t(`jobs.lists.${list}`)}</dt>
            <dd className="flex flex-wrap gap-x-4">
              {parts.map((action) => (
                <span key={action}>
                  <span>{t(`changes:actions.${action}`)}</span>:{' '}
                  <span>{count(counts?.[action] ?? 0)}</span>
                </span>
              ))}
              <span className="text-ink-500">
                {t('jobs.unchanged')}: <span>{count(counts?.unchanged ?? 0)}</span>
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** A bar with the share that is done, and its text for screen readers. */
function JobProgress({ job }: { job: CatalogueJob }) {
  const { t } = useTranslation('catalogue');
  const { percent, count } = useFormat();
  const share = job.total === 0 ? 0 : Math.min(1, job.done / job.total);
  return (
    <div>
      <div
        role="progressbar"
        aria-label={t('jobs.progress')}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 overflow-hidden rounded-full bg-ink-100"
      >
        <div className="h-full bg-gold-600" style={{ width: `${share * 100}%` }} />
      </div>
      <p className="mt-2 text-sm text-ink-600">
        <span>{percent(share)}</span> ·{' '}
        <span>{t('jobs.doneOf', { done: count(job.done), total: count(job.total) })}</span>
      </p>
    </div>
  );
}

const tones = {
  ready: 'info',
  refused: 'danger',
  running: 'info',
  done: 'success',
  cancelled: 'warning',
  failed: 'danger',
  interrupted: 'warning',
} as const;

/** The problems of a refused job. */
function JobProblems({ job }: { job: CatalogueJob }) {
  const { t } = useTranslation('catalogue');
  const columns = useProblemColumns();
  const title = t('jobs.problems', { count: job.problemsCount });
  return (
    <div>
      <h2 className="pb-3 text-lg">{title}</h2>
      <DataTable
        caption={title}
        columns={columns}
        rows={job.problems}
        rowKey={(problem) => job.problems.indexOf(problem)}
      />
      {job.problemsCount > job.problems.length ? (
        <p className="pt-3 text-ink-600">{t('jobs.firstOnly', { count: job.problems.length })}</p>
      ) : null}
    </div>
  );
}

/** The shown changes that are made, by their place. */
type Kept = ReadonlyMap<number, JobChange>;

/** Each change in a bulk change is a separate service. */
const mayLeaveOut = ({ kind, state }: CatalogueJob) =>
  kind === 'bulk' && ['ready', 'interrupted'].includes(state);

/** The first changes of a job, before and after. */
function JobChanges({ job, kept }: { job: CatalogueJob; kept: [Kept, (kept: Kept) => void] }) {
  const { t } = useTranslation('catalogue');
  const idOf = (change: JobChange) => job.changes.indexOf(change);
  const selection = useRowSelection(job.changes, idOf, kept);
  const columns = [
    ...(mayLeaveOut(job)
      ? [
          selectColumn(selection, idOf, {
            page: t('jobs.includeAll'),
            row: ({ name }) => t('jobs.includeName', { name }),
            card: t('jobs.include'),
          }),
        ]
      : []),
    ...useChangeColumns(),
  ];
  const title = t('jobs.changes', { count: job.changesCount });
  return (
    <div>
      <h2 className="pb-3 text-lg">{title}</h2>
      <DataTable
        caption={title}
        columns={columns}
        rows={job.changes}
        rowKey={({ list, key }) => `${list} ${key}`}
      />
      {job.changesCount > job.changes.length ? (
        <p className="pt-3 text-ink-600">{t('jobs.firstOnly', { count: job.changes.length })}</p>
      ) : null}
    </div>
  );
}

/** Starts, follows and stops a job. */
function useJob(prepared: CatalogueJob, onDone: (() => void) | undefined) {
  const client = useQueryClient();
  const { jobId } = prepared;
  const run = useAction(runCatalogueJob, { skipErrorHandling: true });
  const stop = useAction(cancelCatalogueJob, { skipErrorHandling: true });
  const hasStarted = run.data !== undefined || stop.data !== undefined;
  const polled = useCall(getCatalogueJob, {
    query: { jobId },
    enabled: hasStarted,
    refetchInterval: hasStarted ? pollMs : false,
  });
  const job = polled.data ?? stop.data ?? run.data ?? prepared;
  const announce = useEffectEvent(() => {
    // Everything that shows the catalogue reads it again.
    void client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] !== getCatalogueJob.name,
    });
    onDone?.();
  });
  const isDone = job.state === 'done';
  useEffect(() => {
    if (isDone) announce();
  }, [isDone]);
  return {
    job,
    error: run.error ?? stop.error,
    isStarting: run.isPending,
    isStopping: stop.isPending,
    start: (leftOut: string[]) =>
      run.mutate({ body: { jobId, ...(leftOut.length > 0 ? { leftOut } : {}) } }),
    stop: () => stop.mutate({ body: { jobId } }),
  };
}

/** Amounts that somebody has to look at before the job may run. */
function JobWarnings({
  job,
  isChecked,
  onCheck,
}: {
  job: CatalogueJob;
  isChecked: boolean;
  onCheck: (isChecked: boolean) => void;
}) {
  const { t } = useTranslation('catalogue');
  return (
    <Alert tone="warning" title={t('jobs.warnings', { count: job.warningsCount })}>
      <ul className="flex list-disc flex-col gap-1 ps-5">
        {job.warnings.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
      {job.warningsCount > job.warnings.length ? (
        <p className="pt-2">{t('jobs.firstOnly', { count: job.warnings.length })}</p>
      ) : null}
      <div className="pt-3">
        <Checkbox label={t('jobs.checked')} value={isChecked} onChange={onCheck} />
      </div>
    </Alert>
  );
}

function JobButtons({
  state: { job, isStarting, isStopping, start, stop },
  leftOut,
  isChecked,
  onEnd,
}: {
  state: ReturnType<typeof useJob>;
  leftOut: string[];
  /** Whether nothing is left to look at. */
  isChecked: boolean;
  onEnd: () => void;
}) {
  const { t } = useTranslation('catalogue');
  const isOver = ['done', 'cancelled', 'failed'].includes(job.state);
  const count = job.changesCount - leftOut.length;
  const mayRun = job.changesCount > 0 && ['ready', 'interrupted'].includes(job.state);
  return (
    <div className="flex flex-wrap gap-3">
      {mayRun ? (
        <Button
          isPending={isStarting}
          isDisabled={!isChecked || count === 0}
          onPress={() => start(leftOut)}
        >
          {t('jobs.run', { count })}
        </Button>
      ) : null}
      {job.state === 'running' ? (
        <Button variant="danger" isPending={isStopping} onPress={stop}>
          {t('jobs.stop')}
        </Button>
      ) : (
        <Button variant="secondary" onPress={onEnd}>
          {t(isOver ? 'jobs.end' : 'jobs.discard')}
        </Button>
      )}
    </div>
  );
}

/**
 * A prepared import or bulk change: what it would change or why it is refused, then how far it is,
 * and what came of it. `onEnd` leaves the job; `onDone` is called once when it is done.
 */
export function JobView({
  prepared,
  onEnd,
  onDone,
}: {
  prepared: CatalogueJob;
  onEnd: () => void;
  onDone?: () => void;
}) {
  const { t } = useTranslation('catalogue');
  const state = useJob(prepared, onDone);
  const { job } = state;
  const [isChecked, setIsChecked] = useState(false);
  const [kept, setKept] = useState<Kept>(() => new Map(prepared.changes.entries()));
  const leftOut = mayLeaveOut(job)
    ? job.changes.filter((_, index) => !kept.has(index)).map(({ key }) => key)
    : [];
  const hasWarnings = job.warningsCount > 0 && ['ready', 'interrupted'].includes(job.state);
  const hint =
    job.state === 'ready' && job.changesCount === 0 ? 'nothingToDo' : `hints.${job.state}`;
  return (
    <section aria-label={t('jobs.title')} className="flex flex-col gap-6">
      <Alert tone={tones[job.state]} isLive title={t(`jobs.states.${job.state}`)}>
        <p>{t(`jobs.${hint}`)}</p>
      </Alert>
      <ErrorAlert error={state.error} title={t('failed')} />
      {job.state === 'running' ? <JobProgress job={job} /> : null}
      <JobCounts job={job} />
      {hasWarnings ? <JobWarnings job={job} isChecked={isChecked} onCheck={setIsChecked} /> : null}
      <JobButtons
        state={state}
        leftOut={leftOut}
        isChecked={isChecked || !hasWarnings}
        onEnd={onEnd}
      />
      {job.problems.length > 0 ? <JobProblems job={job} /> : null}
      {job.changes.length > 0 ? <JobChanges job={job} kept={[kept, setKept]} /> : null}
    </section>
  );
}
