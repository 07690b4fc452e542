import { beforeAll, describe, expect, it } from 'vitest';
import { countSmsSegments } from '#platform/messages/sms.ts';
import { openRequestStage, paidService, messageTexts } from '#testing/requests/request-stage.ts';
import { listMessagesTo } from '#testing/sent-messages.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as communication from '@diwan/contract/people/communication-types';
import {
  getMessages,
  getRequestMessages,
  giveUpMessages,
  previewMessages,
  retryMessages,
} from '@diwan/contract/requests/messages';
import { createPayment, postPayProPaymentResult } from '@diwan/contract/requests/payments';
import { rejectionReasonCollection } from '@diwan/contract/requests/rejection-reasons';
import * as actionCalls from '@diwan/contract/requests/request-actions';
import * as requests from '@diwan/contract/requests/requests';
import type { BodyInputOf } from '@diwan/contract/wire/call';

const app = useTestApp();
let stage: ReturnType<typeof openRequestStage>;
beforeAll(async () => {
  stage = openRequestStage(app);
});

const setUser = (username: string, changes: Record<string, unknown>) =>
  app.database.updateTable('users').set(changes).where('username', '=', username).execute();
const read = async (username: string, requestId: number) =>
  (await app.callAs(username, getRequestMessages, { query: { RequestId: requestId } })).body;
const historyOf = async (username: string, requestId: number) =>
  (await stage.read(username, requestId)).body.history;
const settled = (recipient: string, about: string, count: number) =>
  expect
    .poll(
      async () =>
        (await listMessagesTo(app, recipient)).filter(({ body, subject }) =>
          `${subject} ${body}`.includes(about),
        ).length,
    )
    .toBe(count);

// Sends a request in Arabic and pays it.
async function sendPaidRequest(): Promise<{ requestId: number; requestNumber: string }> {
  const service = await stage.findService(paidService);
  const { uploadRequiredDocuments: uploadRequired, makeAnswers: answersFor } =
    await import('#testing/requests/demo-request.ts');
  const attachmentIds = await uploadRequired(app, await app.signIn('individual'), service);
  const { body: sent } = await app.callAs('individual', actionCalls.createRequest, {
    language: 'ar-EG',
    body: {
      serviceId: service.id,
      answers: answersFor(service.form),
      attachmentIds,
      agreeToTermsAndConditions: true,
    },
  });
  const { body: begun } = await app.callAs('individual', createPayment, {
    params: { requestId: sent.requestId },
  });
  const paid = await fetch(begun.paymentUrl.replace(/^http:\/\/[^/]+/, app.paymentsUrl), {
    method: 'POST',
    body: new URLSearchParams({ decision: 'paid' }),
    redirect: 'manual',
  });
  await app.call(postPayProPaymentResult, {
    query: {
      paymentSummary:
        new URL(paid.headers.get('location') ?? '').searchParams.get('paymentSummary') ?? '',
    },
  });
  return sent;
}

describe('an applicant', () => {
  it('is notified of each step by mail and SMS in the language of the request', async () => {
    const sent = await sendPaidRequest();
    await stage.receive('employee', sent.requestId);
    await stage.performAction('employee', actionCalls.returnRequest, {
      requestId: sent.requestId,
      requestHistoryRejectionReasonsList: [1],
      ...messageTexts,
    });
    for (const recipient of ['individual@example.com', '+971500000008'])
      await settled(recipient, sent.requestNumber, 3);
    const mails = (await listMessagesTo(app, 'individual@example.com')).filter(({ subject }) =>
      subject.includes(sent.requestNumber),
    );
    expect(mails.map(({ subject, language }) => `${language} ${subject}`)).toEqual([
      `ar-EG ادفع رسوم طلبك ${sent.requestNumber} ليبدأ العمل عليه`,
      `ar-EG استلمنا رسوم طلبك ${sent.requestNumber}`,
      `ar-EG يحتاج طلبك ${sent.requestNumber} إلى تعديل`,
    ]);
    const { body: reasons } = await app.callAs('employee', rejectionReasonCollection, {
      language: 'ar-EG',
    });
    expect(mails[2]?.body).toContain(`الأسباب:\n- ${reasons.find(({ id }) => id === 1)?.name}`);
    expect(mails[2]?.body).toContain(`رسالة من الجهة:\n${messageTexts.messageAr}`);
    expect(mails[0]?.body).toMatch(/المبلغ المستحق: [\d,]+\.\d\d درهم/);
    expect(mails[1]?.body).toMatch(/الموعد المتوقع لإنجاز الطلب: .+ 20\d\d/);
    for (const { body } of mails) {
      expect(body).not.toMatch(/\{\{|\n\n\n/);
      expect(body).toMatch(/^http:\/\/localhost:3000\/requests\?request=[\w%-]+$/m);
    }
    const texts = (await listMessagesTo(app, '+971500000008'))
      .map(({ body }) => body)
      .filter((body) => body.includes(sent.requestNumber));
    expect(texts).toHaveLength(3);
    for (const text of texts)
      expect([countSmsSegments(text) <= 2, text.includes('request=')]).toEqual([true, false]);
    // The link of the mail opens the request for its owner only.
    const request =
      new URL(/http:\S+request=\S+/.exec(mails[2]?.body ?? '')?.[0] ?? '').searchParams.get(
        'request',
      ) ?? '';
    expect(
      (await app.callAs('individual', requests.readRequestLink, { query: { request } })).body,
    ).toEqual({ requestId: sent.requestId, requestNumber: sent.requestNumber });
    expect(
      (await app.callAs('individual2', requests.readRequestLink, { query: { request } })).status,
    ).toBe(404);
  });

  it('is notified of a completed request, and of a rejected one with the reason', async () => {
    const completed = await stage.sendAndReceive('individual');
    await stage.performAction('employee', actionCalls.submittedRequest, {
      requestId: completed.requestId,
      ...messageTexts,
    });
    const refused = await stage.sendAndReceive('individual');
    await stage.performAction('employee', actionCalls.rejectRequest, {
      requestId: refused.requestId,
      requestHistoryRejectionReasonId: 2,
      ...messageTexts,
    });
    const subjects = await Promise.all(
      [completed, refused].map(async ({ requestId }) =>
        (await read('individual', requestId)).map(({ subject, text }) => subject || text),
      ),
    );
    expect(subjects[0]?.slice(0, 2)).toEqual([
      `Your request ${completed.requestNumber} has been completed`,
      expect.stringContaining(
        `(${(await stage.read('individual', completed.requestId)).body.serviceName})`,
      ),
    ]);
    expect(subjects[1]?.[0]).toBe(`Your request ${refused.requestNumber} has been rejected`);
    expect((await read('individual', refused.requestId))[0]?.text).toMatch(
      /Reason:\n- .+\n\nMessage from the agency:\nPlease correct the details/,
    );
  });

  it('sees the messages, and so do clerks with masked addresses', async () => {
    const { requestId } = await stage.send('individual');
    await expect
      .poll(async () => (await read('individual', requestId)).map(({ state }) => state))
      .toEqual(['sent', 'sent']);
    expect(
      (await read('individual', requestId)).map(
        ({ recipient, isOwn, action }) => `${recipient} ${isOwn} ${action}`,
      ),
    ).toEqual(['individual@example.com true create', '+971500000008 true create']);
    expect(
      (await read('employee', requestId)).map(({ recipient, isOwn }) => `${recipient} ${isOwn}`),
    ).toEqual(['i•••@example.com false', '+971•••008 false']);
    for (const username of ['individual', 'employee']) {
      expect((await historyOf(username, requestId))[0]?.notice).toEqual({
        outcome: 'sent',
        messages: [
          { channel: 'email', state: 'sent' },
          { channel: 'sms', state: 'sent' },
        ],
      });
    }
  });

  it('is not notified of a suppressed step, as the history shows, or of an unannounced step', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const before = (await read('individual', requestId)).length;
    expect(
      (
        await stage.performAction('employee', actionCalls.approveRequest, {
          requestId,
          shouldNotifyClient: false,
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await stage.performAction('supervisor2', actionCalls.acceptRequest, {
          requestId,
          shouldNotifyClient: true,
        })
      ).status,
    ).toBe(200);
    expect(
      (await historyOf('employee', requestId)).map(
        ({ action, notice }) => `${action} ${notice?.outcome}`,
      ),
    ).toEqual(['create sent', 'receive undefined', 'approve switchedOff', 'accept sent']);
    expect(await read('individual', requestId)).toHaveLength(before + 2);
  });

  it('without a verified address is not notified, as the history shows', async () => {
    const before = await app.database
      .selectFrom('users')
      .select(['email_verified_at', 'phone_verified_at'])
      .where('username', '=', 'individual2')
      .executeTakeFirstOrThrow();
    await setUser('individual2', { email_verified_at: null, phone_verified_at: null });
    const { requestId } = await stage.send('individual2');
    await setUser('individual2', before);
    expect((await historyOf('employee', requestId))[0]?.notice).toEqual({
      outcome: 'unreachable',
      messages: [],
    });
    expect(await read('individual2', requestId)).toEqual([]);
  });

  it.each([
    ['Click https://evil.example/now', 'Dear Click https evil example now,'],
    ['bob@evil.example', 'Dear bob evil example,'],
    ['A\u202eB\nBcc: c', 'Dear A B Bcc c,'],
    ['O’Brien-Smith J. R.', 'Dear O’Brien-Smith J. R.,'],
    ['\u200f123', undefined],
  ])('of the name %j is greeted without misleading characters', async (fullName, greeting) => {
    await setUser('individual2', { full_name: fullName, language: 'en-US' });
    const { requestId } = await stage.send('individual2');
    await setUser('individual2', { full_name: 'Individual Two', language: null });
    const mail = (await read('individual2', requestId)).find(({ channel }) => channel === 'email');
    expect(mail?.text.split('\n\n')[0]).toBe(
      greeting ??
        'We have received your request and will start on it soon. You do not need to do anything now.',
    );
    expect(
      mail?.text
        .match(/https?:\/\/\S+/g)
        ?.filter((link) => !link.startsWith('http://localhost:3000/requests?request=')),
    ).toEqual([]);
  });

  it('receives no link to another site from an employee’s message', async () => {
    await setUser('individual', { language: 'en-US' });
    const { requestId } = await stage.sendAndReceive('individual');
    await stage.performAction('employee', actionCalls.returnRequest, {
      requestId,
      ...messageTexts,
      messageEn:
        'See https://evil.example/pay, www.evil.example and http://localhost:3000/services',
    });
    await setUser('individual', { language: null });
    const mail = (await read('individual', requestId)).find(
      ({ channel, action }) => channel === 'email' && action === 'return',
    );
    expect(mail?.text).toContain(
      'See (the link is on the page of your request) (the link is on the page of your request) and http://localhost:3000/services',
    );
  });
});

describe('the request of a company', () => {
  it('notifies its sender, and the managers once the sender has left', async () => {
    const { requestId } = await stage.sendAndReceive('company');
    const sender = await app.database
      .selectFrom('users')
      .select(['id', 'company_id', 'email'])
      .where('username', '=', 'company')
      .executeTakeFirstOrThrow();
    expect([
      ...new Set((await read('company', requestId)).map(({ recipient }) => recipient)),
    ]).toContain(sender.email);
    await setUser('company2', { company_id: sender.company_id, is_company_manager: true });
    await setUser('company', { company_id: null, is_company_manager: false });
    await stage.performAction('employee', actionCalls.approveRequest, { requestId });
    const notified = await app.database
      .selectFrom('messages')
      .innerJoin('users', 'users.id', 'messages.user_id')
      .select(['users.username', 'messages.channel'])
      .where('request_id', '=', requestId)
      .orderBy('messages.created_at')
      .orderBy('channel')
      .execute();
    expect(notified.map(({ username, channel }) => `${username} ${channel}`)).toEqual([
      'company email',
      'company sms',
      'company2 email',
      'company2 sms',
    ]);
    await setUser('company', { company_id: sender.company_id, is_company_manager: true });
  });
});

describe('the channels', () => {
  const own = async (
    username: string,
    body: { communicationTypeId?: number; language?: 'ar-EG' | 'en-US' | 'ur-PK' },
  ) => app.callAs(username, communication.changeOwnCommunication, { body });

  it('are data with names in three languages', async () => {
    const names = await Promise.all(
      (['ar-EG', 'en-US', 'ur-PK'] as const).map(async (language) =>
        (await app.call(communication.getAllCommunicationType, { language })).body.map(
          ({ id, key, name }) => `${id} ${key} ${name}`,
        ),
      ),
    );
    expect(names[1]).toEqual([
      '1 email Email',
      '2 sms Text messages (SMS)',
      '3 emailAndSms Email and text messages',
    ]);
    expect(new Set(names.flat()).size).toBe(9);
  });

  it('and the language are the person’s choice', async () => {
    expect((await own('individual2', { communicationTypeId: 2, language: 'ur-PK' })).body).toEqual({
      communicationTypeId: 2,
      language: 'ur-PK',
      proved: ['email', 'sms'],
    });
    const { requestId } = await stage.send('individual2');
    expect(
      (await read('individual2', requestId)).map(
        ({ channel, language }) => `${channel} ${language}`,
      ),
    ).toEqual(['sms ur-PK']);
    // The chosen channel has lost its verified address, so the other one is used.
    await setUser('individual2', { phone_verified_at: null });
    const second = await stage.send('individual2');
    expect((await read('individual2', second.requestId)).map(({ channel }) => channel)).toEqual([
      'email',
    ]);
    await setUser('individual2', { phone_verified_at: new Date() });
    expect((await own('individual2', { communicationTypeId: 3 })).body).toMatchObject({
      communicationTypeId: 3,
      language: 'ur-PK',
    });
  });

  it('that do not exist or are not verified are refused', async () => {
    expect((await own('individual2', { communicationTypeId: 77 })).refused.error).toBe(
      'CommunicationTypeNotFound',
    );
    await setUser('individual2', { phone_verified_at: null });
    for (const communicationTypeId of [2, 3])
      expect(
        (await own('individual2', { communicationTypeId, language: 'en-US' })).refused.error,
      ).toBe('AddressNotProved');
    await setUser('individual2', { phone_verified_at: new Date() });
    expect(
      Object.keys((await own('individual2', { language: 'fr-FR' as never })).refused.errors ?? {}),
    ).toEqual(['language']);
    expect((await app.callAs('individual2', communication.getOwnCommunication)).body).toEqual({
      communicationTypeId: 3,
      language: 'ur-PK',
      proved: ['email', 'sms'],
    });
  });
});

describe('an admin', () => {
  const list = async (
    query: {
      State?: 'failed' | 'waiting' | 'all' | 'givenUp';
      SearchKeyword?: string;
      Take?: number;
      PageNumber?: number;
    } = {},
  ) => (await app.callAs('admin', getMessages, { query })).body;
  const fault = (recipient: string, kind: string) =>
    fetch(`${app.sandboxUrl}/messages/faults`, {
      method: 'POST',
      body: new URLSearchParams({ recipient, kind }),
      redirect: 'manual',
    });

  it('sees a failed message with its reason and retries it; it is delivered once', async () => {
    await fault('individual@example.com', 'refuse');
    const { requestId, requestNumber } = await stage.send('individual');
    await expect
      .poll(async () => (await list({ SearchKeyword: requestNumber })).items.length)
      .toBe(1);
    const [failed] = (await list({ SearchKeyword: requestNumber })).items;
    expect(failed).toMatchObject({
      channel: 'email',
      recipient: 'individual@example.com',
      state: 'failed',
      fault: 'addressRefused',
      faultDetail: 'HTTP 422',
      tries: 1,
      requestNumber,
      kind: 'request',
    });
    expect((await historyOf('individual', requestId))[0]?.notice?.messages).toContainEqual({
      channel: 'email',
      state: 'failed',
    });
    await fault('individual@example.com', '');
    const ids = { messageIds: [failed?.messageId ?? ''] };
    const admin = await app.signIn('admin');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => app.call(retryMessages, { token: admin, body: ids })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await expect
      .poll(async () => (await list({ SearchKeyword: requestNumber })).totalCount)
      .toBe(0);
    expect(
      (await listMessagesTo(app, 'individual@example.com')).filter(({ subject }) =>
        subject.includes(requestNumber),
      ),
    ).toHaveLength(1);
    expect((await app.call(retryMessages, { token: admin, body: ids })).body.changed).toBe(0);
    expect((await app.call(giveUpMessages, { token: admin, body: ids })).body.changed).toBe(0);
    expect(
      (await list({ SearchKeyword: requestNumber, State: 'all' })).items.map(({ state }) => state),
    ).toEqual(['sent', 'sent']);
  });

  it('gives up a waiting message, which is not retried', async () => {
    await fault('individual@example.com', 'fail');
    const { requestNumber } = await stage.send('individual');
    await expect
      .poll(
        async () =>
          (await list({ SearchKeyword: requestNumber, State: 'waiting' })).items[0]?.fault,
      )
      .toBe('gatewayRefused');
    const [waiting] = (await list({ SearchKeyword: requestNumber, State: 'waiting' })).items;
    expect(waiting?.dueAt && Date.parse(waiting.dueAt) > Date.now() + 20_000).toBe(true);
    expect(
      (
        await app.callAs('admin', giveUpMessages, {
          body: { messageIds: [waiting?.messageId ?? ''] },
        })
      ).body.changed,
    ).toBe(1);
    expect((await list({ SearchKeyword: requestNumber })).totalCount).toBe(0);
    expect((await list({ SearchKeyword: requestNumber, State: 'givenUp' })).items).toHaveLength(1);
    await fault('individual@example.com', '');
  });

  it('finds nothing by wildcards or past the end, and gets an error for unknown ids', async () => {
    for (const SearchKeyword of ['%', '_', '\\', 'no such thing'])
      expect((await list({ SearchKeyword, State: 'all' })).items).toEqual([]);
    expect((await list({ State: 'all', PageNumber: 9999 })).items).toEqual([]);
    const token = await app.signIn('admin');
    for (const call of [retryMessages, giveUpMessages]) {
      expect(
        (
          await app.call(call, {
            token,
            body: { messageIds: ['00000000-0000-4000-8000-000000000000'] },
          })
        ).refused.error,
      ).toBe('MessageNotFound');
      expect((await app.call(call, { token, body: { messageIds: ['x'] } })).status).toBe(400);
    }
  });

  it('reads the numbers of waiting, failed and sent messages in the metrics', async () => {
    const { body } = await app.server.inject({ url: '/metrics' });
    expect(body).toMatch(/^diwan_messages\{channel="email",state="failed"\} 0$/m);
    expect(
      Number(/^diwan_messages_sent_total\{channel="sms"\} (\d+)$/m.exec(body)?.[1]),
    ).toBeGreaterThan(5);
  });
});

describe('the preview of an action', () => {
  const preview = async (username: string, body: BodyInputOf<typeof previewMessages>) =>
    app.callAs(username, previewMessages, { body });

  it('shows exactly what the action then sends, and changes nothing', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const readHistory = async () => (await stage.read('employee', requestId)).body.history;
    // The outbox sends the messages of the earlier steps meanwhile.
    await expect.poll(async () => JSON.stringify(await readHistory())).not.toContain('"waiting"');
    const readMessages = async () =>
      (await read('individual', requestId)).map(({ action, channel, subject, text }) => ({
        action,
        channel,
        subject,
        text,
      }));
    const [record, before] = [await stage.read('employee', requestId), await readMessages()];
    const { status, body } = await preview('employee', {
      requestId,
      action: 'submitted',
      ...messageTexts,
    });
    expect(status).toBe(200);
    const after = await stage.read('employee', requestId);
    expect([after.body.version, after.body.statusId, after.body.history]).toEqual([
      record.body.version,
      record.body.statusId,
      record.body.history,
    ]);
    expect(await readMessages()).toEqual(before);
    await stage.performAction('employee', actionCalls.submittedRequest, {
      requestId,
      ...messageTexts,
    });
    const sent = (await read('individual', requestId)).filter(
      ({ action }) => action === 'submitted',
    );
    const withoutLink = (text: string) => text.replace(/request=\S+/, '');
    expect(body.outcome).toBe('sent');
    expect(
      body.messages.map(({ channel, text, subject }) => [channel, subject, withoutLink(text)]),
    ).toEqual(sent.map(({ channel, text, subject }) => [channel, subject, withoutLink(text)]));
    expect(body.messages.map(({ recipient }) => recipient)).toEqual([
      'i•••@example.com',
      '+971•••008',
    ]);
  });

  it('includes added fees and refuses what the action refuses', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const { version } = (await stage.read('employee', requestId)).body;
    const { body } = await preview('employee', { requestId, action: 'approve', fines: 12_345 });
    expect(body.messages[0]?.text).toContain('123.45');
    expect(
      (await preview('employee', { requestId, version: version + 5, action: 'approve' })).refused,
    ).toMatchObject({ error: 'VersionHasChanged' });
    expect((await preview('employee2', { requestId, action: 'approve' })).refused).toMatchObject({
      error: 'ActionNotAllowed',
    });
    // The applicant reads English: a message in another language alone is refused.
    expect(
      (
        await preview('employee', {
          requestId,
          action: 'submitted',
          messageAr: 'لغة واحدة فقط',
        })
      ).refused,
    ).toMatchObject({ error: 'MessageIncomplete' });
  });
});
