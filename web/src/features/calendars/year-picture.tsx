import { memo } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { localeOf, useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { SpecialDayKind } from '@diwan/contract/calendars/calendars';
import {
  weekdayOf,
  type CalendarDay,
  type WorkingTime,
} from '@diwan/contract/calendars/working-time';
import { dayAfter } from '@diwan/contract/wire/days';

/** How a day of the picture looks: its special kind, else how its weekday is worked. */
type Look = SpecialDayKind | 'half' | 'off' | 'full';

const looks: Record<Look, string> = {
  full: '',
  half: 'bg-blue-100 text-blue-900',
  off: 'bg-ink-100 text-ink-600',
  holiday: 'bg-red-100 font-semibold text-red-800 ring-1 ring-red-700',
  closed: 'bg-amber-100 font-semibold text-amber-800 ring-1 ring-amber-800',
  working: 'bg-green-100 font-semibold text-green-800 ring-1 ring-green-800',
};
// A mark beside the colour, for people and printers that see none.
const marks: Partial<Record<Look, string>> = { half: '½', holiday: '★', closed: '×', working: '+' };

const lookOf = ({ special, work }: CalendarDay): Look => special?.kind ?? work;

// A Sunday, from which the names of the seven weekdays are made.
const anySunday = '2026-11-01';

function useNames() {
  const { language } = useLanguage();
  const format = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(localeOf(language), { timeZone: 'UTC', ...options }).format(
      new Date(`${day}T00:00:00Z`),
    );
  return {
    month: (day: string) => format(day, { month: 'long' }),
    weekdays: Array.from({ length: 7 }, (_, index) => {
      const day = dayAfter(anySunday, index);
      const long = format(day, { weekday: 'long' });
      // Browsers know Urdu names of weekdays, and Latin letters as their short forms.
      const short = language === 'ur-PK' ? long.slice(0, 1) : format(day, { weekday: 'narrow' });
      return { long, short };
    }),
  };
}

/** The weeks of a month from Sunday; undefined before its first and after its last day. */
function weeksOf(month: string): (string | undefined)[][] {
  const first = `${month}-01`;
  const days: (string | undefined)[] = Array.from({ length: weekdayOf(first) }, () => undefined);
  for (let day = first; day.startsWith(month); day = dayAfter(day, 1)) days.push(day);
  while (days.length % 7 > 0) days.push(undefined);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/** What a day is, for people who see no colours; one formatter for the whole year. */
function useDescription(): (day: string, found: CalendarDay) => string {
  const { t } = useTranslation('calendars');
  const { language } = useLanguage();
  const { date } = useFormat();
  return (day, found) => {
    const { special, period } = found;
    return [
      date(day),
      t(`looks.${lookOf(found)}`),
      ...(special ? [special.name[language]] : []),
      ...(special?.isExpected ? [t('expected')] : []),
      ...(period ? [period.name[language]] : []),
    ].join(t('note.and'));
  };
}

function Day({ day, found, said }: { day: string; found: CalendarDay; said: string }) {
  const look = lookOf(found);
  const { special, period } = found;
  return (
    <span
      title={look === 'full' && !period ? undefined : said}
      className={classNames(
        'mx-auto flex h-8 w-8 flex-col items-center justify-center rounded text-sm leading-none',
        looks[look],
        special?.isExpected && 'border border-dashed border-current',
        period && 'underline decoration-dotted underline-offset-4',
      )}
    >
      <span aria-hidden dir="ltr">
        <span>{Number(day.slice(8))}</span>
        {marks[look] ? <sup className="text-[0.6em]">{marks[look]}</sup> : null}
      </span>
      <span className="sr-only">{said}</span>
    </span>
  );
}

function Month({ month, time }: { month: string; time: WorkingTime }) {
  const names = useNames();
  const describe = useDescription();
  const show = (day: string) => {
    const found = time.dayOn(day);
    return <Day day={day} found={found} said={describe(day, found)} />;
  };
  return (
    <table className="w-full table-fixed border-collapse print:break-inside-avoid">
      <caption className="pb-2 text-start font-semibold">{names.month(`${month}-01`)}</caption>
      <thead>
        <tr>
          {names.weekdays.map(({ long, short }) => (
            <th key={long} scope="col" className="pb-1 text-xs font-normal text-ink-600">
              <abbr title={long} className="no-underline">
                {short}
              </abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week, index) => (
          <tr key={week.find(Boolean) ?? index}>
            {week.map((day, position) => (
              <td key={day ?? `no ${position}`} className="p-0.5 text-center">
                {day ? show(day) : null}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A year as a picture: its twelve months, each day with how it is worked, and what the looks mean. */
export const YearPicture = memo(function YearPicture({
  year,
  time,
}: {
  year: number;
  time: WorkingTime;
}) {
  const { t } = useTranslation('calendars');
  return (
    <div className="flex flex-col gap-6">
      <ul aria-label={t('legend')} className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
        {(Object.keys(looks) as Look[]).map((look) => (
          <li key={look} className="flex items-center gap-2">
            <span
              aria-hidden
              className={classNames(
                'flex size-6 items-center justify-center rounded border border-ink-200 text-xs',
                looks[look],
              )}
            >
              {marks[look]}
            </span>
            <span>{t(`looks.${look}`)}</span>
          </li>
        ))}
      </ul>
      <div className="grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-3 print:grid-cols-3">
        {Array.from({ length: 12 }, (_, index) => {
          const month = `${year}-${String(index + 1).padStart(2, '0')}`;
          return <Month key={month} month={month} time={time} />;
        })}
      </div>
    </div>
  );
});
