import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n/translate.ts';

/** One grey bar; `className` sets its size. */
export function SkeletonBar({ className = 'h-4 w-full' }: { className?: string }) {
  return <span aria-hidden className={`block animate-pulse rounded-sm bg-ink-100 ${className}`} />;
}

/**
 * A placeholder in the shape of the content. It appears after 300 ms, so that fast replies do not
 * flicker.
 */
export function Skeleton({ children }: { children?: ReactNode }) {
  const { t } = useTranslation('shell');
  return (
    <div role="status" data-skeleton className="animate-appear">
      <span className="sr-only">{t('kit.loading')}</span>
      {children ?? <SkeletonText />}
    </div>
  );
}

export function SkeletonText({ lines = 3 }: { lines?: number }) {
  return (
    <div className="flex flex-col gap-3">
      {Array.from({ length: lines }, (_, index) => (
        <SkeletonBar key={index} className={index === lines - 1 ? 'h-4 w-3/5' : 'h-4 w-full'} />
      ))}
    </div>
  );
}

/** The row of a list. */
export function SkeletonRow() {
  return (
    <div className="flex items-start gap-4 rounded-lg border border-ink-100 p-4 md:p-6">
      <SkeletonBar className="size-14 shrink-0" />
      <div className="flex grow flex-col gap-3 pt-1">
        <SkeletonBar className="h-4 w-1/3" />
        <SkeletonBar className="h-5 w-3/4" />
        <SkeletonBar className="h-4 w-1/2" />
      </div>
    </div>
  );
}

export function SkeletonRows({ count = 5 }: { count?: number }) {
  return (
    <Skeleton>
      <div className="flex flex-col gap-3">
        {Array.from({ length: count }, (_, index) => (
          <SkeletonRow key={index} />
        ))}
      </div>
    </Skeleton>
  );
}
