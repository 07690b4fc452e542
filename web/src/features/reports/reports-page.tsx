import { Download, Printer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { todayInDubai } from '@diwan/contract/wire/days';
import { useFormat } from '../../lib/i18n/format.ts';
import { useLanguage } from '../../lib/i18n/language.ts';
import { usePageTitle } from '../../lib/page/page-title.ts';
import { hasRole, useSession } from '../../lib/api/session.ts';
import { useAddressFilters } from '../../lib/browser/use-address-filters.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { PageHeader } from '../../ui/data/page-header.tsx';
import { FigureCards } from './figure-cards.tsx';
import { wholeDay } from './figure-words.ts';
import { FiguresChart } from './figures-chart.tsx';
import { FiguresSkeleton } from './figures-skeleton.tsx';
import { readDays } from './report-days.ts';
import { ReportPeriod } from './report-period.tsx';
import { useFigures } from './reports.data.ts';
import { saveCsv, useCsvWords } from './save-csv.ts';
import { StandingList } from './standing-list.tsx';
import { TopServices } from './top-services.tsx';

/** Figures of any days, to read, print and save. Specification §6: admins and service providers. */
export function ReportsPage() {
  const { t } = useTranslation('reports');
  const { language } = useLanguage();
  const { dateTime } = useFormat();
  const words = useCsvWords();
  const isAdmin = hasRole(useSession(), 'Admin');
  const filters = useAddressFilters('from', 'to');
  const today = todayInDubai();
  const days = readDays(filters.values.from, filters.values.to, today);
  const figures = useFigures(days);
  const shownAt = new Date(figures.dataUpdatedAt);
  usePageTitle(t('title'));
  const { data } = figures;
  const period = t('period.between', {
    from: wholeDay(days.from, language),
    to: wholeDay(days.to, language),
  });
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('title')}
        lead={
          <>
            <span>{t(isAdmin ? 'lead' : 'partnerLead')}</span>{' '}
            <strong className="block font-semibold text-ink-900">{period}</strong>
          </>
        }
        action={
          data ? (
            <div data-no-print className="flex flex-wrap gap-3">
              <Button
                variant="secondary"
                icon={<Download aria-hidden size={20} />}
                onPress={() => saveCsv(data, words)}
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
          className={`flex flex-col gap-6 transition-opacity duration-150 ${figures.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <p role="status" className="sr-only">
            {figures.isPlaceholderData ? '' : period}
          </p>
          <FigureCards figures={data} />
          <p className="text-sm text-ink-600">
            {t('compared', {
              from: wholeDay(data.fromDay, language),
              to: wholeDay(data.toDay, language),
              count: data.days.length,
            })}
          </p>
          <FiguresChart figures={data} />
          <div className="grid gap-6 lg:not-print:grid-cols-2">
            <TopServices services={data.services} />
            <StandingList
              standing={data.standing}
              linkOf={(statusId) => `/requests/all?status=${statusId}`}
            />
          </div>
          <section className="text-sm text-ink-600">
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
