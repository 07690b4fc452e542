import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Clock, Pause, Play } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLiveRequests } from '#features/requests/live/live-counts.ts';
import type { ApiError } from '#lib/api/api-error.ts';
import { send } from '#lib/api/send.ts';
import { hasRole, useSession } from '#lib/api/session.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useNavigate, useSearchParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { getRequestIdByRequestNumber } from '@diwan/contract/requests/requests';
import { detailsLink } from '../requests/data/details-link.ts';
import { startPayment } from '../requests/data/start-payment.ts';
import { DownloadInvoice } from '../requests/record/download-invoice.tsx';
import { useLastPayment, useRequestOfPayment } from './payments.data.ts';

/** Starts another payment and leaves for the provider; `knownId` once the request was found. */
function usePayAgain(knownId: number | undefined): UseMutationResult<void, ApiError, string> {
  return useMutation<void, ApiError, string>({
    mutationFn: async (requestNumber) => {
      const findId = async () =>
        (await send(getRequestIdByRequestNumber, { query: { RequestNumber: requestNumber } }))
          .requestId;
      await startPayment(knownId ?? (await findId()));
    },
  });
}

interface CountdownProps {
  seconds: number;
  /** Paused by the parent, for example while a request is running. */
  isStopped?: boolean;
  /** After a failure: one line without a bar, which stops as soon as the user does something. */
  isQuiet?: boolean;
  onEnd: () => void;
}

/** A visible countdown that the user can pause. */
function Countdown({ seconds, isStopped = false, isQuiet = false, onEnd }: CountdownProps) {
  const { t } = useTranslation('payments');
  const [left, setLeft] = useState(seconds);
  const [isPaused, setIsPaused] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const isRunning = !isPaused && !isStopped && left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = window.setTimeout(() => {
      setLeft(left - 1);
      if (left === 1) onEnd();
    }, 1000);
    return () => window.clearTimeout(timer);
  }, [isRunning, left, onEnd]);
  useEffect(() => {
    if (!isQuiet) return;
    const pause = ({ target }: Event) => {
      if (!(target instanceof Node && container.current?.contains(target))) setIsPaused(true);
    };
    const events = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;
    for (const name of events) window.addEventListener(name, pause, { passive: true });
    return () => {
      for (const name of events) window.removeEventListener(name, pause);
    };
  }, [isQuiet]);
  return (
    <div
      ref={container}
      className={classNames(
        'flex gap-x-6 gap-y-3',
        isQuiet ? 'flex-wrap items-center text-sm' : 'flex-col',
      )}
    >
      <p role="timer" aria-live="off" className="text-ink-600 tabular-nums">
        {isPaused || isStopped
          ? t('countdown.held')
          : t(isQuiet ? 'countdown.toRequest' : 'countdown.toConfirmation', { count: left })}
      </p>
      {isQuiet ? null : (
        <div aria-hidden className="h-1.5 overflow-clip rounded-full bg-ink-100">
          <div
            className="h-full rounded-full bg-primary transition-[width] duration-1000 ease-linear"
            style={{ width: `${(left / seconds) * 100}%` }}
          />
        </div>
      )}
      <div className="-ms-3">
        <Button
          variant="quiet"
          size="sm"
          icon={
            isPaused ? (
              <Play aria-hidden size={18} className="mirror" />
            ) : (
              <Pause aria-hidden size={18} />
            )
          }
          onPress={() => setIsPaused(!isPaused)}
        >
          {isPaused ? t('countdown.resume') : t('countdown.hold')}
        </Button>
      </div>
    </div>
  );
}

const failureReasons = ['declined', 'cancelled', 'expired', 'returned'] as const;

/** Why a payment did not go through, from the address; the texts say where the money is. */
const failureReasonOf = (reason: unknown) => failureReasons.find((known) => known === reason);

/** Whether a payment is neither paid nor refused yet. */
const isUndecided = (reason: string | null) => reason === 'pending' || reason === 'held';

/** What the page says about the money. */
function wordsOf(state: 'success' | 'failure' | 'checking', reason: string | null) {
  if (state === 'success') return { title: 'success.title', text: 'success.text' } as const;
  if (state === 'failure') return { title: 'failure.title', text: 'failure.text' } as const;
  const text = reason === 'held' ? 'checking.held' : 'checking.text';
  return { title: 'checking.title', text } as const;
}

const icons = {
  success: { Icon: CircleCheck, color: 'text-green-700' },
  failure: { Icon: CircleAlert, color: 'text-red-700' },
  checking: { Icon: Clock, color: 'text-amber-800' },
} as const;

/** What is known about the payment: from the address, and from the server since. */
function usePaymentState(requestNumber: string | null) {
  const [query] = useSearchParams();
  const [hasResult, given] = [query.has('result'), query.get('reason')];
  const last = useLastPayment(requestNumber, hasResult || isUndecided(given));
  const isPaid = last?.isPaid;
  // A payment that was still checked may have failed since.
  const failed = isUndecided(given) ? failureReasonOf(last?.lastPayment) : undefined;
  // What was still checked has arrived.
  const hasSucceeded = hasResult || (isUndecided(given) && isPaid === true);
  const isChecking = !hasSucceeded && !failed && isUndecided(given);
  const state = hasSucceeded ? 'success' : isChecking ? 'checking' : 'failure';
  return { state, given: failed ?? given, isPaid } as const;
}

/** The number is in the address of most returns; the rest is known once the request was found. */
function useRequest() {
  const [query] = useSearchParams();
  const found = useRequestOfPayment(query.get('merchant-reference'));
  return {
    requestId: found?.requestId,
    requestNumber: query.get('request-number') ?? found?.requestNumber ?? null,
    serviceName: found?.serviceName,
  };
}

/** Source: specification §9. */
const redirectSeconds = 10;

/**
 * The return page of the payment provider: success when the query has `result`, otherwise failure.
 * Source: specification §2.
 */
export function PaymentStatusPage() {
  const { t } = useTranslation('payments');
  const navigate = useNavigate();
  const { requestId, requestNumber, serviceName } = useRequest();
  const { state, given, isPaid } = usePaymentState(requestNumber);
  const [hasSucceeded, isChecking] = [state === 'success', state === 'checking'];
  const reason = failureReasonOf(given);
  const payAgain = usePayAgain(requestId);
  useLiveRequests();
  const [hasAskedForInvoice, setHasAskedForInvoice] = useState(false);
  const { title, text } = wordsOf(state, given);
  usePageTitle(t(title));

  const goOn = useCallback(() => {
    // Without a number the next page uses the stored one. A payment that the provider has not
    // confirmed is not shown as paid.
    const payment = state === 'success' ? (isPaid ? 'paid' : undefined) : 'failed';
    const arrival = {
      ...(requestNumber ? { requestNumber } : {}),
      ...(payment ? { payment } : {}),
      ...(payment === 'failed' && reason ? { reason } : {}),
    };
    void navigate('/requests/accepted-request', { replace: true, state: arrival });
  }, [navigate, requestNumber, reason, state, isPaid]);

  const { Icon, color } = icons[state];
  return (
    <div className="page py-8 md:py-16">
      <div
        data-surface
        className={classNames(
          'mx-auto flex max-w-form flex-col gap-6 rounded-lg',
          'border border-ink-100 bg-white p-5 shadow-soft md:p-10',
        )}
      >
        <Icon aria-hidden size={56} className={color} />
        <div aria-live="polite" className="flex flex-col gap-2">
          <h1 className="text-2xl">{t(title)}</h1>
          {!hasSucceeded && reason && isPaid !== true ? (
            <p className="font-semibold">{t(`reasons.${reason}`)}</p>
          ) : null}
          <p className="text-ink-700">{t(text)}</p>
        </div>
        {requestNumber ? (
          <p className="text-ink-600">
            {t('requestNumber')}
            <span className="block text-lg font-semibold text-ink-900">
              <Reference>{requestNumber}</Reference>
            </span>
            {serviceName ? <span className="block">{serviceName}</span> : null}
          </p>
        ) : null}
        {hasSucceeded && isPaid === false ? (
          <Alert tone="warning" isLive>
            {t('success.confirming')}
          </Alert>
        ) : null}
        {!hasSucceeded && isPaid === true ? (
          <Alert tone="success" isLive>
            {t('failure.paidAfterAll')}
          </Alert>
        ) : null}
        <NextButtons
          hasSucceeded={hasSucceeded}
          isPaid={isPaid}
          isChecking={isChecking}
          requestNumber={requestNumber}
          requestId={requestId}
          payAgain={payAgain}
          onReceipt={goOn}
          onInvoice={() => setHasAskedForInvoice(true)}
        />
        {isChecking ? null : (
          <Countdown
            seconds={redirectSeconds}
            isStopped={payAgain.isPending || hasAskedForInvoice}
            isQuiet={!hasSucceeded}
            onEnd={goOn}
          />
        )}
      </div>
    </div>
  );
}

interface NextButtonsProps {
  hasSucceeded: boolean;
  isPaid: boolean | undefined;
  /** The provider or an admin has not decided. */
  isChecking: boolean;
  requestNumber: string | null;
  /** Once the request of the payment was found. */
  requestId: number | undefined;
  payAgain: UseMutationResult<void, ApiError, string>;
  onReceipt: () => void;
  onInvoice: () => void;
}

/** Buttons that name the page to which they lead. */
function NextButtons({
  hasSucceeded,
  isPaid,
  isChecking,
  requestNumber,
  requestId,
  payAgain,
  onReceipt,
  onInvoice,
}: NextButtonsProps) {
  const { t } = useTranslation('payments');
  const isSignedIn = useSession() !== null;
  return (
    <div className="flex flex-col gap-3 md:flex-row md:flex-wrap md:items-start">
      {!hasSucceeded && !isChecking && isPaid !== true && requestNumber ? (
        <TryAgain
          requestNumber={requestNumber}
          isPending={payAgain.isPending}
          onPress={() => payAgain.mutate(requestNumber)}
        />
      ) : null}
      {!hasSucceeded && requestNumber && isSignedIn ? (
        <LinkButton variant="secondary" {...detailsLink(requestNumber)}>
          {t('toRequest')}
        </LinkButton>
      ) : (
        <Button variant={hasSucceeded ? 'primary' : 'secondary'} onPress={onReceipt}>
          {t(hasSucceeded ? 'toConfirmation' : 'toRequest')}
        </Button>
      )}
      {requestNumber && isPaid ? (
        <DownloadInvoice requestNumber={requestNumber} requestId={requestId} onStart={onInvoice} />
      ) : null}
    </div>
  );
}

/**
 * The owner pays directly; an anonymous user is sent to the request, which asks them to sign in.
 */
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
