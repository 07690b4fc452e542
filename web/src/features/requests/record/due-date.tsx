import { CalendarClock, CalendarX2, CirclePause } from 'lucide-react';
import { serverToday } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { RequestSummary } from '@diwan/contract/requests/requests';

type Dated = Pick<RequestSummary, 'promisedBy' | 'workingDaysLeft' | 'onHold'>;

/**
 * The due date of a request for its applicant, or that it has passed; of a request on hold the day on
 * which work continues. Empty without a day.
 */
export function ApplicantDueDate({
  request: { promisedBy, onHold },
  isShort = false,
}: {
  request: Dated;
  isShort?: boolean;
}) {
  const { t } = useTranslation('requests');
  const { date } = useFormat();
  if (onHold)
    return (
      <div className={`flex max-w-form gap-2 ${isShort ? 'mt-3 text-sm text-ink-600' : ''}`}>
        <span className="flex h-[1lh] items-center">
          <CirclePause aria-hidden size={isShort ? 18 : 20} className="shrink-0" />
        </span>
        <div>
          <p className={isShort ? undefined : 'font-semibold'}>
            {t('hold.until', { date: date(onHold.until) })}
          </p>
          {isShort ? null : (
            <p data-print-full className="text-sm text-ink-600">
              {t('hold.hint')}
            </p>
          )}
        </div>
      </div>
    );
  if (!promisedBy) return null;
  const isOver = promisedBy < serverToday();
  if (isShort)
    return (
      <p className={`mt-3 flex gap-2 text-sm ${isOver ? 'text-amber-800' : 'text-ink-600'}`}>
        <span className="flex h-[1lh] items-center">
          <CalendarClock aria-hidden size={18} className="shrink-0" />
        </span>
        <span>{t(isOver ? 'promise.shortOver' : 'promise.short', { date: date(promisedBy) })}</span>
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
        <p data-print-full className="text-sm text-ink-600">
          {t(isOver ? 'promise.overHint' : 'promise.hint')}
        </p>
      </div>
    </div>
  );
}

/**
 * How many working days are left until the due day, for staff; highlighted when it is today or has passed. Of a
 * request on hold the day on which work continues. Empty without a day. It has one line in headers and
 * lists: the record has the reason.
 */
export function StaffDueDate({
  request: { promisedBy, workingDaysLeft = 0, onHold },
}: {
  request: Dated;
}) {
  const { t } = useTranslation('staff');
  const { date } = useFormat();
  if (onHold)
    return (
      <span data-due="hold" className="inline-flex items-start gap-1.5 text-sm text-ink-700">
        <span className="flex h-[1lh] shrink-0 items-center">
          <CirclePause aria-hidden size={16} />
        </span>
        <span>{t('due.hold', { date: date(onHold.until) })}</span>
      </span>
    );
  if (!promisedBy) return null;
  const today = serverToday();
  const state = promisedBy < today ? 'late' : promisedBy === today ? 'today' : 'left';
  const days = Math.abs(workingDaysLeft);
  const text = {
    // On a day off, no working day has passed since the due day before it.
    late: days === 0 ? t('filters.due.late') : t('due.late', { count: days }),
    today: t('due.today'),
    left: t('due.left', { count: days }),
  }[state];
  const style = {
    late: 'font-semibold text-red-700',
    today: 'font-semibold text-amber-800',
    left: days === 1 ? 'text-amber-800' : 'text-ink-600',
  }[state];
  return (
    <span
      data-due={state}
      title={t('due.on', { date: date(promisedBy) })}
      className={`inline-flex items-start gap-1.5 text-sm ${style}`}
    >
      <span className="flex h-[1lh] shrink-0 items-center">
        {state === 'late' ? (
          <CalendarX2 aria-hidden size={16} />
        ) : (
          <CalendarClock aria-hidden size={16} />
        )}
      </span>
      <span>{text}</span>
      <span className="sr-only">{t('due.on', { date: date(promisedBy) })}</span>
    </span>
  );
}
