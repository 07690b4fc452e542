import { CalendarClock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { todayInDubai } from '@diwan/contract/wire/days';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { useFormat } from '../../../lib/i18n/format.ts';

/**
 * By when the office means to be done, told as its promise; and when that is over, that it is late.
 * Nothing where nothing is promised.
 */
export function PromisedDay({
  request: { promisedBy },
  isShort = false,
}: {
  request: Pick<RequestSummary, 'promisedBy'>;
  isShort?: boolean;
}) {
  const { t } = useTranslation('requests');
  const { date } = useFormat();
  if (!promisedBy) return null;
  const isOver = promisedBy < todayInDubai();
  if (isShort)
    return (
      <p className={`mt-3 flex gap-2 text-sm ${isOver ? 'text-amber-800' : 'text-ink-600'}`}>
        <span className="flex h-[1lh] items-center">
          <CalendarClock aria-hidden size={18} className="shrink-0" />
        </span>
        {t(isOver ? 'promise.shortOver' : 'promise.short', { date: date(promisedBy) })}
      </p>
    );
  return (
    <div className="flex max-w-form gap-3">
      <span className="flex h-[1lh] items-center">
        <CalendarClock aria-hidden size={20} className="shrink-0" />
      </span>
      <div>
        <p className="font-semibold">
          {t(isOver ? 'promise.over' : 'promise.by', { date: date(promisedBy) })}
        </p>
        <p className="text-sm text-ink-600">{t(isOver ? 'promise.overHint' : 'promise.hint')}</p>
      </div>
    </div>
  );
}
