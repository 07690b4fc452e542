import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { ApiError } from '#lib/api/api-error.ts';
import { goToLogin } from '#lib/api/handle-error.ts';
import { queryClient } from '#lib/api/query-client.ts';
import { send } from '#lib/api/send.ts';
import { useCall } from '#lib/api/use-call.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useNavigate } from '#lib/router/router-provider.tsx';
import { getServiceIdByServiceName, type Service } from '@diwan/contract/catalogue/services';
import { checkAnswers } from '@diwan/contract/forms/check-answers';
import type { Answers } from '@diwan/contract/forms/forms';
import { getDrafts } from '@diwan/contract/requests/drafts';
import { getPaymentMethods } from '@diwan/contract/requests/payments';
import { createRequest } from '@diwan/contract/requests/request-actions';
import {
  calculateCostForAnswers,
  calculateTotalCost,
} from '@diwan/contract/requests/request-costs';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import type { Quote } from '@diwan/contract/wire/money';
import { detailsLink } from '../data/details-link.ts';
import { startPayment } from '../data/start-payment.ts';
import type { AnswerValues } from '../form-fields/initial-values.ts';
import { storeLastRequestNumber } from './last-request.ts';

/**
 * What a new request for the service costs now. The fees may have changed while the form was filled
 * in, and may depend on the answers, the person and the documents; until they are loaded, and without
 * a connection, they are those that the form was opened with. `refresh` reads them again after a refusal.
 */
export function useCurrentFees(
  { id, fees, feesVary = false, form, discounts }: Service,
  given: AnswerValues,
  documents: readonly string[],
): { fees: Quote; feesProblem: ApiError | null; refresh: () => void } {
  const isPersonal = feesVary || discounts !== undefined;
  const fixed = useCall(calculateTotalCost, {
    query: { serviceId: id },
    staleTime: 0,
    skipErrorHandling: true,
    enabled: !isPersonal,
  });
  const { language } = useLanguage();
  // Invalid answers count as missing there too; they need not travel.
  const { answers } = checkAnswers(form, given, serverToday());
  const byAnswers = useQuery<Quote, ApiError>({
    queryKey: [calculateCostForAnswers.name, language, id, answers, documents],
    queryFn: () =>
      send(calculateCostForAnswers, {
        body: { serviceId: id, answers, documents: [...documents] },
        skipErrorHandling: true,
      }),
    staleTime: 0,
    enabled: isPersonal,
  });
  const current = isPersonal ? byAnswers : fixed;
  return {
    fees: current.data ?? fees,
    feesProblem: current.error,
    refresh: () => void current.refetch(),
  };
}

interface SendRequest {
  isSending: boolean;
  /** The error, unless it concerns single fields. */
  problem: ApiError | null;
  clearProblem: () => void;
  sendRequest: (content: SentContent) => Promise<void>;
}

interface SentContent {
  answers: Answers;
  attachmentIds: string[];
  referralCode: string;
  consentsToSpecialData?: boolean;
}

interface SendingOptions {
  serviceId: number;
  isFree: boolean;
  /** The id of the draft makes the call idempotent. */
  draftId: string;
  /** Called before the request is sent, and when it was refused or the browser leaves the form. */
  onSending: (isSending: boolean) => void;
  /** Called before leaving: the draft is no longer needed. */
  onSent: () => void;
  /** The total that the page shows, in fils, once it is known. */
  expectedTotal: number;
  /** The server's total is another one. */
  onTotalChanged: () => void;
  /** Messages keyed by `answers.<name>` and `attachments.<name>`. */
  onFieldErrors: (errors: Record<string, string[]>) => void;
}

/**
 * Sends the request once, regardless of repeated presses, then continues to the payment or the
 * receipt.
 */
export function useSendRequest({
  serviceId,
  isFree,
  draftId,
  onSending,
  onSent,
  onFieldErrors,
  expectedTotal,
  onTotalChanged,
}: SendingOptions): SendRequest {
  const { t } = useTranslation('forms');
  const navigate = useNavigate();
  const isBusy = useRef(false);
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<ApiError | null>(null);

  const fail = (error: unknown) => {
    isBusy.current = false;
    setIsSending(false);
    if (!(error instanceof ApiError)) throw error;
    if (error.status >= 400 && error.status < 500) onSending(false);
    if (error.status === 401) return goToLogin();
    if (Object.keys(error.fieldErrors).length > 0) return onFieldErrors(error.fieldErrors);
    if (error.name === 'TotalHasChanged') onTotalChanged();
    if (error.name === 'ServiceClosed')
      void queryClient.invalidateQueries({ queryKey: [getServiceIdByServiceName.name] });
    setProblem(error);
  };

  const goOn = async (requestId: number, requestNumber: string) => {
    storeLastRequestNumber(requestNumber);
    onSent();
    void queryClient.invalidateQueries({ queryKey: [getRequestsByStatusId.name] });
    void queryClient.invalidateQueries({ queryKey: [getDrafts.name] });
    // Until the browser has left, a reload would open an empty form.
    const onLeave = () => onSending(false);
    const openPage = async (to: string, state: unknown) => {
      await navigate(to, { replace: true, state });
      onLeave();
    };
    if (isFree) return openPage('/requests/accepted-request', { requestNumber });
    const details = detailsLink(requestNumber);
    try {
      // Where there is a choice, the page of the request asks for the method.
      const methods = await send(getPaymentMethods, { skipErrorHandling: true });
      if (methods.length > 1) return await openPage(details.to, details.state);
      const options = { backAddress: details.to, skipErrorHandling: true, onLeave };
      await startPayment(requestId, options);
    } catch {
      // The request exists; it can be paid from its own page.
      showToast(t('review.paymentNotStarted'), 'danger');
      await openPage(details.to, details.state);
    }
  };

  return {
    isSending,
    problem,
    clearProblem: useCallback(() => setProblem(null), []),
    sendRequest: async ({ referralCode, ...content }) => {
      if (isBusy.current) return;
      isBusy.current = true;
      setIsSending(true);
      setProblem(null);
      onSending(true);
      try {
        const sent = await send(createRequest, {
          body: {
            serviceId,
            ...content,
            agreeToTermsAndConditions: true,
            draftId,
            expectedTotal,
            ...(referralCode === '' ? {} : { referralCode }),
          },
          skipErrorHandling: true,
        });
        await goOn(sent.requestId, sent.requestNumber);
      } catch (error) {
        fail(error);
      }
    },
  };
}
