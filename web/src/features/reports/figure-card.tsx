import { ArrowDown, ArrowUp, Equal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Direction } from './figure-words.ts';

export interface Change {
  direction: Direction;
  /** How it was in the period before, in words. */
  before: string;
  /** Which direction is welcome; none where neither is. */
  welcome?: 'up' | 'down';
}

const icons = { up: ArrowUp, down: ArrowDown, same: Equal };

// The arrow and the words say it; colour only adds whether it is welcome.
function toneOf({ direction, welcome }: Change): string {
  if (direction === 'same' || welcome === undefined) return 'text-ink-600';
  return direction === welcome ? 'text-green-700' : 'text-amber-800';
}

/** One number: what it is, how it was before, and how it went. */
export function FigureCard({
  label,
  value,
  change,
  children,
}: {
  label: string;
  value: string;
  change?: Change;
  children?: ReactNode;
}) {
  const { t } = useTranslation('reports');
  const Icon = change ? icons[change.direction] : undefined;
  return (
    <div
      data-surface
      className="flex flex-col rounded-lg max-md:not-print:last:odd:col-span-2 border border-ink-100 bg-white p-4"
    >
      <dt className="text-sm text-ink-600">{label}</dt>
      <dd className="mt-1 font-heading text-xl font-semibold text-ink-900">
        <bdi>{value}</bdi>
      </dd>
      {change && Icon ? (
        <dd className={`mt-1 flex items-start gap-1.5 text-sm ${toneOf(change)}`}>
          <Icon aria-hidden size={16} className="mt-[calc((1lh-16px)/2)] shrink-0" />
          <span>{t(`change.${change.direction}`, { before: change.before })}</span>
        </dd>
      ) : null}
      {children ? <dd className="mt-auto pt-2">{children}</dd> : null}
    </div>
  );
}
