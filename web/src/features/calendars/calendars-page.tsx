import { useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { localeOf, useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { getCalendars, type DeclaredCalendar } from '@diwan/contract/calendars/calendar-calls';
import {
  resolveCalendar,
  type AgencyCalendar,
  type Calendar,
} from '@diwan/contract/calendars/calendars';
import { openWorkingTime } from '@diwan/contract/calendars/working-time';
import { dayAfter } from '@diwan/contract/wire/days';
import { ConfirmChange, DayDialog } from './calendar-dialogs.tsx';
import { Actions, Entries, type Edited, type OpenCalendar } from './calendar-parts.tsx';
import { PeriodDialog, WeekDialog } from './hours-dialogs.tsx';
import { YearPicture } from './year-picture.tsx';

function OpenDialog({
  open: { declared, calendar, portal },
  edited,
  onEdit,
}: {
  open: OpenCalendar;
  edited: Edited;
  onEdit: (edited: Edited | undefined) => void;
}) {
  const { t } = useTranslation('calendars');
  const client = useQueryClient();
  const weekdays = useWeekdays();
  const today = serverToday();
  const onClose = () => onEdit(undefined);
  const onChange = (next: AgencyCalendar) =>
    onEdit({ what: 'confirm', next, text: t('confirm.change') });
  const common = { calendar: declared.calendar, onChange, onClose };
  switch (edited.what) {
    case 'day':
      return <DayDialog {...common} index={edited.index} today={today} />;
    case 'period':
      return <PeriodDialog {...common} index={edited.index} today={today} hours={calendar.hours} />;
    case 'week':
      return (
        <WeekDialog
          {...common}
          inherited={portal}
          isPortal={declared.agencyId === undefined}
          weekdays={weekdays}
        />
      );
    default:
      return (
        <ConfirmChange
          declared={declared}
          next={edited.next}
          onSaved={() => {
            void client.invalidateQueries({ queryKey: [getCalendars.name] });
            showToast(t('saved'), 'success');
            onClose();
          }}
          onClose={onClose}
        >
          {edited.text}
        </ConfirmChange>
      );
  }
}

// 2026-11-01 is a Sunday.
function useWeekdays(): string[] {
  const { language } = useLanguage();
  const format = new Intl.DateTimeFormat(localeOf(language), { weekday: 'long', timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, index) =>
    format.format(new Date(`${dayAfter('2026-11-01', index)}T00:00:00Z`)),
  );
}

/** How the calendar works in general: the days of the week, and the hours. */
function UsualWeek({ calendar: { week, hours } }: { calendar: Calendar }) {
  const { t } = useTranslation('calendars');
  const { list } = useFormat();
  const weekdays = useWeekdays();
  const named = (work: (typeof week)[number]) =>
    weekdays.filter((_, index) => week[index] === work);
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[max-content_1fr]">
      {(['full', 'half', 'off'] as const)
        .filter((work) => named(work).length > 0)
        .map((work) => (
          <div key={work} className="contents">
            <dt className="text-ink-600">{t(`looks.${work}`)}</dt>
            <dd>
              <span>{list(named(work))}</span>{' '}
              {work === 'off' ? null : (
                <bdi dir="ltr" className="whitespace-nowrap">
                  {`${hours[work].from}–${hours[work].until}`}
                </bdi>
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
}

const readYear = (text: string): number => {
  const year = Number(text);
  return Number.isInteger(year) && year >= 2000 && year <= 2099
    ? year
    : Number(serverToday().slice(0, 4));
};

/** Whose calendar is shown, and the choice of another one where there are several. */
function Owner({
  calendars,
  shown,
  onChange,
}: {
  calendars: readonly DeclaredCalendar[];
  shown: DeclaredCalendar;
  onChange: (changed: { agency: string }) => void;
}) {
  const { t } = useTranslation('calendars');
  const isOnly = calendars.length === 1;
  const nameOf = ({ agencyName }: DeclaredCalendar) => agencyName ?? t('portal');
  return (
    <>
      {isOnly ? null : (
        <div data-no-print>
          <ComboField
            label={t('owner')}
            value={String(shown.agencyId ?? '')}
            onChange={(agency) => onChange({ agency })}
            choices={calendars.map((each) => ({
              value: String(each.agencyId ?? ''),
              label: nameOf(each),
            }))}
          />
        </div>
      )}
      <p className={isOnly ? 'font-semibold' : 'hidden font-semibold print:block'}>
        {nameOf(shown)}
      </p>
    </>
  );
}

/** Calendars of working days: of the portal, and of each agency. */
export function CalendarsPage() {
  const { t } = useTranslation('calendars');
  usePageTitle(t('title'));
  const { values, change } = useSearchFilters('agency', 'year');
  const [edited, setEdited] = useState<Edited>();
  const { data, error, refetch, isRefetching } = useCall(getCalendars, {});
  const year = readYear(values.year);
  const declared =
    data?.calendars.find(({ agencyId }) => String(agencyId ?? '') === values.agency) ??
    data?.calendars[0];
  const open = useMemo((): OpenCalendar | undefined => {
    if (!data || !declared) return undefined;
    const { portal } = data;
    const calendar =
      declared.agencyId === undefined ? portal : resolveCalendar(portal, declared.calendar);
    return { declared, portal, calendar, time: openWorkingTime(calendar), year };
  }, [data, declared, year]);
  return (
    <div className="page pb-16">
      <AdminPageHeader title={t('title')} lead={t('lead')} />
      {error && !data ? (
        <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
      ) : null}
      {!data && !error ? <SkeletonRows count={6} /> : null}
      {data && open ? (
        <div className="flex flex-col gap-10">
          <div className="flex max-w-form flex-col gap-6">
            <Owner calendars={data.calendars} shown={open.declared} onChange={change} />
            <UsualWeek calendar={open.calendar} />
          </div>
          <div data-no-print>
            <Actions open={open} onEdit={setEdited} />
          </div>
          <section className="flex flex-col gap-4">
            <div className="flex items-center gap-3">
              <h2 className="text-lg">{t('year', { year })}</h2>
              <span data-no-print className="flex gap-2">
                <IconButton label={t('before')} onPress={() => change({ year: year - 1 })}>
                  <ChevronLeft aria-hidden size={20} className="rtl:rotate-180" />
                </IconButton>
                <IconButton label={t('after')} onPress={() => change({ year: year + 1 })}>
                  <ChevronRight aria-hidden size={20} className="rtl:rotate-180" />
                </IconButton>
              </span>
            </div>
            <YearPicture year={year} time={open.time} />
          </section>
          <Entries open={open} onEdit={setEdited} />
          {edited ? <OpenDialog open={open} edited={edited} onEdit={setEdited} /> : null}
        </div>
      ) : null}
    </div>
  );
}
