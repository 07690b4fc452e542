import { useState, type ReactNode } from 'react';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Card } from '#ui/data/card.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { Tabs } from '#ui/data/tabs.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { useIsOfOneAgency } from '#ui/search/agency-choices.ts';
import {
  figureDimensions,
  type FigureDimension,
  type FigureGroup,
} from '@diwan/contract/requests/reports';
import { auditReaders } from '@diwan/contract/wire/call';
import { figureLink, useStaffList, type LinkedFigure } from './figure-links.ts';
import { workingTime } from './figure-texts.ts';
import type { ReportDays } from './report-days.ts';
import { useFigureGroups } from './reports.data.ts';

const barParts = [
  ['late', 'bg-red-600'],
  ['dueToday', 'bg-amber-300'],
  ['others', 'bg-blue-600'],
] as const;

/** Open requests as a bar: late, due today, and the others. The numbers are beside it. */
function OpenBar({ group, maximum }: { group: FigureGroup; maximum: number }) {
  const { open, late, dueToday } = group;
  const parts = { late, dueToday, others: Math.max(0, open - late - dueToday) };
  return (
    <span
      aria-hidden
      className="mt-1.5 flex h-1.5 w-full print:hidden min-w-24 overflow-hidden rounded-full bg-ink-100"
    >
      {barParts.map(([name, fill]) => (
        <span
          key={name}
          className={fill}
          style={{ inlineSize: `${(100 * parts[name]) / Math.max(1, maximum)}%` }}
        />
      ))}
    </span>
  );
}

type GroupTexts = Record<'open' | 'late' | 'dueToday', string>;

function Legend({ texts }: { texts: GroupTexts }) {
  const names = { late: texts.late, dueToday: texts.dueToday, others: texts.open };
  return (
    <ul
      aria-hidden
      className="flex flex-wrap gap-x-4 gap-y-1 pb-4 text-sm text-ink-600 print:hidden"
    >
      {barParts.map(([name, fill]) => (
        <li key={name} className="flex items-center gap-2">
          <span className={`size-2.5 rounded-full ${fill}`} />
          <span>{names[name]}</span>
        </li>
      ))}
    </ul>
  );
}

/** The figures of a group that its table shows; nobody sends requests to an employee. */
const shownFigures = (by: FigureDimension): readonly LinkedFigure[] =>
  by === 'employee'
    ? ['late', 'dueToday', 'completed', 'completedLate', 'refused']
    : [
        'waiting',
        'late',
        'created',
        'completed',
        'completedLate',
        'medianSeconds',
        'feesCollected',
      ];

function useColumns(
  by: FigureDimension,
  days: ReportDays,
  groups: readonly FigureGroup[],
): Column<FigureGroup>[] {
  const { t } = useTranslation('reports');
  const { count, money } = useFormat();
  const { language } = useLanguage();
  const list = useStaffList();
  const maximum = Math.max(1, ...groups.map(({ open }) => open));
  const isOfOneAgency = useIsOfOneAgency();
  const textOf = (figure: LinkedFigure, group: FigureGroup): string => {
    const value = group[figure];
    if (value === null) return '–';
    if (figure === 'medianSeconds') return workingTime(Number(value), language);
    return figure === 'feesCollected' ? money(Number(value)) : count(Number(value));
  };
  const numberOf = (figure: LinkedFigure, group: FigureGroup): ReactNode => {
    const text = textOf(figure, group);
    if (!group[figure]) return <bdi className="text-ink-500">{text}</bdi>;
    const to = figureLink(list, figure, days, { by, id: group.id });
    if (to === undefined) return <bdi>{text}</bdi>;
    return (
      <Link
        to={to}
        aria-label={`${group.name}, ${t(`groups.${figure}`)}: ${text}`}
        className={`link ${figure === 'late' || figure === 'completedLate' ? 'text-red-700' : ''}`}
      >
        <bdi>{text}</bdi>
      </Link>
    );
  };
  return [
    {
      key: 'name',
      header: t(`groups.names.${by}`),
      isPrimary: true,
      cell: ({ name, agencyName }) => (
        <>
          <span className="block font-medium">
            <bdi>{name}</bdi>
          </span>
          {agencyName && !isOfOneAgency ? (
            <span className="block text-sm font-normal text-ink-500">
              <bdi>{agencyName}</bdi>
            </span>
          ) : null}
        </>
      ),
    },
    {
      key: 'open',
      header: t(by === 'employee' ? 'groups.held' : 'groups.open'),
      cell: (group) => (
        <>
          {numberOf('open', group)}
          <OpenBar group={group} maximum={maximum} />
        </>
      ),
    },
    ...shownFigures(by).map((figure): Column<FigureGroup> => ({
      key: figure,
      header: t(`groups.${figure}`),
      align: 'end',
      isHiddenOnPhone: figure === 'refused' || figure === 'completedLate',
      cell: (group) => numberOf(figure, group),
    })),
  ];
}

/** The table of one dimension, with its loading, empty and error states. */
function GroupTable({ by, days }: { by: FigureDimension; days: ReportDays | undefined }) {
  const { t } = useTranslation('reports');
  const { count } = useFormat();
  const groups = useFigureGroups(by, days);
  const { data } = groups;
  const period = days ?? { from: data?.fromDay ?? '', to: data?.toDay ?? '' };
  const columns = useColumns(by, period, data?.groups ?? []);
  if (!data)
    return groups.error ? (
      <ErrorState error={groups.error} onRetry={groups.refetch} isRetrying={groups.isRefetching} />
    ) : (
      <SkeletonRows count={4} />
    );
  if (data.groups.length === 0) return <p className="text-ink-600">{t('groups.none')}</p>;
  return (
    <>
      <Legend
        texts={{ open: t('groups.others'), late: t('groups.late'), dueToday: t('groups.dueToday') }}
      />
      <DataTable
        caption={t(`groups.by.${by}`)}
        columns={columns}
        rows={data.groups}
        rowKey={({ id }) => id}
        isStale={groups.isPlaceholderData}
        isWide
      />
      {data.groupCount > data.groups.length ? (
        <p className="pt-3 text-sm text-ink-600">
          {t('groups.more', { shown: count(data.groups.length), number: count(data.groupCount) })}
        </p>
      ) : null}
    </>
  );
}

/**
 * The figures by agency, service, service provider or employee; each number opens the list of its
 * requests. `days` undefined: the last thirty.
 */
export function FigureGroups({ days }: { days?: ReportDays }) {
  const { t } = useTranslation('reports');
  const isAdmin = hasRole(useSession(), ...auditReaders);
  const isOfOneAgency = useIsOfOneAgency();
  const [chosen, setChosen] = useState<FigureDimension>('agency');
  const dimensions = (isAdmin ? figureDimensions : figureDimensions.slice(0, 2)).filter(
    (each) => !isOfOneAgency || each !== 'agency',
  );
  const by = dimensions.includes(chosen) ? chosen : 'service';
  return (
    <Card title={t('groups.title')}>
      <Tabs
        label={t('groups.title')}
        tabs={dimensions.map((id) => ({
          id,
          label: t(`groups.by.${id}`),
          content: <GroupTable by={id} days={days} />,
        }))}
        selected={by}
        onSelect={(id) => setChosen(id as FigureDimension)}
      />
    </Card>
  );
}
