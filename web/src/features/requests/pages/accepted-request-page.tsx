import { Printer } from 'lucide-react';
import { PushOffer } from '#features/messages/push-control.tsx';
import { useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useLocation, useSearchParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { CopyButton } from '#ui/actions/copy-button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Lattice } from '#ui/theme/lattice.tsx';
import {
  getRequestByRequestNoOrMobileNo,
  type PublicRequestStatus,
} from '@diwan/contract/requests/request-lists';
import { loadLastRequestNumber } from '../create/last-request.ts';
import { detailsLink } from '../data/details-link.ts';
import { DownloadInvoice } from '../record/download-invoice.tsx';
import { PrintFrame } from '../record/print-frame.tsx';

/** The navigation state with which the user arrives. */
interface Arrival {
  requestNumber?: string;
  /** The result of the payment. */
  payment?: 'paid' | 'failed';
  /** Why the payment failed. */
  reason?: 'declined' | 'cancelled' | 'expired' | 'returned';
}

/** The key of the page's heading. */
function headingOf(requestNumber: string | null, payment: Arrival['payment']) {
  if (requestNumber === null) return 'accepted.noneTitle';
  if (payment === 'failed') return 'accepted.unpaidHeading';
  return payment === 'paid' ? 'accepted.paidHeading' : 'accepted.title';
}

/** The receipt of a request: its number and the next steps. */
export function AcceptedRequestPage() {
  const { t } = useTranslation('payments');
  const home = useHomeAddress();
  const { state } = useLocation();
  const [query] = useSearchParams();
  const isSignedIn = useSession() !== null;
  const arrival = (state ?? {}) as Arrival;
  const requestNumber =
    arrival.requestNumber ?? query.get('request-number') ?? loadLastRequestNumber();
  const { data } = useCall(getRequestByRequestNoOrMobileNo, {
    query: { SearchKeyword: requestNumber ?? '' },
    enabled: requestNumber !== null,
    skipErrorHandling: true,
  });
  const request = data?.items.find((each) => each.requestNumber === requestNumber);
  const isUnpaid = arrival.payment === 'failed';
  const title = t(headingOf(requestNumber, arrival.payment));
  usePageTitle(title);
  if (requestNumber === null) return <NoRequest />;
  const details = detailsLink(requestNumber);
  const inquiryAddress = `/requests/inquiry?request-number=${encodeURIComponent(requestNumber)}`;
  return (
    <PrintFrame
      title={request?.serviceName ?? title}
      requestNumber={requestNumber}
      address={`${window.location.origin}${inquiryAddress}`}
    >
      <div className="page pt-6 pb-16 md:pt-10">
        <div
          data-surface
          className={classNames(
            'relative overflow-clip rounded-lg border p-4 sm:p-6 md:p-10',
            isUnpaid ? 'border-ink-100 bg-desert-50' : 'border-green-200 bg-green-50',
          )}
        >
          <Lattice className="hero-mask absolute inset-y-0 end-0 hidden w-1/3 opacity-30 md:block print:hidden" />
          <div className="relative flex max-w-form flex-col gap-4">
            <h1 className="text-2xl">{title}</h1>
            {request ? <AboutRequest request={request} /> : null}
            <AcceptedRequestNumber requestNumber={requestNumber} />
          </div>
        </div>
        <div className="mt-8 flex max-w-form flex-col gap-8">
          {isUnpaid ? (
            <Alert
              tone="warning"
              title={t('accepted.unpaidTitle')}
              action={
                <LinkButton {...details} size="sm">
                  {t('accepted.pay')}
                </LinkButton>
              }
            >
              <span>{arrival.reason ? `${t(`reasons.${arrival.reason}`)} ` : null}</span>
              {t('accepted.unpaid')}
            </Alert>
          ) : null}
          <NextSteps payment={arrival.payment} request={request} />
          <div data-no-print className="flex flex-col gap-3 md:flex-row">
            {isSignedIn ? (
              <LinkButton {...details}>{t('accepted.follow')}</LinkButton>
            ) : (
              <LinkButton to={inquiryAddress}>{t('accepted.inquire')}</LinkButton>
            )}
            <Button
              variant="secondary"
              icon={<Printer aria-hidden size={18} />}
              onPress={() => window.print()}
            >
              {t('accepted.print')}
            </Button>
            <LinkButton variant="quiet" to={home}>
              {t('accepted.home')}
            </LinkButton>
          </div>
          {arrival.payment === 'paid' ? <DownloadInvoice requestNumber={requestNumber} /> : null}
        </div>
      </div>
    </PrintFrame>
  );
}

interface NextStepsProps {
  payment: Arrival['payment'];
  request: PublicRequestStatus | undefined;
}

function NextSteps({ payment, request }: NextStepsProps) {
  const { t } = useTranslation('payments');
  const { day } = useFormat();
  return (
    <section>
      <h2 className="mb-3 text-lg">{t('accepted.next')}</h2>
      <ol className="flex list-decimal flex-col gap-2 ps-6 marker:font-semibold marker:text-gold-700">
        {payment === 'failed' ? <li className="ps-1">{t('accepted.nextPay')}</li> : null}
        {/* Fees may be added at any time, so after a payment the status says what is next. */}
        <li className="ps-1">
          {payment === 'paid' && request ? request.statusDescription : t('accepted.nextCheck')}
        </li>
        <li className="ps-1">{t('accepted.nextTell')}</li>
        <li className="ps-1">
          {request?.promisedBy && request.promisedBy >= serverToday()
            ? t('accepted.nextDay', { day: day(request.promisedBy) })
            : t('accepted.nextResult')}
        </li>
      </ol>
      {payment === 'failed' ? null : (
        <div className="mt-6 empty:hidden">
          <PushOffer />
        </div>
      )}
    </section>
  );
}

function AboutRequest({ request }: { request: PublicRequestStatus }) {
  return (
    <p className="text-ink-700">
      <span className="font-semibold">{request.serviceName}</span>
      <span className="block">{request.governmentAgencyName}</span>
    </p>
  );
}

function NoRequest() {
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

/** The request number in large type, with a button to copy it. */
function AcceptedRequestNumber({ requestNumber }: { requestNumber: string }) {
  const { t } = useTranslation('payments');
  return (
    <div>
      <p className="text-ink-600">{t('accepted.number')}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <bdi
          dir="ltr"
          data-request-number
          className="text-xl font-semibold whitespace-nowrap text-ink-900 tabular-nums select-all md:text-3xl"
        >
          {requestNumber}
        </bdi>
        <span data-no-print>
          <CopyButton
            text={requestNumber}
            label={t('accepted.copy')}
            copiedLabel={t('accepted.copied')}
          />
        </span>
      </div>
    </div>
  );
}
