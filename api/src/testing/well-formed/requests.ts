import { readFileSync } from 'node:fs';
import { getColleagues } from '@diwan/contract/processing/assignments';
import { objectToDecision } from '@diwan/contract/processing/objections';
import { askToWithdrawRequest } from '@diwan/contract/processing/withdrawals';
import * as attachments from '@diwan/contract/requests/attachments';
import { createPayment } from '@diwan/contract/requests/payments';
import * as requests from '@diwan/contract/requests/request-actions';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import { makeAnswers, smallPdf, uploadRequiredDocuments } from '../requests/demo-request.ts';
import {
  openRequestStage,
  paidService,
  messageTexts,
  type SentRequest,
} from '../requests/request-stage.ts';
import type { TestApp } from '../test-app.ts';
import type { Person, WellFormed } from './call.ts';
import { wellFormedPayments } from './payments.ts';
import { wellFormedFilters, wellFormedRequestLists } from './request-lists.ts';

const shippedWorkflow = readFileSync(
  new URL('../../../seed/workflow.json', import.meta.url),
  'utf8',
);

/**
 * Calls about requests, documents and payments. The request is `individual`'s, for a service of
 * `supervisor`'s partner; after it is received it is assigned to `employee`.
 */
export function wellFormedRequests(app: TestApp): Record<string, WellFormed> {
  const stage = openRequestStage(app);
  const owner: Person = 'individual';

  async function paid(): Promise<SentRequest> {
    const sent = await stage.send(owner, paidService);
    await stage.pay(sent.requestId);
    return sent;
  }
  async function accepted(): Promise<SentRequest> {
    const sent = await stage.sendAndApprove(owner, paidService);
    await stage.performAction('supervisor', requests.acceptRequest, { requestId: sent.requestId });
    return sent;
  }
  async function returned(): Promise<SentRequest> {
    const sent = await stage.sendAndReceive(owner, paidService);
    await stage.performAction('employee', requests.returnRequest, {
      requestId: sent.requestId,
      requestHistoryRejectionReasonsList: [1],
      ...messageTexts,
    });
    return sent;
  }
  const record = async (sent: SentRequest) => (await stage.read(owner, sent.requestId)).body;
  const file = {
    name: 'result',
    fileName: 'result.pdf',
    mediaType: 'application/pdf',
    size: smallPdf.length,
  };
  /** A file of `individual`'s that is not part of a request; uploaded or only announced. */
  async function ownFile(isSent: boolean): Promise<string> {
    const service = await stage.findService(paidService);
    const rule = service.attachments.find(({ mediaTypes }) =>
      mediaTypes.includes('application/pdf'),
    );
    const token = await app.signIn(owner);
    const { body } = await app.call(attachments.createAttachment, {
      token,
      body: { ...file, serviceId: service.id, name: rule?.name ?? '' },
    });
    if (isSent)
      await app.call(attachments.uploadAttachment, {
        token,
        params: { attachmentId: body.attachmentId },
        body: smallPdf,
      });
    return body.attachmentId;
  }
  async function pay(): Promise<URL> {
    const { requestId } = await stage.send(owner, paidService);
    const { body } = await app.call(createPayment, {
      token: await app.signIn(owner),
      params: { requestId },
    });
    const response = await fetch(body.paymentUrl.replace(/^http:\/\/[^/]+/, app.paymentsUrl), {
      method: 'POST',
      body: new URLSearchParams({ decision: 'paid' }),
      redirect: 'manual',
    });
    return new URL(response.headers.get('location') ?? '');
  }
  const inBody = (made: () => Promise<SentRequest>, more: object = {}): WellFormed => ({
    owner,
    make: async () => ({ body: { requestId: (await made()).requestId, ...more } }),
  });
  const approved = () => stage.sendAndApprove(owner, paidService);
  const received = () => stage.sendAndReceive(owner, paidService);
  const onHold = async () => {
    const sent = await received();
    const holdUntil = dayAfter(todayInDubai(), 7);
    await stage.performAction('employee', requests.holdRequest, {
      requestId: sent.requestId,
      holdUntil,
      ...messageTexts,
    });
    return sent;
  };

  // By another person than those of the matrix who decide then.
  const rejected = async () => {
    const sent = await paid();
    await stage.receive('employee2', sent.requestId);
    await stage.performAction('employee2', requests.rejectRequest, {
      requestId: sent.requestId,
      requestHistoryRejectionReasonId: 1,
      ...messageTexts,
    });
    return sent;
  };
  const objected = async () => {
    const sent = await rejected();
    await stage.performAction(owner, objectToDecision, {
      requestId: sent.requestId,
      reason: 'The document was there',
    });
    return sent;
  };
  const withdrawalAsked = async () => {
    const sent = await received();
    await stage.performAction(owner, askToWithdrawRequest, {
      requestId: sent.requestId,
      reason: 'Sent twice',
    });
    return sent;
  };

  return {
    createRequest: {
      make: async (as) => {
        const service = await stage.findService(paidService);
        // A caller who may not send requests has no files for them, so those of `individual` are
        // used.
        const sender = as.startsWith('individual') || as.startsWith('company') ? as : owner;
        return {
          body: {
            serviceId: service.id,
            answers: makeAnswers(service.form),
            attachmentIds: await uploadRequiredDocuments(app, await app.signIn(sender), service),
            agreeToTermsAndConditions: true,
          },
        };
      },
    },
    updateRequest: {
      owner,
      make: async () => {
        const { requestId, answers, attachmentIds } = await returned();
        return { body: { requestId, answers, attachmentIds } };
      },
    },
    receiveRequest: {
      owner,
      make: async () => ({ params: { requestId: (await paid()).requestId } }),
    },
    approveRequest: inBody(received),
    returnRequest: inBody(received, { requestHistoryRejectionReasonsList: [1], ...messageTexts }),
    undoAction: inBody(received, { version: 3 }),
    getHeldActions: { make: async () => ({}) },
    getWaitingCharges: { make: async () => ({}) },
    decideCharge: {
      owner,
      make: async () => {
        const { requestId } = await received();
        const { id: heldActionId } = await app.database
          .insertInto('held_actions')
          .values({
            request_id: requestId,
            user_id: await app.idOf('employee'),
            action: 'approve',
            version: 2,
            is_silent: false,
            sent: '{}',
            acts_at: new Date(),
            added: 200_000,
            waits_for_second: true,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return { body: { requestId, heldActionId, isConfirmed: false } };
      },
    },
    dismissFailedAction: { make: async () => ({ body: { heldActionId: 1 } }) },
    releaseRequest: inBody(received),
    holdRequest: inBody(received, { holdUntil: dayAfter(todayInDubai(), 7), ...messageTexts }),
    resumeRequest: inBody(onHold),
    withdrawRequest: inBody(paid),
    askToWithdrawRequest: inBody(received, { reason: 'Sent twice' }),
    objectToDecision: inBody(rejected, { reason: 'The document was there' }),
    grantObjection: inBody(objected),
    refuseObjection: inBody(objected, messageTexts),
    grantWithdrawal: inBody(withdrawalAsked),
    refuseWithdrawal: inBody(withdrawalAsked, messageTexts),
    reassignRequest: {
      owner,
      make: async () => {
        const { body: colleagues } = await app.callAs('employee', getColleagues, {});
        const colleague = colleagues.find(({ name }) => name === 'Khalid Al Demo');
        return {
          body: { requestId: (await received()).requestId, holderId: colleague?.userId ?? '' },
        };
      },
    },
    getColleagues: { make: () => ({}) },
    previewMessages: inBody(received, { action: 'approve' }),
    acceptRequest: inBody(approved),
    submittedRequest: inBody(accepted),
    rejectRequest: inBody(approved, { requestHistoryRejectionReasonId: 1, ...messageTexts }),
    getRequestById: {
      owner,
      make: async () => ({ query: { RequestId: (await approved()).requestId } }),
    },
    giveReasonForReading: {
      owner,
      make: async () => ({
        body: await approved().then(({ requestId, requestNumber }) => ({
          requestId,
          reason: 'number',
          requestNumber,
        })),
      }),
    },
    getRequestState: {
      owner,
      make: async () => ({ query: { RequestId: (await approved()).requestId } }),
    },
    getRequestViewers: {
      owner,
      make: async () => ({ query: { RequestId: (await approved()).requestId } }),
    },
    calculateDetailedCost: {
      owner,
      make: async () => ({ query: { RequestId: (await approved()).requestId } }),
    },
    calculatePendingPaymentRequestCost: {
      owner,
      make: async () => ({ query: { RequestId: (await approved()).requestId } }),
    },
    getWorkflows: { make: () => ({}) },
    getWorkflowDocument: { make: () => ({ query: { WorkflowId: 1 } }) },
    judgeWorkflow: { make: () => ({ body: { document: '{}' } }) },
    getWorkflowDraft: { make: () => ({}) },
    // Deletes a draft that does not exist.
    saveWorkflowDraft: { make: () => ({ body: { version: 1 } }) },
    simulateWorkflow: { make: () => ({ body: { document: shippedWorkflow } }) },
    // Without a document the call resets a choice that does not exist.
    putWorkflowInForce: { make: () => ({ body: {} }) },
    getRequestReads: {
      owner,
      make: async () => ({ query: { RequestId: (await approved()).requestId } }),
    },
    checkRequestToView: {
      owner,
      make: async () => ({ query: { RequestId: (await approved()).requestId } }),
    },
    getRequestIdByRequestNumber: {
      owner,
      make: async () => ({ query: { RequestNumber: (await approved()).requestNumber } }),
    },
    readRequestLink: {
      owner,
      make: async () => ({
        query: {
          request:
            new URL((await record(await approved())).requestLink).searchParams.get('request') ?? '',
        },
      }),
    },
    getRequestByRequestNoOrMobileNo: {
      owner,
      make: async () => ({ query: { SearchKeyword: (await approved()).requestNumber } }),
    },
    getRequestsByStatusId: { make: () => ({}) },
    getRequestsCount: { make: () => ({}) },
    getAllStatuses: { make: () => ({}) },
    ...wellFormedFilters(app),
    ...wellFormedRequestLists(app),
    getRequestFigures: { make: () => ({}) },
    getFigureGroups: { make: () => ({}) },
    findAnything: { make: () => ({ query: { Text: 'vehicle' } }) },
    calculateCostForAnswers: { make: () => ({ body: { serviceId: 1, answers: {} } }) },
    findFines: {
      make: async () => ({
        body: {
          serviceId: (await stage.findService('pay-public-parking-fines')).id,
          field: 'fines',
          answers: { plateEmirate: 'dubai', plateCode: 'B', plateNumber: '4123' },
        },
      }),
    },
    calculateTotalCost: {
      make: async () => ({ query: { serviceId: (await stage.findService(paidService)).id } }),
    },
    createPayment: {
      owner,
      make: async () => ({
        params: { requestId: (await stage.send(owner, paidService)).requestId },
      }),
    },
    getInvoicePathByRequestId: {
      owner,
      make: async () => ({ query: { RequestId: (await approved()).requestId } }),
    },
    getCertificatePath: {
      owner,
      make: async () => ({ query: { RequestId: (await approved()).requestId } }),
    },
    getCertificates: { owner, make: async () => ({ query: {} }) },
    revokeCertificate: {
      owner,
      make: async () => ({
        body: { requestId: (await approved()).requestId, reason: 'issuedInError' },
      }),
    },
    restoreCertificate: {
      owner,
      make: async () => ({
        body: { requestId: (await approved()).requestId, reason: 'revokedInError' },
      }),
    },
    checkCertificate: {
      owner,
      make: async () => ({ query: { Code: 'c-1.0000000000000000000000' } }),
    },
    checkSealedFile: { owner, make: async () => ({ body: { content: 'JVBERg==' } }) },
    checkInvoice: { owner, make: async () => ({ query: { Code: '1.0000000000000000000000' } }) },
    checkRequestIsPaid: {
      owner,
      make: async () => ({
        query: { RequestNumber: (await stage.send(owner, paidService)).requestNumber },
      }),
    },
    ...wellFormedPayments(app, () => stage.send(owner, paidService)),
    postPayProPaymentResult: {
      owner,
      make: async () => ({
        query: { paymentSummary: (await pay()).searchParams.get('paymentSummary') ?? '' },
      }),
    },
    createAttachment: {
      make: async () => {
        const service = await stage.findService(paidService);
        return {
          body: {
            ...file,
            serviceId: service.id,
            name: service.attachments[0]?.name ?? '',
            mediaType: service.attachments[0]?.mediaTypes[0] ?? '',
          },
        };
      },
    },
    'createAttachment (a result)': {
      owner,
      make: async () => ({
        body: {
          ...file,
          serviceId: (await stage.findService(paidService)).id,
          requestId: (await accepted()).requestId,
        },
      }),
    },
    uploadAttachment: {
      owner,
      make: async () => ({ params: { attachmentId: await ownFile(false) }, body: smallPdf }),
    },
    completeAttachment: {
      owner,
      make: async () => ({ params: { attachmentId: await ownFile(true) } }),
    },
    renewUpload: { owner, make: async () => ({ params: { attachmentId: await ownFile(false) } }) },
    readIdentityCard: {
      owner,
      make: async () => ({ params: { attachmentId: await ownFile(true) } }),
    },
    deleteAttachment: {
      owner,
      make: async () => ({ params: { attachmentId: await ownFile(true) } }),
    },
    markAttachmentViewed: {
      owner,
      make: async () => ({ body: { requestAttachmentId: (await approved()).attachmentIds[0] } }),
    },
    downloadFile: {
      owner,
      make: async () => ({
        query: { filePath: (await record(await approved())).attachments[0]?.filePath ?? '' },
      }),
    },
    getAllAttachments: { make: () => ({}) },
  };
}
