import { CircleAlert, CircleCheck } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { usePageTitle } from '../../lib/page/page-title.ts';
import { hasRole, useSession } from '../../lib/api/session.ts';
import { Button } from '../../ui/actions/button.tsx';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Reference } from '../../ui/values/reference.tsx';
import { Countdown } from './countdown.tsx';
import { useIsPaid, usePayAgain } from './payments.data.ts';

/** Source: specification §9. */
const redirectSeconds = 10;

/**
 * Where the payment provider sends people back to: success when `result` is there, else failure.
 * Source: specification §2.
 */
export function PaymentStatusPage() {
  const { t } = useTranslation('payments');
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const requestNumber = query.get('request-number');
  const hasSucceeded = query.has('result');
  const isPaid = useIsPaid(requestNumber, hasSucceeded);
  const payAgain = usePayAgain();
  usePageTitle(t(hasSucceeded ? 'success.title' : 'failure.title'));

  const goOn = useCallback(() => {
    // A missing number is left out, so that the next page can look for the last one; what the
    // provider has not confirmed is not called paid.
    const payment = hasSucceeded ? (isPaid ? 'paid' : undefined) : 'failed';
    const state = { ...(requestNumber ? { requestNumber } : {}), ...(payment ? { payment } : {}) };
    void navigate('/requests/accepted-request', { replace: true, state });
  }, [navigate, requestNumber, hasSucceeded, isPaid]);

  const Icon = hasSucceeded ? CircleCheck : CircleAlert;
  return (
    <div className="page py-8 md:py-16">
      <div
        data-surface
        className="mx-auto flex max-w-form flex-col gap-6 rounded-lg border border-ink-100 bg-white p-5 shadow-soft md:p-10"
      >
        <Icon aria-hidden size={56} className={hasSucceeded ? 'text-green-700' : 'text-red-700'} />
        <div className="flex flex-col gap-2">
          <h1 className="text-2xl">{t(hasSucceeded ? 'success.title' : 'failure.title')}</h1>
          <p className="text-ink-700">{t(hasSucceeded ? 'success.text' : 'failure.text')}</p>
        </div>
        {requestNumber ? (
          <p className="text-ink-600">
            {t('requestNumber')}
            <span className="block text-lg font-semibold text-ink-900">
              <Reference>{requestNumber}</Reference>
            </span>
          </p>
        ) : null}
        {hasSucceeded && isPaid === false ? (
          <Notice tone="warning" isLive>
            {t('success.confirming')}
          </Notice>
        ) : null}
        {!hasSucceeded && isPaid === true ? (
          <Notice tone="success" isLive>
            {t('failure.paidAfterAll')}
          </Notice>
        ) : null}
        <Countdown seconds={redirectSeconds} isHeld={payAgain.isPending} onEnd={goOn} />
        <div className="flex flex-col gap-3 md:flex-row">
          {!hasSucceeded && isPaid !== true && requestNumber ? (
            <TryAgain
              requestNumber={requestNumber}
              isPending={payAgain.isPending}
              onPress={() => payAgain.mutate(requestNumber)}
            />
          ) : null}
          <Button variant={hasSucceeded ? 'primary' : 'secondary'} onPress={goOn}>
            {t('goOn')}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** The owner pays at once; who is not signed in goes by the request itself, which asks them to. */
function TryAgain({
  requestNumber,
  isPending,
  onPress,
}: {
  requestNumber: string;
  isPending: boolean;
  onPress: () => void;
}) {
  const { t } = useTranslation('payments');
  const session = useSession();
  if (hasRole(session, 'Client', 'CompanyUser'))
    return (
      <Button isPending={isPending} pendingLabel={t('failure.opening')} onPress={onPress}>
        {t('failure.tryAgain')}
      </Button>
    );
  return (
    <LinkButton
      to={`/requests/request-details?request-number=${encodeURIComponent(requestNumber)}`}
      state={{ requestNumber }}
    >
      {t('failure.tryAgain')}
    </LinkButton>
  );
}
