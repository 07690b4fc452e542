import { inTransaction } from '#platform/database/unit-of-work.ts';
import {
  getService,
  getServiceIdByServiceName,
  type Service,
} from '@diwan/contract/catalogue/services';
import type { Answers } from '@diwan/contract/forms/forms';
import * as actionCalls from '@diwan/contract/requests/request-actions';
import * as calls from '@diwan/contract/requests/requests';
import { giveReasonForReading } from '@diwan/contract/staff/access-log';
import type { BodyInputOf, Call } from '@diwan/contract/wire/call';
import type { Answer, TestApp } from '../test-app.ts';
import { bookDueAmount } from './book-payment.ts';
import { makeAnswers, uploadRequiredDocuments } from './demo-request.ts';

/**
 * A service with a fee, provided by the partner of `supervisor`, and a free service of
 * `supervisor2`'s.
 */
export const paidService = 'renew-vehicle-ownership';
export const freeService = 'register-labour-complaints-private-sector-employees';

/** A message in three languages, for tests that do not check its content. */
export const messageTexts = {
  messageAr: 'يرجى تصحيح البيانات',
  messageEn: 'Please correct the details',
  messageUr: 'براہِ کرم معلومات درست کریں',
};

export interface SentRequest {
  requestId: number;
  requestNumber: string;
  answers: Answers;
  attachmentIds: string[];
}

/** Says why somebody of the staff opens a request that is not their work. */
export async function sayWhy(app: TestApp, username: string, requestId: number): Promise<void> {
  const { status } = await app.callAs(username, giveReasonForReading, {
    body: { requestId, reason: 'quality' },
  });
  if (status !== 200) throw new Error(`the reason was not taken: ${status}`);
}

/** Shortcuts for tests of requests, over the real API. */
export function openRequestStage(app: TestApp) {
  async function findService(replacedName: string): Promise<Service> {
    const { body } = await app.call(getServiceIdByServiceName, {
      query: { serviceName: replacedName },
    });
    return (await app.call(getService, { query: { serviceId: body.serviceId } })).body;
  }
  async function create(username: string, body: BodyInputOf<typeof actionCalls.createRequest>) {
    return app.call(actionCalls.createRequest, { token: await app.signIn(username), body });
  }
  /** Sends a request. It waits for payment, or is new when its service is free. */
  async function send(
    username: string,
    replacedName = freeService,
    own: Answers = {},
  ): Promise<SentRequest> {
    const service = await findService(replacedName);
    const attachmentIds = await uploadRequiredDocuments(app, await app.signIn(username), service);
    const answers = { ...makeAnswers(service.form), ...own };
    const { status, body, refused } = await create(username, {
      serviceId: service.id,
      answers,
      attachmentIds,
      agreeToTermsAndConditions: true,
      consentsToSpecialData: true,
    });
    if (status !== 200) throw new Error(`not sent: ${JSON.stringify(refused)}`);
    return { ...body, answers, attachmentIds };
  }
  const pay = (requestId: number) =>
    inTransaction(app.database, (transaction) => bookDueAmount(transaction, requestId));
  async function performAction<C extends Call>(
    username: string,
    call: C,
    body: BodyInputOf<C>,
  ): Promise<Answer<C>> {
    return app.call(call, { token: await app.signIn(username), body });
  }
  async function receive(username: string, requestId: number) {
    return app.call(actionCalls.receiveRequest, {
      token: await app.signIn(username),
      params: { requestId },
    });
  }
  /** Opens a request; staff whose work it is not say why. */
  async function read(username: string, requestId: number) {
    const token = await app.signIn(username);
    const open = () => app.call(calls.getRequestById, { token, query: { RequestId: requestId } });
    const opened = await open();
    if (opened.refused.error !== 'ReasonForReadingRequired') return opened;
    await sayWhy(app, username, requestId);
    return open();
  }
  /** A request that is assigned to `employee`. */
  async function sendAndReceive(
    username: string,
    replacedName = freeService,
  ): Promise<SentRequest> {
    const sent = await send(username, replacedName);
    if (replacedName === paidService) await pay(sent.requestId);
    await receive('employee', sent.requestId);
    return sent;
  }
  /** A request that waits for the service provider. */
  async function sendAndApprove(
    username: string,
    replacedName = freeService,
  ): Promise<SentRequest> {
    const sent = await sendAndReceive(username, replacedName);
    await performAction('employee', actionCalls.approveRequest, { requestId: sent.requestId });
    return sent;
  }
  return {
    findService,
    create,
    send,
    pay,
    performAction,
    receive,
    read,
    sendAndReceive,
    sendAndApprove,
  };
}

export type RequestStage = ReturnType<typeof openRequestStage>;
