import { beforeAll, describe, expect, it } from 'vitest';
import { openCalendars } from '#features/calendars/calendars.actions.ts';
import { fillTemplate } from '#platform/core/message-template.ts';
import type { ProviderEvent } from '#platform/integrations/payment-provider.ts';
import { payPro } from '#platform/integrations/paypro.ts';
import { storedWorkflows } from '#testing/requests/book-payment.ts';
import { openRequestStage, paidService, messageTexts } from '#testing/requests/request-stage.ts';
import { listMessagesTo } from '#testing/sent-messages.ts';
import { useTestApp } from '#testing/test-app.ts';
import { sendProviderDocument } from '#testing/well-formed/request-lists.ts';
import { getRequestMessages, type RequestNotification } from '@diwan/contract/requests/messages';
import { createPayment } from '@diwan/contract/requests/payments';
import {
  createServiceProviderRequestAttachment,
  saveServiceProviderRequestAttachment,
} from '@diwan/contract/requests/provider-documents';
import * as requests from '@diwan/contract/requests/request-actions';
import { recordRefund } from '@diwan/contract/requests/request-costs';
import type { Workflow } from '@diwan/contract/requests/workflow';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { settle, type PaymentsContext } from '../payments/payment-events.actions.ts';
import { loadMessageTemplates, type MessageTemplates } from './message-templates.ts';
import { createNotifier } from './notifications.actions.ts';

const app = useTestApp();
const stage = openRequestStage(app);
/** The templates of this deployment. */
let texts: MessageTemplates;
const subjectOf = (news: RequestNotification, number: string) =>
  fillTemplate(texts.news[news]?.subject['en-US'] ?? '', { number });
beforeAll(async () => {
  texts = await loadMessageTemplates(app.config);
  await app.database
    .updateTable('users')
    .set({ language: 'en-US' })
    .where('username', '=', 'individual')
    .execute();
});

const news = async (requestId: number) =>
  (
    await app.callAs('individual', getRequestMessages, { query: { RequestId: requestId } })
  ).body.filter((message) => message.news !== undefined);
const refuse = (requestId: number) =>
  stage.performAction('employee', requests.rejectRequest, {
    requestId,
    requestHistoryRejectionReasonId: 1,
    ...messageTexts,
  });
const arrived = (about: RequestNotification, number: string) =>
  expect.poll(
    async () =>
      (await listMessagesTo(app, 'individual@example.com')).filter(
        ({ subject }) => subject === subjectOf(about, number),
      ).length,
    { timeout: 5000 },
  );

it('writes the message of the workflow’s action, and of a payment wherever it leads', () => {
  const both = (english: string) => ({ 'ar-EG': 'نص', 'en-US': english, 'ur-PK': 'متن' });
  const notifier = createNotifier(
    () => texts,
    'https://diwan.example',
    () => 'https://diwan.example/requests',
  );
  const transition = { from: 1, to: 2, who: ['Employee' as const], notify: true };
  const workflow: Workflow = {
    name: 'Test',
    version: 1,
    demo: false,
    statuses: [],
    transitions: [
      { ...transition, action: 'receive', message: both('Keep your passport at hand.') },
      { ...transition, action: 'return', message: both('You have ten days.') },
      {
        ...transition,
        action: 'pay',
        to: 3,
        who: ['payment'],
        message: both('An engineer calls.'),
      },
    ],
    start: { toPay: 1, free: 1 },
  };
  const bodyOf = (action: 'receive' | 'return' | 'pay') => {
    const written = notifier.writeStepMessages(
      {
        request: {
          number: 'RQ-1',
          user_id: 'u',
          company_id: null,
          language: 'en-US',
          promised_on: '2026-12-04',
          total: 0,
          refundable: 0,
          refunded: 0,
        },
        workflow,
        action,
        from: 1,
        to: 2,
        at: new Date('2026-11-24T08:00:00Z'),
        message: action === 'return' ? both('The photo is dark.') : null,
      },
      {
        service_name: both('Extract'),
        agency_name: both('Agency'),
        paid: 0,
        people: [
          {
            id: 'u',
            full_name: 'Salem',
            full_name_ar: null,
            language: 'en-US',
            company_id: null,
            email: 'salem@example.com',
            phone_number: null,
            channels: null,
            browsers: [],
            channelsByKind: {},
          },
        ],
      },
    );
    return written.outcome === 'sent' ? written.messages[0]?.body : written.outcome;
  };
  expect(bodyOf('receive')).toContain('\n\nKeep your passport at hand.\n\n');
  // The action that charged leads to status 2, and the payment with it.
  expect(bodyOf('pay')).toContain('An engineer calls.');
  expect(bodyOf('return')).toContain('You have ten days.\n\nThe photo is dark.');
});

describe('refunds', () => {
  const record = async (body: BodyInputOf<typeof recordRefund>) =>
    (await app.callAs('admin', recordRefund, { body })).status;

  it('notify the applicant of a rejection and of each refund, with the remaining amount', async () => {
    const { requestId, requestNumber } = await stage.sendAndReceive('individual', paidService);
    const { quote } = await app.database
      .selectFrom('requests')
      .select('quote')
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    await app.database
      .updateTable('requests')
      .set({
        quote: JSON.stringify({
          ...quote,
          lines: quote.lines.map((line) => ({ ...line, refundable: true })),
        }),
      })
      .where('id', '=', requestId)
      .execute();
    const { refund } = (await refuse(requestId)).body;
    const refundable = refund?.refundable ?? 0;
    expect(refundable).toBeGreaterThan(200);
    const amount = (fils: number) =>
      `AED ${new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 }).format(fils / 100)}`;
    const refused = (
      await app.callAs('individual', getRequestMessages, { query: { RequestId: requestId } })
    ).body.find(({ action, channel }) => action === 'reject' && channel === 'email');
    expect(refused?.text).toContain(`: ${amount(refundable)}. `);

    const first = { requestId, amount: 100, reference: '2026/77-FT see evil.com' };
    expect([await record(first), await record(first)]).toEqual([200, 200]);
    await arrived('refunded', requestNumber).toBe(1);
    const [mail, sms] = await news(requestId);
    expect([mail?.subject, mail?.news, mail?.action]).toEqual([
      subjectOf('refunded', requestNumber),
      'refunded',
      undefined,
    ]);
    expect(mail?.text).toMatch(/: AED 1\.00\n.+: \u20662026\/77-FT see evil\. com\u2069\n/);
    expect(mail?.text).toContain(`: ${amount(refundable - 100)}\n`);
    expect(sms?.text).toBe(
      fillTemplate(texts.news.refunded?.short['en-US'] ?? '', {
        number: requestNumber,
        amount: 'AED 1.00',
      }),
    );

    expect(await record({ requestId, amount: refundable - 100, reference: 'rest' })).toBe(200);
    await arrived('refunded', requestNumber).toBe(2);
    expect((await news(requestId))[0]?.text.match(/AED [\d.,]+/g)).toHaveLength(1);
    // A refused refund sends no notification.
    expect(await record({ requestId, amount: 1, reference: 'too much' })).toBe(400);
    expect(await news(requestId)).toHaveLength(4);
  });
});

describe('surplus payments', () => {
  let count = 0;
  const paid = (amount: number): ProviderEvent => ({
    id: `news-${(count += 1)}`,
    kind: 'paid',
    amount,
    currency: 'AED',
    occurredAt: new Date().toISOString(),
  });
  async function payments(says: ProviderEvent[]): Promise<PaymentsContext> {
    const notifier = createNotifier(
      () => texts,
      'https://diwan.example',
      (number) => `https://diwan.example/requests?request=${number}`,
    );
    return {
      database: app.database,
      providers: new Map([
        [
          'paypro',
          { ...payPro({ url: 'http://127.0.0.1:9', key: 'no key' }), read: async () => says },
        ],
      ]),
      publicUrl: '',
      expiryMinutes: 60,
      workflow: storedWorkflows(app.database),
      calendars: await openCalendars(app.database),
      fines: { database: app.database, register: undefined, warn: () => undefined },
      notifier,
      warn: () => undefined,
      announce: () => undefined,
    };
  }

  it.each([
    ['twice', async () => undefined],
    [
      'after the request was refused',
      async (requestId: number) => {
        await app.database
          .updateTable('requests')
          .set({
            status_id: 4,
            holder_id: (
              await app.database
                .selectFrom('users')
                .select('id')
                .where('username', '=', 'employee')
                .executeTakeFirstOrThrow()
            ).id,
          })
          .where('id', '=', requestId)
          .execute();
        expect((await refuse(requestId)).status).toBe(200);
      },
    ],
  ])(
    'that were made %s notify the applicant once, however often the provider is asked',
    async (how, before) => {
      const { requestId, requestNumber } = await stage.send('individual', paidService);
      const begin = async () =>
        (await app.callAs('individual', createPayment, { params: { requestId } })).body
          .merchantReference;
      const merchantReference = await begin();
      const { total } = (await stage.read('individual', requestId)).body;
      if (how === 'twice') {
        await settle(await payments([{ ...paid(total), kind: 'declined' }]), merchantReference);
        expect((await settle(await payments([paid(total)]), await begin())).status).toBe('paid');
      }
      await before(requestId);
      const provider = await payments([paid(total)]);
      for (let time = 0; time < 3; time += 1)
        expect((await settle(provider, merchantReference)).status).toBe('paid');
      const messages = await news(requestId);
      expect(messages.map((message) => `${message.channel} ${message.news}`)).toEqual([
        'email surplus',
        'sms surplus',
      ]);
      expect(messages[0]?.subject).toBe(subjectOf('surplus', requestNumber));
      expect(messages[0]?.text).toContain(
        `: AED ${new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 }).format(total / 100)}`,
      );
    },
  );
});

describe('documents that staff add', () => {
  const put = async (
    username: string,
    call:
      | typeof createServiceProviderRequestAttachment
      | typeof saveServiceProviderRequestAttachment,
    RequestId: number,
    list: { attachmentId: string; title: string; isVisibleToApplicant?: boolean }[],
  ) =>
    (
      await app.callAs(username, call, {
        body: { RequestId, ServiceProviderRequestAttachments: list },
      })
    ).status;

  it('notify the applicant in one message within two minutes, without hidden ones', async () => {
    const { requestId, requestNumber } = await stage.sendAndApprove('individual', paidService);
    const ids = [];
    for (const title of ['Notes', 'Report', 'evil.com'])
      ids.push({ attachmentId: await sendProviderDocument(app, 'supervisor', requestId), title });
    const [notes, report, third] = ids as [(typeof ids)[0], (typeof ids)[0], (typeof ids)[0]];
    expect(
      await put('supervisor', createServiceProviderRequestAttachment, requestId, [notes]),
    ).toBe(200);
    expect(await news(requestId)).toEqual([]);
    for (const each of [report, third])
      expect(
        await put('supervisor', createServiceProviderRequestAttachment, requestId, [
          { ...each, isVisibleToApplicant: true },
        ]),
      ).toBe(200);
    const waiting = await app.database
      .selectFrom('messages')
      .selectAll()
      .where('request_id', '=', requestId)
      .where('news', '=', 'documentAdded')
      .orderBy('channel')
      .execute();
    expect(
      waiting.map(({ channel, state, due_at: at }) => [
        channel,
        state,
        at.getTime() > Date.now() + 60_000,
      ]),
    ).toEqual([
      ['email', 'waiting', true],
      ['sms', 'waiting', true],
    ]);
    expect(waiting[0]?.body).not.toContain('evil');
    // The same list again sends no notification. A document that becomes visible does.
    const due = () =>
      app.database
        .updateTable('messages')
        .set({ due_at: new Date(0) })
        .where('news', '=', 'documentAdded')
        .where('state', '=', 'waiting')
        .execute();
    await due();
    expect(
      await put('supervisor', saveServiceProviderRequestAttachment, requestId, [
        notes,
        { ...report, isVisibleToApplicant: true },
        { ...third, isVisibleToApplicant: true },
      ]),
    ).toBe(200);
    await arrived('documentAdded', requestNumber).toBe(1);
    expect(
      await put('supervisor', saveServiceProviderRequestAttachment, requestId, [
        { ...notes, isVisibleToApplicant: true },
      ]),
    ).toBe(200);
    await due();
    await arrived('documentAdded', requestNumber).toBe(2);
  });

  it('are counted by the message about a completion, which names no documents where there are none', async () => {
    const completed = async (documents: readonly { isVisibleToApplicant: boolean }[]) => {
      const { requestId } = await stage.sendAndApprove('individual', paidService);
      for (const document of documents) {
        const attachmentId = await sendProviderDocument(app, 'supervisor', requestId);
        const added = { attachmentId, title: 'Report', ...document };
        await put('supervisor', createServiceProviderRequestAttachment, requestId, [added]);
      }
      await stage.performAction('supervisor', requests.acceptRequest, { requestId });
      await stage.performAction('supervisor', requests.submittedRequest, { requestId });
      const { body } = await app.callAs('individual', getRequestMessages, {
        query: { RequestId: requestId },
      });
      return body
        .filter(({ action }) => action === 'submitted')
        .map(({ text }) => text.match(/.*documents?\b.*/gi));
    };
    const hidden = { isVisibleToApplicant: false };
    const shown = { isVisibleToApplicant: true };
    expect(await completed([hidden])).toEqual([null, null]);
    expect(await completed([shown, hidden, shown])).toEqual([['Documents issued: 2'], null]);
  });

  it('cause no message when they are removed before it is sent', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const list = [
      {
        attachmentId: await sendProviderDocument(app, 'employee', requestId),
        title: 'By mistake',
        isVisibleToApplicant: true,
      },
    ];
    await put('employee', createServiceProviderRequestAttachment, requestId, list);
    expect(await news(requestId)).toHaveLength(2);
    await put('employee', saveServiceProviderRequestAttachment, requestId, []);
    expect(await news(requestId)).toEqual([]);
  });
});
