import type { ReactNode } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { Star } from '../theme/star.tsx';

/** Shown instead of an empty list: what it will hold and what to do. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div
      data-surface
      className={classNames(
        'flex flex-col gap-6 rounded-lg border border-ink-100',
        'bg-desert-50 p-6 md:flex-row md:items-center md:p-10',
      )}
    >
      <span className="text-gold-500">
        <Star size={88} />
      </span>
      <div className="min-w-0">
        <h2 className="text-lg">{title}</h2>
        {children ? (
          <div className="mt-1 max-w-form wrap-anywhere text-ink-600">{children}</div>
        ) : null}
        {action ? <div className="mt-4 flex flex-wrap gap-3">{action}</div> : null}
      </div>
    </div>
  );
}
