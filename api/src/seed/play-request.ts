import { Readable } from 'node:stream';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Answers } from '@diwan/contract/forms/forms';
import {
  announce,
  arrivalOf,
  resultName,
  type AnnouncingContext,
} from '../features/attachments/attachments.actions.ts';
import * as actions from '../features/requests/actions/act-on-request.actions.ts';
import { createRequest } from '../features/requests/actions/create-request.actions.ts';
import { lockDue, markPaid, type RequestsContext } from '../features/requests/requests.actions.ts';
import type { Caller } from '../platform/auth/session.ts';
import { demoPdf, demoPicture } from './demo-documents.ts';
import { resolve } from './seed-files.ts';
import {
  demoAnswers,
  type DemoRequest,
  type DemoRequests,
  type DemoStep,
} from './seed-request-files.ts';

/**
 * What the demo plays on. `clock` is set to the time of each step, so that the histories span days.
 */
export interface Stage extends RequestsContext, AnnouncingContext {
  demo: DemoRequests;
  callers: ReadonlyMap<string, Caller>;
  clock: { at: Date };
}

interface Played {
  id: number;
  number: string;
  serviceId: number;
  answers: Answers;
  attachmentIds: string[];
}

const hourMs = 3_600_000;

async function sendFile(
  stage: Stage,
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
  const { id } = await announce(stage, caller, {
    serviceId: file.serviceId,
    requestId: file.requestId,
    name: file.name,
    fileName: file.fileName,
    mediaType: file.isPicture ? 'image/png' : 'application/pdf',
    size: content.length,
  });
  await arrivalOf(stage).receive(caller, id, Readable.from([content]), content.length);
  return id;
}

async function sendRequest(stage: Stage, request: DemoRequest): Promise<Played> {
  const caller = resolve(stage.callers, request.account, 'the account');
  const service = stage.catalogue.getServiceByName(request.service);
  const attachmentIds: string[] = [];
  for (const rule of service.attachments.filter(({ required }) => required)) {
    const isPicture = !rule.mediaTypes.includes('application/pdf');
    const fileName = `${rule.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.${isPicture ? 'png' : 'pdf'}`;
    attachmentIds.push(
      await sendFile(stage, caller, {
        serviceId: service.id,
        name: rule.name,
        fileName,
        isPicture,
      }),
    );
  }
  const answers = demoAnswers(
    stage.demo,
    request.account,
    request.service,
    request.answers ?? {},
    service.form,
    dayInDubai(stage.clock.at),
  );
  const { id, number } = await createRequest(stage, caller, {
    serviceId: service.id,
    answers,
    attachmentIds,
    hasAgreed: true,
  });
  return { id, number, serviceId: service.id, answers, attachmentIds };
}

// The stand-in for the payment provider was never asked: its word is written as if it had been.
async function pay(stage: Stage, { id, number }: Played): Promise<void> {
  const { at } = stage.clock;
  await stage.database.transaction().execute(async (transaction) => {
    const { due, round } = await lockDue(transaction, id);
    const payment = {
      request_id: id,
      round,
      merchant_reference: `${number}-demo${round}`,
      amount: due,
      currency: 'AED',
      status: 'paid',
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
    if (!(await markPaid(stage, transaction, id, at)))
      throw new Error(`The demo pays for ${number}, which waits for no money`);
  });
}

async function playStep(stage: Stage, played: Played, step: DemoStep): Promise<void> {
  if (step.action === 'pay') return pay(stage, played);
  const caller = resolve(stage.callers, step.by ?? '', 'the account');
  const target = { requestId: played.id };
  const words = { reasons: step.reasons ?? [], message: step.message ?? {} };
  switch (step.action) {
    case 'receive':
      return actions.receive(stage, caller, target);
    case 'release':
      return actions.release(stage, caller, target);
    case 'approve':
      return actions.approve(stage, caller, target, { fines: step.fines, fees: step.fees });
    case 'accept':
      return actions.accept(stage, caller, target);
    case 'return':
      return actions.giveBack(stage, caller, target, {
        ...words,
        marks: step.marks?.map((mark) => ({ ...mark, message: mark.message ?? {} })),
      });
    case 'reject':
      return actions.reject(stage, caller, target, words);
    case 'update':
      return actions.mend(stage, caller, target, played);
    case 'submitted': {
      const results: string[] = [];
      for (const fileName of step.results ?? [])
        results.push(
          await sendFile(stage, caller, {
            serviceId: played.serviceId,
            requestId: played.id,
            name: resultName,
            fileName,
            isPicture: false,
          }),
        );
      return actions.complete(stage, caller, target, { ...words, results });
    }
    default:
      throw new Error(`The demo cannot ${step.action} a request that exists`);
  }
}

/** Sends one request of the demo as many hours ago as it says and takes it through its steps. */
export async function playRequest(stage: Stage, request: DemoRequest, now: number): Promise<void> {
  stage.clock.at = new Date(now - request.hoursAgo * hourMs);
  const played = await sendRequest(stage, request);
  for (const step of request.steps) {
    stage.clock.at = new Date(stage.clock.at.getTime() + step.hoursLater * hourMs);
    if (stage.clock.at.getTime() > now)
      throw new Error(
        `The demo does something with a request for ${request.service} in the future`,
      );
    await playStep(stage, played, step);
  }
}
