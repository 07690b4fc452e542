import { useMayCall } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import {
  decidePublication,
  getWaitingPublications,
} from '@diwan/contract/catalogue/service-designs';
import { decideRefund, getRefunds } from '@diwan/contract/payments/events';
import { decideCharge, getWaitingCharges } from '@diwan/contract/processing/waiting-charges';
import { getUrgentOpenings, reviewUrgentOpening } from '@diwan/contract/staff/urgent-reading';

const countOthers = (rows: readonly { isOwn: boolean }[] = []) =>
  rows.filter(({ isOwn }) => !isOwn).length;

/** New fees, charges and refunds that wait for this user as the second person, with their lists. */
function useWaitingDecisions() {
  const options = { skipErrorHandling: true, staleTime: 0, refetchInterval: 60_000 };
  const publications = useCall(getWaitingPublications, {
    ...options,
    enabled: useMayCall(decidePublication),
  });
  const charges = useCall(getWaitingCharges, { ...options, enabled: useMayCall(decideCharge) });
  const refunds = useCall(getRefunds, {
    ...options,
    enabled: useMayCall(decideRefund),
    query: { State: 'waiting', Take: 100 },
  });
  const today = serverToday();
  const urgentReadings = useCall(getUrgentOpenings, {
    ...options,
    enabled: useMayCall(reviewUrgentOpening),
    query: { From: today, Until: today },
  });
  return [
    {
      name: 'urgentReadings',
      count: (urgentReadings.data ?? []).filter(({ mayReview }) => mayReview).length,
      to: '/dashboard/reading',
    },
    {
      name: 'publications',
      count: countOthers(publications.data),
      to: '/dashboard/services',
    },
    {
      name: 'charges',
      count: countOthers(charges.data),
      to: '/dashboard/payments?tab=cases',
    },
    {
      name: 'refunds',
      count: countOthers(refunds.data?.items),
      to: '/dashboard/payments?tab=refunds&state=waiting',
    },
  ].filter(({ count }) => count > 0);
}

/** What waits for this user as the second person. Nothing is shown where nothing waits. */
export function WaitingDecisions() {
  const { t } = useTranslation('dashboards');
  const decisions = useWaitingDecisions();
  if (decisions.length === 0) return null;
  return (
    <Alert tone="warning" title={t('decisions.title')} isLive>
      <ul className="flex flex-col gap-1">
        {decisions.map(({ name, count, to }) => (
          <li key={name}>
            <Link to={to} className="link">
              {t(`decisions.${name}`, { count })}
            </Link>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
