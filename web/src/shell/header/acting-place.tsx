import { lazy, Suspense } from 'react';
import { useSession } from '../../lib/api/session.ts';

// Decision 0008: only who helps somebody needs it.
const ActingBar = lazy(() =>
  import('./acting-bar.tsx').then((file) => ({ default: file.ActingBar })),
);

export function ActingPlace() {
  const session = useSession();
  return session?.act ? (
    <Suspense fallback={null}>
      <ActingBar key={session.ssid} session={session} />
    </Suspense>
  ) : null;
}
