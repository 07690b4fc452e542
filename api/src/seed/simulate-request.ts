import { Readable } from 'node:stream';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { listRequiredDocuments } from '@diwan/contract/forms/check-answers';
import type { Answers } from '@diwan/contract/forms/forms';
import { staffActions } from '@diwan/contract/requests/actions';
import { resultName } from '@diwan/contract/requests/attachments';
import { dayInDubai, resolveDateLimit } from '@diwan/contract/wire/days';
import { defaultLanguage } from '@diwan/contract/wire/languages';
import {
  announceAttachment,
  openAttachmentUploads,
  type AnnouncingContext,
} from '../features/attachments/attachments.actions.ts';
import { correct } from '../features/requests/actions/corrections.actions.ts';
import { createRequest } from '../features/requests/actions/create-request.actions.ts';
import { objectToDecision } from '../features/requests/actions/objections.actions.ts';
import { performAction } from '../features/requests/actions/perform.actions.ts';
import { askToWithdraw, withdraw } from '../features/requests/actions/withdraw.actions.ts';
import type { RequestsContext } from '../features/requests/model/requests-context.ts';
import { postMoney } from '../features/requests/record/postings.actions.ts';
import { lockDueAmount, markPaid } from '../features/requests/requests.actions.ts';
import { staffActionOf } from '../features/requests/staff-actions/staff-actions.ts';
import type { Caller } from '../platform/auth/caller.ts';
import { demoPdf, demoPicture } from './demo-documents.ts';
import { resolve } from './seed-files.ts';
import {
  demoAnswers,
  type DemoRequest,
  type DemoRequests,
  type DemoStep,
} from './seed-request-files.ts';

/**
 * What the simulation of the demo's requests needs. `clock` is set to the time of each step, so that
 * the histories span days.
 */
interface SimulationContext extends RequestsContext, AnnouncingContext {
  demo: DemoRequests;
  callers: ReadonlyMap<string, Caller>;
  clock: { at: Date };
}

interface SimulatedRequest {
  id: number;
  number: string;
  serviceId: number;
  answers: Answers;
  attachmentIds: string[];
}

const hourMs = 3_600_000;

async function sendFile(
  context: SimulationContext,
  caller: Caller,
  file: {
    serviceId: number;
    requestId?: number;
    name: string;
    fileName: string;
    isPicture: boolean;
  },
): Promise<string> {
  const content = file.isPicture
    ? demoPicture()
    : demoPdf(file.fileName.replace(/\.pdf$/, '').replaceAll('-', ' '));
  const { id } = await announceAttachment(context, caller, {
    serviceId: file.serviceId,
    requestId: file.requestId,
    name: file.name,
    fileName: file.fileName,
    mediaType: file.isPicture ? 'image/png' : 'application/pdf',
    size: content.length,
  });
  await openAttachmentUploads(context).receive(
    caller,
    id,
    Readable.from([content]),
    content.length,
  );
  return id;
}

async function sendRequest(
  context: SimulationContext,
  request: DemoRequest,
): Promise<SimulatedRequest> {
  const caller = resolve(context.callers, request.account, 'the account');
  const service = context.catalogue.getServiceByName(request.service);
  const { form, attachments } = await context.catalogue.getDetails(service.id);
  const day = dayInDubai(context.clock.at);
  const answers = demoAnswers(context.demo, request, form, day);
  const attachmentIds: string[] = [];
  for (const { rule } of listRequiredDocuments(form, attachments, answers, day)) {
    if (!rule.required) continue;
    const isPicture = !rule.mediaTypes.includes('application/pdf');
    const stem = rule.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const fileName = `${stem}.${isPicture ? 'png' : 'pdf'}`;
    attachmentIds.push(
      await sendFile(context, caller, {
        serviceId: service.id,
        name: rule.name,
        fileName,
        isPicture,
      }),
    );
  }
  const { id, number } = await createRequest(context, caller, {
    serviceId: service.id,
    answers,
    attachmentIds,
    hasAgreed: true,
    hasConsented: true,
  });
  return { id, number, serviceId: service.id, answers, attachmentIds };
}

// Inserts the payment and its event without a call to the payment provider.
async function pay(context: SimulationContext, { id, number }: SimulatedRequest): Promise<void> {
  const { at } = context.clock;
  await inTransaction(context.database, async (transaction) => {
    const { due, round } = await lockDueAmount(transaction, id);
    const payment = {
      request_id: id,
      round,
      merchant_reference: `${number}-demo${round}`,
      amount: due,
      currency: 'AED',
      status: 'paid' as const,
      created_at: at,
      checked_at: at,
    };
    const { id: paymentId } = await transaction
      .insertInto('payments')
      .values(payment)
      .returning('id')
      .executeTakeFirstOrThrow();
    await transaction
      .insertInto('payment_events')
      .values({
        id: `${number}-demo${round}-paid`,
        payment_id: paymentId,
        kind: 'paid',
        amount: due,
        currency: 'AED',
        occurred_at: at,
        received_at: at,
      })
      .execute();
    if (!(await markPaid(context, transaction, id, { at })))
      throw new Error(`The demo pays for ${number}, which waits for no money`);
    await postMoney(transaction, id);
  });
}

async function sendResults(
  context: SimulationContext,
  caller: Caller,
  { id, serviceId }: SimulatedRequest,
  fileNames: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const fileName of fileNames)
    ids.push(
      await sendFile(context, caller, {
        serviceId,
        requestId: id,
        name: resultName,
        fileName,
        isPicture: false,
      }),
    );
  return ids;
}

const typed = (message: DemoStep['message']) => ({
  messageAr: message?.['ar-EG'],
  messageEn: message?.['en-US'],
  messageUr: message?.['ur-PK'],
});

// What a client would send.
const bodyOf = (
  { reasons = [], message, marks, fines, fees, holdUntil }: DemoStep,
  { results, day }: { results: string[]; day: string },
) => ({
  ...typed(message),
  holdUntil: holdUntil && resolveDateLimit(holdUntil, day),
  requestHistoryRejectionReasonsList: reasons,
  requestHistoryRejectionReasonId: reasons[0],
  marks: marks?.map(({ message: text, ...mark }) => ({ ...mark, ...typed(text) })),
  fines,
  totalAdminstrativeFees: fees,
  requestAttachmentList: results,
});

async function performStep(
  context: SimulationContext,
  simulated: SimulatedRequest,
  step: DemoStep,
): Promise<void> {
  if (step.action === 'pay') return pay(context, simulated);
  const caller = resolve(context.callers, step.by ?? '', 'the account');
  const target = { requestId: simulated.id };
  if (step.action === 'update') return correct(context, caller, target, simulated);
  if (step.action === 'withdraw') return withdraw(context, caller, target);
  if (step.action === 'askToWithdraw' || step.action === 'object') {
    const act = step.action === 'object' ? objectToDecision : askToWithdraw;
    return act(context, caller, target, step.message?.[defaultLanguage] ?? '');
  }
  const action = staffActions.find((each) => each === step.action);
  if (!action) throw new Error(`The demo cannot ${step.action} a request that exists`);
  const results = await sendResults(context, caller, simulated, step.results ?? []);
  const { read, prepare } = staffActionOf(action);
  const sent = read(bodyOf(step, { results, day: dayInDubai(context.clock.at) }));
  return performAction(context, caller, target, { action, sent, prepare });
}

/** Sends a request of the demo at its time in the past and performs its steps. */
export async function simulateRequest(
  context: SimulationContext,
  request: DemoRequest,
  now: number,
): Promise<void> {
  context.clock.at = new Date(now - request.hoursAgo * hourMs);
  const simulated = await sendRequest(context, request);
  for (const step of request.steps) {
    context.clock.at = new Date(context.clock.at.getTime() + step.hoursLater * hourMs);
    if (context.clock.at.getTime() > now)
      throw new Error(
        `The demo does something with a request for ${request.service} in the future`,
      );
    await performStep(context, simulated, step);
  }
}
