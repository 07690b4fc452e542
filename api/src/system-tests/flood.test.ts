// One flooding account is refused by name, and other users are not. The limits are small here;
// config.ts has the defaults.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createAttachment,
  deleteAttachment,
  downloadFile,
} from '@diwan/contract/requests/attachments';
import { getDraft, saveDraft } from '@diwan/contract/requests/drafts';
import { createPayment } from '@diwan/contract/requests/payments';
import { createRequest } from '@diwan/contract/requests/request-actions';
import { makeAnswers, uploadRequiredDocuments } from '../testing/requests/demo-request.ts';
import { freeService, openRequestStage, paidService } from '../testing/requests/request-stage.ts';
import { useTestApp } from '../testing/test-app.ts';

const app = useTestApp({
  REQUESTS_PER_DAY: '5',
  DOCUMENTS_UNSENT_PER_HOUR: '6',
  DOCUMENT_CALLS_PER_MINUTE: '12',
});
const stage = openRequestStage(app);
beforeAll(async () => {
  // The demo requests are dated before today.
  await app.database
    .updateTable('requests')
    .set({ created_at: new Date('2026-01-01') })
    .execute();
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

describe('requests', () => {
  it('are limited in 24 hours, and allowed again when the first of them is a day old', async () => {
    const token = await app.signIn('individual');
    const service = await stage.findService(freeService);
    const sent = [];
    for (let one = 0; one < 5; one += 1) sent.push(await stage.send('individual', freeService));
    const [first, second] = sent;
    const body = {
      serviceId: service.id,
      answers: makeAnswers(service.form),
      attachmentIds: await uploadRequiredDocuments(app, token, service),
      agreeToTermsAndConditions: true,
      draftId: randomUUID(),
    };
    const draft = await app.call(saveDraft, {
      token,
      body: {
        draftId: body.draftId,
        serviceId: service.id,
        revision: 0,
        answers: body.answers,
        attachmentIds: [],
        passed: [],
      },
    });
    expect(draft.status).toBe(200);

    const refused = await app.call(createRequest, { token, body, language: 'ar-EG' });
    expect([refused.status, refused.refused.error]).toEqual([429, 'TooManyRequests']);
    expect(refused.refused.message).toMatch(/[\u0600-\u06FF]/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(86_400);
    // The draft is not lost, and other users are not refused.
    expect(
      (await app.call(getDraft, { token, query: { serviceId: service.id } })).body.draft?.answers,
    ).toEqual(body.answers);
    expect((await stage.send('individual2', freeService)).requestId).toBeGreaterThan(0);
    for (const [one, days] of [
      [first, 0.99],
      [second, 0.5],
    ] as const)
      await app.database
        .updateTable('requests')
        .set({ created_at: daysAgo(days) })
        .where('id', '=', one?.requestId ?? 0)
        .execute();
    const soon = await app.call(createRequest, { token, body });
    expect([soon.status, Math.round(Number(soon.headers['retry-after']) / 60)]).toEqual([
      429,
      Math.round(0.01 * 24 * 60),
    ]);
    await app.database
      .updateTable('requests')
      .set({ created_at: daysAgo(1.001) })
      .where('id', '=', first?.requestId ?? 0)
      .execute();
    expect((await app.call(createRequest, { token, body })).status).toBe(200);
    // A second submission of the same draft is the same request and does not count.
    expect((await app.call(createRequest, { token, body })).status).toBe(200);
    expect(
      (await app.call(createRequest, { token, body: { ...body, draftId: randomUUID() } })).status,
    ).toBe(429);
  });
});

describe('documents', () => {
  async function announce(token: string) {
    const { id: serviceId, attachments } = await stage.findService(paidService);
    const rule = attachments.find(({ mediaTypes }) => mediaTypes.includes('application/pdf'));
    return app.call(createAttachment, {
      token,
      body: {
        serviceId,
        name: rule?.name ?? '',
        fileName: 'a.pdf',
        mediaType: 'application/pdf',
        size: 9,
      },
    });
  }

  it('are limited by hour, also when all come at the same time, with Retry-After', async () => {
    const token = await app.signIn('company2');
    const answers = await Promise.all(Array.from({ length: 10 }, () => announce(token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200, 200, 200, 200, 200, 200, 429, 429, 429, 429,
    ]);
    for (const { headers } of answers.filter(({ status }) => status === 429))
      expect(Number(headers['retry-after'])).toBeGreaterThan(3500);
    expect((await announce(await app.signIn('company'))).status).toBe(200);
  });

  it('are limited by minute when they are announced and deleted, or requested, again and again', async () => {
    const token = await app.signIn('supervisor2');
    const statuses = [];
    for (let one = 0; one < 13; one += 1) {
      const { status, body, headers } = await announce(token);
      statuses.push(status);
      if (status === 200)
        await app.call(deleteAttachment, { token, params: { attachmentId: body.attachmentId } });
      else expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([...Array<number>(12).fill(200), 429]);
    const asked = await Promise.all(
      Array.from({ length: 14 }, () =>
        app.call(downloadFile, { token, query: { filePath: 'none' } }),
      ),
    );
    expect(asked.map(({ status }) => status).toSorted()).toEqual([
      ...Array<number>(12).fill(404),
      429,
      429,
    ]);
    expect(
      (await app.callAs('employee', downloadFile, { query: { filePath: 'none' } })).status,
    ).toBe(404);
  });
});

it('payments of one user are limited by minute', async () => {
  const begin = async (who: string) =>
    (await app.callAs(who, createPayment, { params: { requestId: 999_999 } })).status;
  const statuses = await Promise.all(Array.from({ length: 122 }, () => begin('individual')));
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  expect(await begin('individual2')).toBe(404);
});
