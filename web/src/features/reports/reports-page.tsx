import { Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { handleError } from '#lib/api/handle-error.ts';
import { hasRole, useSession } from '#lib/api/session.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { PageHeader, PrintedHead } from '#ui/data/page-header.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import type { RequestFigures } from '@diwan/contract/requests/reports';
import { auditReaders, moneyReaders } from '@diwan/contract/wire/call';
import { isRealDay } from '@diwan/contract/wire/days';
import { FigureCards } from './figure-cards.tsx';
import { FigureGroups } from './figure-groups.tsx';
import { useStaffList } from './figure-links.ts';
import { fullDay } from './figure-texts.ts';
import { FiguresChart } from './figures-chart.tsx';
import { FiguresSkeleton } from './figures-skeleton.tsx';
import { saveCsv, useCsvTexts } from './report-csv.ts';
import {
  calendarPeriods,
  daysOfCalendarPeriod,
  lastDays,
  problemOf,
  readDays,
  type ReportDays,
} from './report-days.ts';
import { fetchGroups, useFigures } from './reports.data.ts';
import { StatusCountList } from './status-count-list.tsx';
import { TopServices } from './top-services.tsx';

const presets = [7, 30, 90, 365];

/**
 * Selects the days of the report: presets or dates. Pass the days as `key`, so that the fields
 * follow the address.
 */
function ReportPeriod({
  days,
  today,
  onChange,
}: {
  days: ReportDays;
  today: string;
  onChange: (days: ReportDays) => void;
}) {
  const { t } = useTranslation('reports');
  const { count } = useFormat();
  const [typed, setTyped] = useState(days);
  const problem = problemOf(typed, today);
  const choices = [
    ...presets.map((length) => ({
      name: t('period.last', { count: length, number: count(length) }),
      preset: lastDays(length, today),
    })),
    ...calendarPeriods.map((period) => ({
      name: t(`period.${period}`),
      preset: daysOfCalendarPeriod(period, today),
    })),
  ];
  const isSame = typed.from === days.from && typed.to === days.to;
  return (
    <div
      data-no-print
      className="flex flex-col gap-4 pb-6 lg:flex-row lg:flex-wrap lg:items-end lg:justify-between"
    >
      <div role="group" aria-label={t('period.usual')} className="flex flex-wrap gap-2">
        {choices.map(({ name, preset }) => {
          const isChosen = preset.from === days.from && preset.to === days.to;
          return (
            <button
              key={name}
              type="button"
              aria-pressed={isChosen}
              onClick={() => onChange(preset)}
              className={classNames(
                'min-h-11 rounded-full border px-4 text-sm font-semibold transition-colors duration-150',
                isChosen
                  ? 'border-primary bg-primary text-white'
                  : 'border-ink-300 bg-white text-ink-700 hover:border-gold-600 hover:bg-gold-50',
              )}
            >
              {name}
            </button>
          );
        })}
      </div>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!problem) onChange(typed);
        }}
      >
        <div className="min-w-36 grow sm:max-w-48">
          <DayField
            label={t('period.from')}
            value={typed.from}
            max={today}
            onChange={(from) => setTyped({ ...typed, from })}
          />
        </div>
        <div className="min-w-36 grow sm:max-w-48">
          <DayField
            label={t('period.to')}
            value={typed.to}
            max={today}
            onChange={(to) => setTyped({ ...typed, to })}
            error={
              problem && isRealDay(typed.from) && isRealDay(typed.to)
                ? t(`period.${problem}`)
                : undefined
            }
          />
        </div>
        <Button type="submit" variant="secondary" isDisabled={Boolean(problem) || isSame}>
          {t('period.show')}
        </Button>
      </form>
    </div>
  );
}

/**
 * Figures of any period, to view, print and save. Specification §6: admins and service providers.
 */
export function ReportsPage() {
  const { t } = useTranslation('reports');
  const { language } = useLanguage();
  const { dateTime } = useFormat();
  const texts = useCsvTexts();
  const session = useSession();
  const isAdmin = hasRole(session, ...auditReaders);
  const isOfAgency = hasRole(session, 'AgencyAdmin');
  const seesAll = hasRole(session, ...moneyReaders);
  const list = useStaffList();
  const filters = useSearchFilters('from', 'to');
  const today = serverToday();
  const days = readDays(filters.values.from, filters.values.to, today);
  const figures = useFigures(days);
  const shownAt = new Date(figures.dataUpdatedAt);
  usePageTitle(t('title'));
  const { data } = figures;
  const [isSaving, setIsSaving] = useState(false);
  const download = async (shown: RequestFigures) => {
    setIsSaving(true);
    try {
      saveCsv(shown, await fetchGroups(days, isAdmin), texts);
    } catch (error) {
      handleError(error);
    } finally {
      setIsSaving(false);
    }
  };
  const period = t('period.between', {
    from: fullDay(days.from, language),
    to: fullDay(days.to, language),
  });
  return (
    <div data-report className="page pb-16">
      <PrintedHead />
      <PageHeader
        title={t('title')}
        lead={
          <>
            <span>{t(seesAll ? 'lead' : isOfAgency ? 'agencyLead' : 'partnerLead')}</span>{' '}
            <strong className="block font-semibold text-ink-900">{period}</strong>
          </>
        }
        action={
          data ? (
            <div data-no-print className="flex flex-wrap gap-3">
              <Button
                variant="secondary"
                icon={<Download aria-hidden size={20} />}
                isPending={isSaving}
                onPress={() => void download(data)}
              >
                {t('download')}
              </Button>
              <Button
                variant="secondary"
                icon={<Printer aria-hidden size={20} />}
                onPress={() => window.print()}
              >
                {t('print')}
              </Button>
            </div>
          ) : undefined
        }
      />
      <ReportPeriod
        key={`${days.from} ${days.to}`}
        days={days}
        today={today}
        onChange={({ from, to }) => filters.change({ from, to })}
      />
      {data ? (
        <div
          aria-busy={figures.isPlaceholderData || undefined}
          className={classNames(
            'flex flex-col gap-6 transition-opacity duration-150 print:gap-4',
            figures.isPlaceholderData ? 'opacity-60' : '',
          )}
        >
          <p role="status" className="sr-only">
            {figures.isPlaceholderData ? '' : period}
          </p>
          <FigureCards figures={data} list={list} />
          <p className="text-sm text-ink-600">
            {t('compared', {
              from: fullDay(data.fromDay, language),
              to: fullDay(data.toDay, language),
              count: data.days.length,
            })}
          </p>
          <FigureGroups days={days} />
          <FiguresChart figures={data} list={list} />
          <div className="grid gap-6 lg:not-print:grid-cols-2">
            <TopServices figures={data} />
            <StatusCountList statusCounts={data.standing} list={list} />
          </div>
          <section data-print-whole className="text-sm text-ink-600">
            <h2 className="text-base text-ink-900">{t('how.title')}</h2>
            <ul className="mt-1 list-disc ps-5">
              {(['clock', 'promise', 'fees', 'standing'] as const).map((name) => (
                <li key={name}>{t(`how.${name}`)}</li>
              ))}
            </ul>
            <p className="mt-3 hidden print:block">{t('printed', { at: dateTime(shownAt) })}</p>
          </section>
        </div>
      ) : figures.error ? (
        <ErrorState
          error={figures.error}
          title={t('failed')}
          onRetry={figures.refetch}
          isRetrying={figures.isRefetching}
        />
      ) : (
        <FiguresSkeleton />
      )}
    </div>
  );
}
