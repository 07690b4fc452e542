import { CalendarClock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { todayInDubai } from '@diwan/contract/wire/days';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { useFormat } from '../../../lib/i18n/format.ts';

/**
 * By when the office has promised to be done, as its people read it: in words, with colour for what
 * is late or due today. Nothing where nothing is promised.
 */
export function DueLine({
  request: { promisedBy },
}: {
  request: Pick<RequestSummary, 'promisedBy'>;
}) {
  const { t } = useTranslation('staff');
  const { date } = useFormat();
  if (!promisedBy) return null;
  const today = todayInDubai();
  const state = promisedBy < today ? 'late' : promisedBy === today ? 'today' : 'by';
  const style = {
    late: 'font-semibold text-red-700',
    today: 'font-semibold text-amber-800',
    by: 'text-ink-600',
  }[state];
  return (
    <span data-due={state} className={`flex items-start gap-1.5 text-sm ${style}`}>
      <span className="flex h-[1lh] shrink-0 items-center">
        <CalendarClock aria-hidden size={16} />
      </span>
      <span>{t(`due.${state}`, { date: date(promisedBy) })}</span>
    </span>
  );
}
