import { Printer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
import {
  getRequestByRequestNoOrMobileNo,
  type RequestGlance,
} from '@diwan/contract/requests/requests';
import { usePageTitle } from '../../../lib/page/page-title.ts';
import { useSession } from '../../../lib/api/session.ts';
import { useCall } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { LinkButton } from '../../../ui/actions/link-button.tsx';
import { Lattice } from '../../../ui/theme/motif.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { AcceptedRequestNumber } from './accepted-request-number.tsx';
import { detailsLink } from '../data/details-link.ts';
import { lastRequestNumber } from '../create/last-request.ts';
import { PrintFrame } from '../record/print-frame.tsx';

interface Arrival {
  requestNumber?: string;
  /** How the way through the payment provider ended. */
  payment?: 'paid' | 'failed';
}

/** The receipt of a request: its number, and what happens now. */
export function AcceptedRequestPage() {
  const { t } = useTranslation('payments');
  const { state } = useLocation();
  const [query] = useSearchParams();
  const session = useSession();
  const arrival = (state ?? {}) as Arrival;
  const requestNumber = arrival.requestNumber ?? query.get('request-number') ?? lastRequestNumber();
  const { data } = useCall(getRequestByRequestNoOrMobileNo, {
    query: { SearchKeyword: requestNumber ?? '' },
    enabled: requestNumber !== null,
    skipErrorHandling: true,
  });
  const glance = data?.items.find((each) => each.requestNumber === requestNumber);
  const isUnpaid = arrival.payment === 'failed';
  const title = t(
    requestNumber === null
      ? 'accepted.noneTitle'
      : isUnpaid
        ? 'accepted.unpaidHeading'
        : arrival.payment === 'paid'
          ? 'accepted.paidHeading'
          : 'accepted.title',
  );
  usePageTitle(title);
  if (requestNumber === null) return <NothingSent />;
  const details = detailsLink(requestNumber);
  return (
    <PrintFrame
      title={glance?.serviceName ?? title}
      requestNumber={requestNumber}
      address={`${window.location.origin}/requests/inquiry?request-number=${encodeURIComponent(requestNumber)}`}
    >
      <div className="page pt-6 pb-16 md:pt-10">
        <div
          data-surface
          className={`relative overflow-clip rounded-lg border p-4 sm:p-6 md:p-10 ${isUnpaid ? 'border-ink-100 bg-desert-50' : 'border-green-200 bg-green-50'}`}
        >
          <Lattice className="absolute inset-y-0 end-0 hidden w-1/3 opacity-30 md:block print:hidden" />
          <div className="relative flex max-w-form flex-col gap-4">
            <h1 className="text-2xl">{title}</h1>
            {glance ? <AboutRequest glance={glance} /> : null}
            <AcceptedRequestNumber requestNumber={requestNumber} />
          </div>
        </div>
        <div className="mt-8 flex max-w-form flex-col gap-8">
          {isUnpaid ? (
            <Notice
              tone="warning"
              title={t('accepted.unpaidTitle')}
              action={
                <LinkButton {...details} size="sm">
                  {t('accepted.pay')}
                </LinkButton>
              }
            >
              {t('accepted.unpaid')}
            </Notice>
          ) : null}
          <section>
            <h2 className="mb-3 text-lg">{t('accepted.next')}</h2>
            <ol className="flex list-decimal flex-col gap-2 ps-6 marker:font-semibold marker:text-gold-700">
              {isUnpaid ? <li className="ps-1">{t('accepted.nextPay')}</li> : null}
              {/* Fees may have been added at any time: whoever has paid reads what the status says. */}
              <li className="ps-1">
                {arrival.payment === 'paid' && glance
                  ? glance.statusDescription
                  : t('accepted.nextCheck')}
              </li>
              <li className="ps-1">{t('accepted.nextTell')}</li>
              <li className="ps-1">{t('accepted.nextResult')}</li>
            </ol>
          </section>
          <div data-no-print className="flex flex-col gap-3 md:flex-row">
            {session ? (
              <LinkButton {...details}>{t('accepted.follow')}</LinkButton>
            ) : (
              <LinkButton
                to={`/requests/inquiry?request-number=${encodeURIComponent(requestNumber)}`}
              >
                {t('accepted.inquire')}
              </LinkButton>
            )}
            <Button
              variant="secondary"
              icon={<Printer aria-hidden size={18} />}
              onPress={() => window.print()}
            >
              {t('accepted.print')}
            </Button>
            <LinkButton variant="quiet" to="/home">
              {t('accepted.home')}
            </LinkButton>
          </div>
        </div>
      </div>
    </PrintFrame>
  );
}

function AboutRequest({ glance }: { glance: RequestGlance }) {
  return (
    <p className="text-ink-700">
      <span className="font-semibold">{glance.serviceName}</span>
      <span className="block">{glance.governmentAgencyName}</span>
    </p>
  );
}

function NothingSent() {
  const { t } = useTranslation('payments');
  return (
    <div className="page py-10">
      <h1 className="mb-6 text-2xl">{t('accepted.noneTitle')}</h1>
      <EmptyState
        title={t('accepted.noneHeading')}
        action={
          <>
            <LinkButton to="/requests">{t('accepted.myRequests')}</LinkButton>
            <LinkButton variant="secondary" to="/requests/inquiry">
              {t('accepted.inquire')}
            </LinkButton>
          </>
        }
      >
        {t('accepted.none')}
      </EmptyState>
    </div>
  );
}
