import { Clock } from 'lucide-react';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { OfficeHoursNow } from '@diwan/contract/calendars/calendar-calls';
import { dayInDubai } from '@diwan/contract/wire/days';

const colours = { open: 'text-green-700', closesSoon: 'text-amber-800', closed: 'text-ink-700' };

function keyOf({ state, changesAt }: OfficeHoursNow, now: number) {
  if (state !== 'closed') return `${state}Today` as const;
  if (changesAt === undefined) return 'closed';
  const isToday = dayInDubai(new Date(changesAt)) === dayInDubai(new Date(now));
  return isToday ? 'closedToday' : 'closedUntil';
}

/** Whether an office is open now, and when that changes. `now` is the time of the server. */
export function OfficeState({ office, now }: { office: OfficeHoursNow; now: number }) {
  const { t } = useTranslation('forms');
  const { date, time } = useFormat();
  const { state, changesAt } = office;
  const key = keyOf(office, now);
  return (
    <span className={`flex items-center gap-2 text-sm font-medium ${colours[state]}`}>
      <Clock aria-hidden size={16} className="shrink-0" />
      <span>
        {t(`office.${key}`, {
          time: changesAt ? `\u2068${time(changesAt)}\u2069` : '',
          date: changesAt ? `\u2068${date(changesAt)}\u2069` : '',
        })}
      </span>
    </span>
  );
}
