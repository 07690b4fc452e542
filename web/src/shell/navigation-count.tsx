import { useTranslation } from 'react-i18next';
import { getRequestsCount } from '@diwan/contract/requests';
import { useFormat } from '../lib/format.ts';
import { useSession } from '../lib/session.ts';
import { useCall } from '../lib/use-call.ts';
import { isStaff } from './navigation-items.ts';

/** How many requests wait behind a link of the staff. Badges end at +99. Source: specification §9. */
export function NavigationCount({ of }: { of: 'new' | 'processing' }) {
  const { t } = useTranslation('shell');
  const { count } = useFormat();
  // While somebody leaves, the badge outlives the session by a moment and must not ask.
  const { data } = useCall(getRequestsCount, { enabled: isStaff(useSession()), refetchInterval: 60_000, skipErrorHandling: true });
  const value = of === 'new' ? data?.newRequestsCount : data?.processingRequestsCount;
  if (!value) return null;
  return (
    <span className="inline-flex min-w-6 items-center justify-center rounded-full bg-amber-100 px-2 text-sm leading-6 font-semibold text-amber-800">
      <bdi dir="ltr" aria-hidden>{value >= 99 ? '+99' : count(value)}</bdi>
      <span className="sr-only">{t('requestsCount', { count: value })}</span>
    </span>
  );
}
