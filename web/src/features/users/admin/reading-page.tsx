import { useMayCall } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { TextLink } from '#ui/actions/links.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { LoadedTable } from '#ui/data/loaded-table.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { DayPeriod } from '#ui/search/day-period.tsx';
import { getAuditEvents } from '@diwan/contract/people/audit';
import {
  getUnusualReaders,
  unusualReads,
  type UnusualReader,
} from '@diwan/contract/staff/access-log';
import { dayAfter, isRealDay } from '@diwan/contract/wire/days';
import { UrgentOpenings } from './urgent-openings.tsx';

const shownDays = 7;

/** The entries of the audit log about what somebody opened on a day. */
const logOf = (username: string, day: string) =>
  `/dashboard/audit?${new URLSearchParams({ kind: 'read', person: username, from: day, until: day })}`;

function useColumns(): Column<UnusualReader>[] {
  const { t } = useTranslation(['dashboards', 'acting']);
  const { count, day } = useFormat();
  // The log of an administrator of agencies has no reading.
  const mayReadLog = useMayCall(getAuditEvents);
  const much = (value: number, limit: number) =>
    value >= limit ? <strong>{count(value)}</strong> : count(value);
  return [
    {
      key: 'reader',
      header: t('reading.reader'),
      isPrimary: true,
      cell: ({ fullName, readerKind, username, day: on }) => (
        <>
          {username === undefined || !mayReadLog ? (
            <bdi>{fullName}</bdi>
          ) : (
            <TextLink to={logOf(username, on)}>
              <bdi>{fullName}</bdi>
            </TextLink>
          )}
          <span className="block text-sm text-ink-600">
            {t(`acting:reads.kinds.${readerKind}`)}
          </span>
        </>
      ),
    },
    { key: 'day', header: t('reading.day'), cell: (row) => day(row.day) },
    { key: 'records', header: t('reading.records'), cell: ({ records }) => count(records) },
    {
      key: 'anHour',
      header: t('reading.anHour'),
      cell: ({ anHour }) => much(anHour, unusualReads.anHour),
    },
    {
      key: 'explained',
      header: t('reading.explained'),
      cell: ({ explainedAnHour }) => much(explainedAnHour, unusualReads.explainedAnHour),
    },
    {
      key: 'person',
      header: t('reading.person'),
      cell: ({ ofOnePerson, personName }) => (
        <>
          <span>{much(ofOnePerson, unusualReads.ofOnePerson)}</span>
          {personName ? (
            <span className="block text-sm text-ink-600">
              <bdi>{personName}</bdi>
            </span>
          ) : null}
        </>
      ),
    },
  ];
}

/** Which staff opened unusually many records in a short time; each leads to what they opened. */
export function ReadingPage() {
  const { t } = useTranslation('dashboards');
  const today = serverToday();
  const filters = useSearchFilters('from', 'until');
  const valid = (text: string, otherwise: string) => (isRealDay(text) ? text : otherwise);
  const until = valid(filters.values.until, today);
  const from = valid(filters.values.from, dayAfter(until, 1 - shownDays));
  const list = useCall(getUnusualReaders, {
    query: { From: from, Until: until },
    keepPrevious: true,
  });
  usePageTitle(t('reading.title'));
  return (
    <div className="page pb-16">
      <AdminPageHeader
        title={t('reading.title')}
        lead={t('reading.lead', {
          anHour: unusualReads.anHour,
          explained: unusualReads.explainedAnHour,
          person: unusualReads.ofOnePerson,
        })}
      />
      <div className="mb-6 flex flex-col gap-4 md:flex-row">
        <DayPeriod
          from={from}
          until={until}
          labels={{ from: t('log.from'), until: t('log.until') }}
          className="md:w-44"
          onChange={(days) => filters.change({ ...days })}
        />
      </div>
      <UrgentOpenings from={from} until={until} />
      <h2 className="mb-4 text-xl font-semibold">{t('reading.many')}</h2>
      <LoadedTable
        list={list}
        failed={t('reading.failed')}
        emptyTitle={t('reading.none')}
        caption={t('reading.title')}
        columns={useColumns()}
        rowKey={(row) => `${row.day} ${row.username ?? row.fullName}`}
      />
    </div>
  );
}
