import type { BodyOf } from '@diwan/contract/wire/call';
import { previewMessages } from '@diwan/contract/requests/messages';
import * as calls from '@diwan/contract/requests/requests';
import type { AppContext } from '../../../platform/http/context.ts';
import { serve } from '../../../platform/http/serve.ts';
import * as actions from './act-on-request.actions.ts';
import type { Charges } from './charge-request.ts';
import { rehearse } from './rehearse.ts';
import { openRecord } from '../record/request-reads.actions.ts';
import type { RecordContext } from '../record/request-record.actions.ts';

type Message = Pick<BodyOf<typeof calls.rejectRequest>, 'messageAr' | 'messageEn' | 'messageUr'>;

function readMessage({ messageAr, messageEn, messageUr }: Message): actions.TypedMessage {
  return { 'ar-EG': messageAr, 'en-US': messageEn, 'ur-PK': messageUr };
}

function readCharges(
  sent: Partial<
    Pick<
      BodyOf<typeof calls.approveRequest>,
      | 'fines'
      | 'totalAdminstrativeFees'
      | 'totalAdminstrativeFeesVatValue'
      | 'isPaymentGatewayFeesOfFinesCalculated'
    >
  >,
): Charges {
  return {
    fines: sent.fines,
    fees: sent.totalAdminstrativeFees,
    feesVat: sent.totalAdminstrativeFeesVatValue,
    isGatewayFeeIncluded: sent.isPaymentGatewayFeesOfFinesCalculated,
  };
}

/**
 * What is done with a request; every call answers with the record as it is then. Source:
 * specification §3, §4.
 */
export function serveRequestActions(
  context: AppContext,
  requests: RecordContext & { readMinutes: number },
): void {
  serve(context, calls.updateRequest, async ({ caller, body, language }) => {
    await actions.mend(requests, caller, body, {
      answers: body.answers,
      attachmentIds: body.attachmentIds,
      hasAgreed: body.agreeToTermsAndConditions,
      explanations: body.explanations,
    });
    return openRecord(requests, caller, body.requestId, language);
  });

  serve(context, calls.receiveRequest, async ({ caller, params, query, language }) => {
    await actions.receive(requests, caller, { ...params, ...query });
    return openRecord(requests, caller, params.requestId, language);
  });

  serve(context, calls.approveRequest, async ({ caller, body, language }) => {
    await actions.approve(requests, caller, body, readCharges(body));
    return openRecord(requests, caller, body.requestId, language);
  });

  serve(context, calls.returnRequest, async ({ caller, body, language }) => {
    const words = {
      reasons: body.requestHistoryRejectionReasonsList,
      message: readMessage(body),
      serviceProviderRequestNumber: body.serviceProviderRequestNumber,
      marks: body.marks?.map((mark) => ({ ...mark, message: readMessage(mark) })),
    };
    await actions.giveBack(requests, caller, body, words);
    return openRecord(requests, caller, body.requestId, language);
  });

  serve(context, calls.submittedRequest, async ({ caller, body, language }) => {
    const given = {
      message: readMessage(body),
      charges: readCharges(body),
      results: body.requestAttachmentList,
      serviceProviderRequestNumber: body.serviceProviderRequestNumber,
    };
    await actions.complete(requests, caller, body, given);
    return openRecord(requests, caller, body.requestId, language);
  });

  serve(context, calls.acceptRequest, async ({ caller, body, language }) => {
    await actions.accept(requests, caller, body, readCharges(body));
    return openRecord(requests, caller, body.requestId, language);
  });

  serve(context, calls.rejectRequest, async ({ caller, body, language }) => {
    await actions.reject(requests, caller, body, {
      reasons: [body.requestHistoryRejectionReasonId],
      message: readMessage(body),
    });
    return openRecord(requests, caller, body.requestId, language);
  });

  serve(context, previewMessages, ({ caller, body }) =>
    rehearse(requests, (rehearsal) => {
      if (body.action === 'submitted')
        return actions.complete(rehearsal, caller, body, {
          message: readMessage(body),
          charges: readCharges(body),
        });
      return body.action === 'approve'
        ? actions.approve(rehearsal, caller, body, readCharges(body))
        : actions.accept(rehearsal, caller, body, readCharges(body));
    }),
  );

  serve(context, calls.releaseRequest, async ({ caller, body, language }) => {
    await actions.release(requests, caller, body);
    return openRecord(requests, caller, body.requestId, language);
  });
}
