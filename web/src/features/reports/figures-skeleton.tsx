import { SkeletonBar, Skeleton } from '#ui/feedback/skeleton.tsx';

/** The placeholder of a page with figures. */
export function FiguresSkeleton() {
  return (
    <Skeleton>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3 md:gap-4 xl:grid-cols-5">
        {Array.from({ length: 5 }, (_, index) => (
          <div key={index} className="flex flex-col gap-3 rounded-lg border border-ink-100 p-4">
            <SkeletonBar className="h-4 w-1/2" />
            <SkeletonBar className="h-8 w-2/3" />
            <SkeletonBar className="h-4 w-3/4" />
          </div>
        ))}
      </div>
      <div className="mt-6 rounded-lg border border-ink-100 p-6">
        <SkeletonBar className="h-60 w-full" />
      </div>
    </Skeleton>
  );
}
