import { PageSkeleton } from './page-skeleton.tsx';

/** Before the first page has arrived. */
export function StartingUp() {
  return <main><PageSkeleton /></main>;
}
