import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  nameForStaff,
  type Workflow,
  type WorkflowTransition,
} from '@diwan/contract/requests/workflow';
import type { DiagramTexts } from './diagram-parts.ts';
import { WorkflowDiagram } from './workflow-diagram.tsx';
import { useWorkflowName } from './workflow.data.ts';

/** The texts of the diagram and the table in the current language. */
export function useDiagramTexts({
  name,
  statuses,
}: Pick<Workflow, 'name' | 'statuses'>): DiagramTexts {
  const { t } = useTranslation(['workflow', 'shell']);
  const { count } = useFormat();
  const nameOf = useWorkflowName();
  return {
    action: (action) => t(`actions.${action}`),
    role: (role) => t(`roles.${role}`),
    tone: (tone) => t(`tones.${tone}`),
    withFees: t('picture.withFees'),
    sent: t('picture.sent'),
    listSeparator: t('shell:listSeparator'),
    title: t('picture.title', { name: `\u2068${nameOf(name)}\u2069` }),
    description: t('picture.description', { statuses: count(statuses.length) }),
  };
}

type Row = WorkflowTransition & { key: string };

function useColumns(workflow: Workflow): Column<Row>[] {
  const { t } = useTranslation('workflow');
  const { language } = useLanguage();
  const texts = useDiagramTexts(workflow);
  const statusOf = (statusId: number | null) =>
    workflow.statuses.find((status) => status.statusId === statusId);
  const nameOf = (statusId: number) => {
    const status = statusOf(statusId);
    return status ? nameForStaff(status)[language] : '';
  };
  return [
    {
      key: 'from',
      header: t('table.from'),
      isPrimary: true,
      cell: ({ from }) => {
        const status = statusOf(from);
        return status ? (
          <>
            <StatusTag tone={status.tone}>{nameForStaff(status)[language]}</StatusTag>
            {status.workingDays === undefined ? null : (
              <span className="block text-sm font-normal text-ink-600">
                {t('table.limit', { limit: t('limit', { count: status.workingDays }) })}
              </span>
            )}
          </>
        ) : (
          t('table.notSent')
        );
      },
    },
    {
      key: 'action',
      header: t('table.action'),
      cell: ({ action, notify, requires = [] }) => (
        <>
          <span className="font-semibold">{texts.action(action)}</span>
          {requires.length > 0 ? (
            <span className="block text-sm text-ink-600">
              {t('table.requires', {
                inputs: requires.map((input) => t(`inputs.${input}`)).join(texts.listSeparator),
              })}
            </span>
          ) : null}
          {notify ? (
            <span className="block text-sm text-ink-600">{t('table.notified')}</span>
          ) : null}
        </>
      ),
    },
    {
      key: 'who',
      header: t('table.who'),
      cell: ({ who, holderOnly, anotherApprover }) => (
        <>
          <span>
            {who
              .map((role) => texts.role(role === 'Employee' && holderOnly ? 'holder' : role))
              .join(texts.listSeparator)}
          </span>
          {anotherApprover ? (
            <span className="block text-sm text-ink-600">{t('table.anotherApprover')}</span>
          ) : null}
        </>
      ),
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

/** All transitions as a table, ordered by status: the accessible version of the diagram. */
function WorkflowTable({ workflow }: { workflow: Workflow }) {
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

// The main path is in the middle; a narrow window starts there.
export function showMiddle(frame: HTMLElement | null): void {
  if (frame)
    frame.scrollLeft =
      ((frame.scrollWidth - frame.clientWidth) / 2) *
      (getComputedStyle(frame).direction === 'rtl' ? -1 : 1);
}

/**
 * A workflow as a diagram and a table; `part` distinguishes two workflows on a page. A narrow
 * window scrolls the diagram.
 */
export function WorkflowView({
  workflow,
  id,
  part,
  level: Heading = 'h3',
}: {
  workflow: Workflow;
  id: string;
  part?: string;
  level?: 'h3' | 'h4';
}) {
  const { t } = useTranslation('workflow');
  const { language } = useLanguage();
  const texts = useDiagramTexts(workflow);
  return (
    <div className="flex flex-col gap-6">
      <div>
        <Heading className="pb-3 text-base font-semibold">{t('picture.heading')}</Heading>
        {/* Focusable, so that it can be scrolled with the keyboard. */}
        <section
          ref={showMiddle}
          tabIndex={0}
          aria-label={part ? `${part}: ${t('picture.scroll')}` : t('picture.scroll')}
          className={classNames(
            'overflow-x-auto rounded-md border border-ink-100 bg-desert-50',
            'p-2 print:overflow-visible print:border-0 [&>svg]:mx-auto [&>svg]:max-w-none',
            'print:[&>svg]:h-auto print:[&>svg]:max-w-full',
          )}
        >
          <WorkflowDiagram workflow={workflow} texts={texts} language={language} id={id} />
        </section>
      </div>
      <div>
        <Heading className="pb-3 text-base font-semibold">{t('table.heading')}</Heading>
        <WorkflowTable workflow={workflow} />
      </div>
    </div>
  );
}
