import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import { previewMessages } from '@diwan/contract/requests/messages';
import * as calls from '@diwan/contract/requests/request-actions';
import { getRequestByIdForUpdate } from '@diwan/contract/requests/requests';
import type { BodyOf } from '@diwan/contract/wire/call';
import { actAndOpen, openRecord, type OpenRecordContext } from '../record/access-log.actions.ts';
import type { Charges } from './charges.ts';
import {
  correct,
  getCorrection,
  resubmitWithDocuments,
  saveCorrectionDocuments,
} from './corrections.actions.ts';
import { createRequest } from './create-request.actions.ts';
import { dismissFailedAction, listHeldActions, undoAction } from './held-actions.actions.ts';
import { previewAction } from './perform-action.actions.ts';
import { listColleagues, reassign } from './reassign-request.actions.ts';
import * as actions from './request-actions.actions.ts';
import type { MessageInput } from './return-marks.ts';

type Message = Pick<BodyOf<typeof calls.rejectRequest>, 'messageAr' | 'messageEn' | 'messageUr'>;

function readMessage({ messageAr, messageEn, messageUr }: Message): MessageInput {
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
      | 'requestHistoryRejectionReasonsList'
      | 'discounts'
    >
  >,
): Charges {
  return {
    fines: sent.fines,
    fees: sent.totalAdminstrativeFees,
    feesVat: sent.totalAdminstrativeFeesVatValue,
    isGatewayFeeIncluded: sent.isPaymentGatewayFeesOfFinesCalculated,
    reasons: sent.requestHistoryRejectionReasonsList,
    discounts: sent.discounts,
  };
}

const readGrant = (
  sent: Message & Parameters<typeof readCharges>[0],
): actions.ChargesAndMessage => ({ ...readCharges(sent), message: readMessage(sent) });

/**
 * The actions on requests. Every call except those that create, preview or draft replies with the
 * record after the action. Source: specification §3, §4, §7 Requests.
 */
export function serveRequestActions(context: AppContext, requests: OpenRecordContext): void {
  serve(context, calls.createRequest, async ({ caller, body, language }) => {
    const { id, number } = await createRequest(requests, caller, {
      serviceId: body.serviceId,
      answers: body.answers,
      attachmentIds: body.attachmentIds,
      hasAgreed: body.agreeToTermsAndConditions,
      draftId: body.draftId,
      referralCode: body.referralCode,
      expectedTotal: body.expectedTotal,
      language,
    });
    return { requestId: id, requestNumber: number };
  });

  serve(context, calls.updateRequest, ({ caller, body, language }) =>
    actAndOpen(requests, caller, { requestId: body.requestId, language }, (reads) =>
      correct(
        requests,
        caller,
        { ...body, reads },
        {
          answers: body.answers,
          attachmentIds: body.attachmentIds,
          hasAgreed: body.agreeToTermsAndConditions,
          explanations: body.explanations,
        },
      ),
    ),
  );

  serve(context, getRequestByIdForUpdate, ({ caller, query, language }) =>
    getCorrection(requests, caller, query.RequestId, language),
  );

  serve(context, calls.saveRequestAttachments, async ({ caller, body }) => ({
    requestId: body.requestId,
    requestAttachmentList: [
      ...(await saveCorrectionDocuments(requests, caller, body, body.requestAttachmentList)),
    ],
  }));

  serve(context, calls.updateRequestAttachments, ({ caller, body, language }) =>
    actAndOpen(requests, caller, { requestId: body.requestId, language }, (reads) =>
      resubmitWithDocuments(requests, caller, { ...body, reads }, body.requestAttachmentList),
    ),
  );

  serve(context, calls.receiveRequest, ({ caller, params, query, language }) =>
    actAndOpen(requests, caller, { requestId: params.requestId, language }, (reads) =>
      actions.receive(requests, caller, { ...params, ...query, reads }),
    ),
  );

  serve(context, calls.approveRequest, ({ caller, body, language }) =>
    actAndOpen(requests, caller, { requestId: body.requestId, language }, (reads) =>
      actions.approve(requests, caller, { ...body, reads }, readGrant(body)),
    ),
  );

  serve(context, calls.returnRequest, ({ caller, body, language }) => {
    const sent = {
      reasons: body.requestHistoryRejectionReasonsList,
      message: readMessage(body),
      serviceProviderRequestNumber: body.serviceProviderRequestNumber,
      marks: body.marks?.map((mark) => ({ ...mark, message: readMessage(mark) })),
    };
    return actAndOpen(requests, caller, { requestId: body.requestId, language }, (reads) =>
      actions.returnRequest(requests, caller, { ...body, reads }, sent),
    );
  });

  serve(context, calls.submittedRequest, ({ caller, body, language }) => {
    const sent = {
      message: readMessage(body),
      charges: readCharges(body),
      results: body.requestAttachmentList,
      serviceProviderRequestNumber: body.serviceProviderRequestNumber,
    };
    return actAndOpen(requests, caller, { requestId: body.requestId, language }, (reads) =>
      actions.complete(requests, caller, { ...body, reads }, sent),
    );
  });

  serve(context, calls.acceptRequest, ({ caller, body, language }) =>
    actAndOpen(requests, caller, { requestId: body.requestId, language }, (reads) =>
      actions.accept(requests, caller, { ...body, reads }, readGrant(body)),
    ),
  );

  serve(context, calls.rejectRequest, ({ caller, body, language }) =>
    actAndOpen(requests, caller, { requestId: body.requestId, language }, (reads) =>
      actions.reject(
        requests,
        caller,
        { ...body, reads },
        {
          reasons: [body.requestHistoryRejectionReasonId],
          message: readMessage(body),
        },
      ),
    ),
  );

  serve(context, previewMessages, ({ caller, body }) =>
    previewAction(requests, (preview) => {
      if (body.action === 'submitted')
        return actions.complete(preview, caller, body, {
          message: readMessage(body),
          charges: readCharges(body),
        });
      return body.action === 'approve'
        ? actions.approve(preview, caller, body, readGrant(body))
        : actions.accept(preview, caller, body, readGrant(body));
    }),
  );

  serve(context, calls.undoAction, async ({ caller, body, language }) => {
    await undoAction(requests, caller, body);
    return openRecord(requests, caller, body.requestId, language);
  });

  serve(context, calls.getHeldActions, ({ caller, language }) =>
    listHeldActions(requests.database, caller, language),
  );

  serve(context, calls.dismissFailedAction, async ({ caller, body }) => {
    await dismissFailedAction(requests.database, caller, body.heldActionId);
    return {};
  });

  serve(context, calls.releaseRequest, ({ caller, body, language }) =>
    actAndOpen(requests, caller, { requestId: body.requestId, language }, (reads) =>
      actions.release(requests, caller, { ...body, reads }),
    ),
  );

  serve(context, calls.reassignRequest, ({ caller, body, language }) =>
    actAndOpen(requests, caller, { requestId: body.requestId, language }, (reads) =>
      reassign(requests, caller, { ...body, reads }, body.holderId),
    ),
  );

  serve(context, calls.getColleagues, ({ caller }) => listColleagues(requests, caller));
}
