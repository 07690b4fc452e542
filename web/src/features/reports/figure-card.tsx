import { ArrowDown, ArrowUp, Equal } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import type { Direction } from './figure-texts.ts';

export interface Change {
  direction: Direction;
  /** The value of the previous period as text. */
  before: string;
  /** The desired direction; absent where neither is. */
  desired?: 'up' | 'down';
  /** A duration is slower or faster, which says why a change is good or bad. */
  isDuration?: boolean;
}

const speeds = { up: 'slower', down: 'faster', same: 'same' } as const;
const icons = { up: ArrowUp, down: ArrowDown, same: Equal };

// Colour only repeats what the arrow and the text say.
function toneOf({ direction, desired }: Change): string {
  if (direction === 'same' || desired === undefined) return 'text-ink-600';
  return direction === desired ? 'text-green-700' : 'text-amber-800';
}

/** A line ends between words only: the sign of the dirham ends with a stop, where it could end too. */
const wordsOf = (value: string): ReactNode =>
  value.split(/(\s)/).map((word, place) => (
    <span key={place} className="whitespace-nowrap">
      {word}
    </span>
  ));

/** One figure with its label, its previous value and the change. */
export function FigureCard({
  label,
  value,
  change,
  to,
  isUrgent,
  children,
}: {
  label: string;
  value: string;
  change?: Change;
  /** The list of the requests that are counted. */
  to?: string | undefined;
  isUrgent?: boolean;
  children?: ReactNode;
}) {
  const { t } = useTranslation('reports');
  const Icon = change ? icons[change.direction] : undefined;
  return (
    <div
      data-surface
      className={classNames(
        'relative flex flex-col rounded-lg border bg-white p-4 print:mb-0 print:p-2',
        'max-md:not-print:last:odd:col-span-2',
        isUrgent ? 'border-red-600' : 'border-ink-100',
        to &&
          'transition-colors duration-150 has-[a:hover]:border-gold-600 has-[a:hover]:bg-desert-50',
      )}
    >
      <dt className="text-sm text-ink-600 print:text-xs">{label}</dt>
      <dd
        className={classNames(
          'mt-1 font-heading font-semibold',
          value.length > 10 ? 'text-lg md:text-xl' : 'text-xl',
          'print:text-sm',
          isUrgent ? 'text-red-700' : 'text-ink-900',
        )}
      >
        {to ? (
          <Link to={to} className="row-link">
            <span className="sr-only">
              <span>{label}</span>:{' '}
            </span>
            <bdi>{wordsOf(value)}</bdi>
          </Link>
        ) : (
          <bdi>{wordsOf(value)}</bdi>
        )}
      </dd>
      {change && Icon ? (
        <dd className={`mt-1 flex items-start gap-1.5 text-sm print:text-xs ${toneOf(change)}`}>
          <Icon aria-hidden size={16} className="mt-[calc((1lh-16px)/2)] shrink-0 print:hidden" />
          <span>
            {t(`change.${change.isDuration ? speeds[change.direction] : change.direction}`, {
              before: change.before,
            })}
          </span>
        </dd>
      ) : null}
      {children ? <dd className="mt-auto pt-2 print:hidden">{children}</dd> : null}
    </div>
  );
}
