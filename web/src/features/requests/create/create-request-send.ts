import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Answers } from '@diwan/contract/forms/forms';
import { getDrafts } from '@diwan/contract/requests/drafts';
import { createRequest, getRequestsByStatusId } from '@diwan/contract/requests/requests';
import type { Service } from '@diwan/contract/catalogue/services';
import { goToLogin } from '../../../lib/api/handle-error.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { send } from '../../../lib/api/send.ts';
import { SendError } from '../../../lib/api/send-error.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { leaveToPay } from './create-request.data.ts';
import { detailsLink } from '../data/details-link.ts';
import { rememberRequest } from './last-request.ts';

interface Sending {
  isSending: boolean;
  /** Why nothing was sent, when it was not about single fields. */
  problem: SendError | null;
  sendRequest: (answers: Answers, attachmentIds: string[], referralCode: string) => Promise<void>;
}

interface SendingOptions {
  service: Service;
  /** Sent twice, it becomes one request. */
  draftId: string;
  /** Before leaving: the draft is not needed any more. */
  onSent: () => void;
  /** Messages by `answers.<name>` and `attachments.<name>`. */
  onFieldErrors: (errors: Record<string, string[]>) => void;
}

/**
 * Sends the request once, however often the button is pressed, and goes on to pay or to the
 * receipt.
 */
export function useSending({ service, draftId, onSent, onFieldErrors }: SendingOptions): Sending {
  const { t } = useTranslation('forms');
  const navigate = useNavigate();
  const isBusy = useRef(false);
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<SendError | null>(null);

  const fail = (error: unknown) => {
    isBusy.current = false;
    setIsSending(false);
    if (!(error instanceof SendError)) throw error;
    if (error.status === 401) return goToLogin();
    if (Object.keys(error.fieldErrors).length > 0) return onFieldErrors(error.fieldErrors);
    setProblem(error);
  };

  const goOn = async (requestId: number, requestNumber: string) => {
    rememberRequest(requestNumber);
    onSent();
    void queryClient.invalidateQueries({ queryKey: [getRequestsByStatusId.name] });
    void queryClient.invalidateQueries({ queryKey: [getDrafts.name] });
    if (service.fees.total === 0)
      return navigate('/requests/accepted-request', { replace: true, state: { requestNumber } });
    const details = detailsLink(requestNumber);
    try {
      await leaveToPay(requestId, details.to);
    } catch {
      // The request is safe; it can be paid from its own page.
      showToast(t('review.paymentNotStarted'), 'danger');
      await navigate(details.to, { replace: true, state: details.state });
    }
  };

  return {
    isSending,
    problem,
    sendRequest: async (answers, attachmentIds, referralCode) => {
      if (isBusy.current) return;
      isBusy.current = true;
      setIsSending(true);
      setProblem(null);
      try {
        const sent = await send(createRequest, {
          body: {
            serviceId: service.id,
            answers,
            attachmentIds,
            agreeToTermsAndConditions: true,
            draftId,
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
