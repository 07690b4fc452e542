import { Bone, Skeleton, SkeletonText } from '../../../ui/feedback/skeleton.tsx';

export function RequestDetailsSkeleton({ title }: { title: string }) {
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <Skeleton>
        <div className="flex items-start gap-4 pt-10 pb-8">
          <Bone className="size-14 shrink-0" />
          <div className="flex grow flex-col gap-3">
            <Bone className="h-7 w-2/3" />
            <Bone className="h-4 w-1/3" />
            <Bone className="h-8 w-40" />
          </div>
        </div>
        <div className="grid gap-6 lg:grid-cols-[2fr_1fr]">
          <div className="flex flex-col gap-6 rounded-lg border border-ink-100 p-6">
            <Bone className="h-5 w-1/3" />
            <SkeletonText lines={6} />
          </div>
          <div className="flex flex-col gap-6 rounded-lg border border-ink-100 p-6">
            <Bone className="h-5 w-1/2" />
            <SkeletonText lines={4} />
          </div>
        </div>
      </Skeleton>
    </>
  );
}
