import { useTranslation } from 'react-i18next';
import type { Workflow, WorkflowTransition } from '@diwan/contract/requests/workflow';
import { useLanguage } from '../../lib/i18n/language.ts';
import { DataTable, type Column } from '../../ui/data/data-table.tsx';
import { StatusTag } from '../../ui/values/status-tag.tsx';
import { useWorkflowWords } from './use-workflow-words.ts';

type Row = WorkflowTransition & { key: string };

function useColumns(workflow: Workflow): Column<Row>[] {
  const { t } = useTranslation('workflow');
  const { language } = useLanguage();
  const words = useWorkflowWords(workflow);
  const statusOf = (statusId: number | null) =>
    workflow.statuses.find((status) => status.statusId === statusId);
  const nameOf = (statusId: number) => statusOf(statusId)?.name[language] ?? '';
  return [
    {
      key: 'from',
      header: t('table.from'),
      isPrimary: true,
      cell: ({ from }) => {
        const status = statusOf(from);
        return status ? (
          <StatusTag tone={status.tone}>{status.name[language]}</StatusTag>
        ) : (
          t('table.notSent')
        );
      },
    },
    {
      key: 'action',
      header: t('table.action'),
      cell: ({ action, notify }) => (
        <>
          <span className="font-semibold">{words.action(action)}</span>
          {notify ? <span className="block text-sm text-ink-600">{t('table.told')}</span> : null}
        </>
      ),
    },
    {
      key: 'who',
      header: t('table.who'),
      cell: ({ who, holderOnly }) =>
        who
          .map((role) => words.role(role === 'Employee' && holderOnly ? 'holder' : role))
          .join(words.listSeparator),
    },
    {
      key: 'to',
      header: t('table.to'),
      cell: ({ to, toPay }) => (
        <>
          <bdi>{nameOf(to)}</bdi>
          {toPay === undefined ? null : (
            <span className="block text-sm text-ink-600">
              {t('table.toPay', { status: `\u2068${nameOf(toPay)}\u2069` })}
            </span>
          )}
        </>
      ),
    },
  ];
}

/**
 * Every transition in words, in the order of the statuses: the picture for whoever does not see it.
 */
export function WorkflowTable({ workflow }: { workflow: Workflow }) {
  const { t } = useTranslation('workflow');
  const columns = useColumns(workflow);
  const order = [null, ...workflow.statuses.map(({ statusId }) => statusId)];
  const rows: Row[] = workflow.transitions
    .map((cell, index) => ({ ...cell, key: `${index}` }))
    .toSorted((one, other) => order.indexOf(one.from) - order.indexOf(other.from));
  return (
    <DataTable
      caption={t('table.caption')}
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
    />
  );
}
