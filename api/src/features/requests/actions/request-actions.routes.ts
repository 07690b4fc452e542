import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import { getColleagues, reassignRequest } from '@diwan/contract/processing/assignments';
import * as objections from '@diwan/contract/processing/objections';
import { askToWithdrawRequest, withdrawRequest } from '@diwan/contract/processing/withdrawals';
import * as calls from '@diwan/contract/requests/request-actions';
import { getRequestByIdForUpdate } from '@diwan/contract/requests/requests';
import { actAndOpen, type OpenRecordContext } from '../record/request-record.actions.ts';
import {
  correct,
  getCorrection,
  resubmitWithDocuments,
  saveCorrectionDocuments,
} from './corrections.actions.ts';
import { createRequest } from './create-request.actions.ts';
import { objectToDecision } from './objections.actions.ts';
import { listColleagues, reassign } from './reassign-request.actions.ts';
import { askToWithdraw, withdraw } from './withdraw.actions.ts';

/** The actions of applicants, and the assignment to a colleague. Source: specification §3, §4, §7 Requests. */
export function serveRequestActions(context: AppContext, requests: OpenRecordContext): void {
  serve(context, calls.createRequest, async ({ caller, body, language }) => {
    const { id, number } = await createRequest(requests, caller, {
      serviceId: body.serviceId,
      answers: body.answers,
      attachmentIds: body.attachmentIds,
      hasAgreed: body.agreeToTermsAndConditions,
      hasConsented: body.consentsToSpecialData,
      draftId: body.draftId,
      referralCode: body.referralCode,
      expectedTotal: body.expectedTotal,
      language,
    });
    return { requestId: id, requestNumber: number };
  });

  serve(context, calls.updateRequest, ({ caller, body, language }) =>
    actAndOpen(requests, caller, { requestId: body.requestId, language }, (acting) =>
      correct(acting, caller, body, {
        answers: body.answers,
        attachmentIds: body.attachmentIds,
        hasAgreed: body.agreeToTermsAndConditions,
        hasConsented: body.consentsToSpecialData,
        explanations: body.explanations,
      }),
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
    actAndOpen(requests, caller, { requestId: body.requestId, language }, (acting) =>
      resubmitWithDocuments(acting, caller, body, {
        attachmentIds: body.requestAttachmentList,
        hasConsented: body.consentsToSpecialData,
      }),
    ),
  );

  serve(context, withdrawRequest, ({ caller, body, language }) =>
    actAndOpen(requests, caller, { requestId: body.requestId, language }, (acting) =>
      withdraw(acting, caller, body),
    ),
  );

  serve(context, askToWithdrawRequest, ({ caller, body, language }) =>
    actAndOpen(requests, caller, { requestId: body.requestId, language }, (acting) =>
      askToWithdraw(acting, caller, body, body.reason),
    ),
  );

  serve(context, objections.objectToDecision, ({ caller, body, language }) =>
    actAndOpen(requests, caller, { requestId: body.requestId, language }, (acting) =>
      objectToDecision(acting, caller, body, body.reason),
    ),
  );

  serve(context, reassignRequest, ({ caller, body, language }) =>
    actAndOpen(requests, caller, { requestId: body.requestId, language }, (acting) =>
      reassign(acting, caller, body, body.holderId),
    ),
  );

  serve(context, getColleagues, ({ caller, query: { RequestIds }, language }) =>
    listColleagues(requests, caller, { requestIds: RequestIds?.split(',').map(Number), language }),
  );
}
