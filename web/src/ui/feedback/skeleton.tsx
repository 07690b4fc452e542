import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** One grey bar; `className` gives its size. */
export function Bone({ className = 'h-4 w-full' }: { className?: string }) {
  return <span aria-hidden className={`block animate-pulse rounded-sm bg-ink-100 ${className}`} />;
}

/**
 * Holds bones in the shape of what is coming; shows itself after 300 ms, so that quick answers do
 * not flicker.
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
        <Bone key={index} className={index === lines - 1 ? 'h-4 w-3/5' : 'h-4 w-full'} />
      ))}
    </div>
  );
}

export function SkeletonRows({ count = 5 }: { count?: number }) {
  return (
    <Skeleton>
      <div className="flex flex-col gap-3">
        {Array.from({ length: count }, (_, index) => (
          <div
            key={index}
            className="flex items-start gap-4 rounded-lg border border-ink-100 p-4 md:p-6"
          >
            <Bone className="size-14 shrink-0" />
            <div className="flex grow flex-col gap-3 pt-1">
              <Bone className="h-4 w-1/3" />
              <Bone className="h-5 w-3/4" />
              <Bone className="h-4 w-1/2" />
            </div>
          </div>
        ))}
      </div>
    </Skeleton>
  );
}
