import { SkeletonBar, Skeleton } from '../ui/feedback/skeleton.tsx';

/** The shape of most pages while their texts are on the way. */
export function PageSkeleton() {
  return (
    <div className="page py-8">
      <Skeleton>
        <div className="flex max-w-form flex-col gap-4">
          <SkeletonBar className="h-4 w-40" />
          <SkeletonBar className="h-9 w-3/4" />
          <SkeletonBar className="h-4 w-full" />
          <SkeletonBar className="h-4 w-2/3" />
        </div>
      </Skeleton>
    </div>
  );
}
