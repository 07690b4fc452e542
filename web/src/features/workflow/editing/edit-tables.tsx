import type { ReactNode } from 'react';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { nameOfStatus, type EditProps } from './edit-props.ts';
import type { DraftStatus, DraftTransition } from './edit-workflow.ts';

function StatusName({ status }: { status: DraftStatus | undefined }) {
  const { t } = useTranslation('workflow');
  const { language } = useLanguage();
  return status ? (
    <StatusTag tone={status.tone}>{nameOfStatus(status, language)}</StatusTag>
  ) : (
    <span>{t('table.notSent')}</span>
  );
}

function Detail({ children }: { children: ReactNode }) {
  return <span className="block text-sm text-ink-600">{children}</span>;
}

function ChangeButton({ about, onPress }: { about: string; onPress: () => void }) {
  const { t } = useTranslation('workflow');
  return (
    <Button
      size="sm"
      variant="secondary"
      aria-label={`${t('edit.change')}: ${about}`}
      onPress={onPress}
    >
      {t('edit.change')}
    </Button>
  );
}

function useStatusColumns(onSelect: EditProps['onSelect']): Column<DraftStatus>[] {
  const { t } = useTranslation('workflow');
  const { language } = useLanguage();
  const days = (count: number) => t('limit', { count });
  return [
    {
      key: 'name',
      header: t('table.from'),
      isPrimary: true,
      cell: (status) => <StatusName status={status} />,
    },
    { key: 'tone', header: t('edit.tone'), cell: ({ tone }) => t(`tones.${tone}`) },
    {
      key: 'counts',
      header: t('edit.countsAs'),
      cell: ({ countsAs }) => t(`edit.counts.${countsAs ?? 'none'}`),
    },
    {
      key: 'limit',
      header: t('edit.timeLimit'),
      cell: ({ workingDays }) => (workingDays === undefined ? '–' : days(workingDays)),
    },
    {
      key: 'edit',
      header: t('edit.change'),
      isControl: true,
      cell: (status) => (
        <ChangeButton
          about={nameOfStatus(status, language)}
          onPress={() => onSelect({ kind: 'status', statusId: status.statusId })}
        />
      ),
    },
  ];
}

interface Row {
  index: number;
  transition: DraftTransition;
  from: DraftStatus | undefined;
  to: DraftStatus | undefined;
  toPay: DraftStatus | undefined;
}

function useActionColumns(onSelect: EditProps['onSelect']): Column<Row>[] {
  const { t } = useTranslation(['workflow', 'shell']);
  const { language } = useLanguage();
  const nameOf = (status: DraftStatus | undefined) =>
    status ? nameOfStatus(status, language) : t('table.notSent');
  return [
    {
      key: 'from',
      header: t('table.from'),
      isPrimary: true,
      cell: ({ from }) => <StatusName status={from} />,
    },
    {
      key: 'action',
      header: t('table.action'),
      cell: ({ transition: { action, notify } }) => (
        <>
          <span>{t(`actions.${action}`)}</span>
          {notify ? <Detail>{t('table.notified')}</Detail> : null}
        </>
      ),
    },
    {
      key: 'who',
      header: t('table.who'),
      cell: ({ transition: { who, holderOnly, anotherApprover } }) => (
        <>
          <span>
            {who
              .map((role) => t(`roles.${role === 'Employee' && holderOnly ? 'holder' : role}`))
              .join(t('shell:listSeparator'))}
          </span>
          {anotherApprover ? <Detail>{t('table.anotherApprover')}</Detail> : null}
        </>
      ),
    },
    {
      key: 'requires',
      header: t('edit.requires'),
      cell: ({ transition: { requires = [] } }) =>
        requires.length === 0
          ? '–'
          : requires.map((input) => t(`inputs.${input}`)).join(t('shell:listSeparator')),
    },
    {
      key: 'to',
      header: t('table.to'),
      cell: ({ to, toPay }) => (
        <>
          <bdi>{to ? nameOf(to) : '–'}</bdi>
          {toPay ? (
            <Detail>{t('table.toPay', { status: `\u2068${nameOf(toPay)}\u2069` })}</Detail>
          ) : null}
        </>
      ),
    },
    {
      key: 'edit',
      header: t('edit.change'),
      isControl: true,
      cell: ({ index, transition, from }) => (
        <ChangeButton
          about={`${t(`actions.${transition.action}`)}, ${nameOf(from)}`}
          onPress={() => onSelect({ kind: 'transition', index })}
        />
      ),
    },
  ];
}

/** The statuses and actions of a draft as tables: everything that the picture can do, by keyboard. */
export function EditTables({ editor, onSelect }: EditProps) {
  const { t } = useTranslation('workflow');
  const { statuses, transitions } = editor.draft;
  const statusColumns = useStatusColumns(onSelect);
  const actionColumns = useActionColumns(onSelect);
  const find = (id: number | null) => statuses.find(({ statusId }) => statusId === id);
  const order = [null, ...statuses.map(({ statusId }) => statusId)];
  const rows = transitions
    .map((transition, index): Row => ({
      index,
      transition,
      from: find(transition.from),
      to: find(transition.to),
      toPay: transition.toPay === undefined ? undefined : find(transition.toPay),
    }))
    .toSorted(
      (one, other) => order.indexOf(one.transition.from) - order.indexOf(other.transition.from),
    );
  return (
    <div className="flex flex-col gap-6">
      <DataTable
        caption={t('edit.statuses')}
        columns={statusColumns}
        rows={statuses}
        rowKey={({ statusId }) => statusId}
      />
      <DataTable
        caption={t('table.caption')}
        columns={actionColumns}
        rows={rows}
        rowKey={({ index }) => index}
      />
    </div>
  );
}
