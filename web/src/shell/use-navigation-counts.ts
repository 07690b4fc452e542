import { getRequestsCount } from '@diwan/contract/requests';
import { useSession } from '../lib/session.ts';
import { useCall } from '../lib/use-call.ts';
import { isStaff, type NavigationItem } from './navigation-items.ts';

/** How many requests wait behind a link; nothing for those who do not work on requests. */
export function useNavigationCounts(): (item: NavigationItem) => number | undefined {
  const session = useSession();
  const { data } = useCall(getRequestsCount, { enabled: isStaff(session), refetchInterval: 60_000, skipErrorHandling: true });
  return (item) => (item.count === 'new' ? data?.newRequestsCount : item.count === 'processing' ? data?.processingRequestsCount : undefined);
}
