import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { demoPassword } from '#seed/seed.ts';
import { makeAnswers, uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import { openRequestStage, paidService, messageTexts } from '#testing/requests/request-stage.ts';
import { allowNextCode, waitForCodeTo, listMessagesTo, otherCode } from '#testing/sent-messages.ts';
import { openTestApp, useTestApp } from '#testing/test-app.ts';
import { allCalls } from '@diwan/contract/all-calls';
import { endSessions, getSessions } from '@diwan/contract/people/accounts';
import * as acting from '@diwan/contract/people/acting';
import { login, logout, refreshToken } from '@diwan/contract/people/users';
import {
  approveRequest,
  createRequest,
  receiveRequest,
  returnRequest,
} from '@diwan/contract/requests/request-actions';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getRequestByIdForUpdate, getRequestById } from '@diwan/contract/requests/requests';
import { getRequestReads } from '@diwan/contract/staff/access-log';
import { writeMinutes } from './acting.actions.ts';

const phone = '+971500000008';
const app = useTestApp({ VERIFICATION_CODES_PER_DAY: '10000' });
const stage = openRequestStage(app);
beforeEach(async () => {
  await app.database.deleteFrom('verification_codes').execute();
});

it('writes its minutes with the plural forms of each language', () => {
  expect([1, 3, 30].map((minutes) => writeMinutes(minutes, 'ar-EG'))).toEqual([
    'دقيقة',
    '3 دقائق',
    '30 دقيقة',
  ]);
  expect([1, 30].map((minutes) => writeMinutes(minutes, 'en-US'))).toEqual([
    '1 minute',
    '30 minutes',
  ]);
  expect(writeMinutes(30, 'ur-PK')).toBe('30 منٹ');
});

const signIn = async (username: string) =>
  (await app.call(login, { body: { username, password: demoPassword } })).body.token;
const sendCode = async (token: string, name = 'individual', channel: 'sms' | 'email' = 'sms') =>
  app.call(acting.sendActingCode, { token, body: { name, channel } });
const begin = (token: string, code: string, name = 'individual') =>
  app.call(acting.beginActing, { token, body: { name, channel: 'sms', code } });
const smsCount = async () => (await listMessagesTo(app, phone)).length;
async function actFor(clerk: string): Promise<string> {
  await allowNextCode(app);
  const before = await smsCount();
  expect((await sendCode(clerk)).body).toEqual({ sent: true });
  const { status, body } = await begin(clerk, await waitForCodeTo(app, phone, before + 1));
  expect(status).toBe(200);
  // The message about the start of the session.
  await expect.poll(smsCount).toBe(before + 2);
  return body.token;
}
async function send(token: string) {
  const service = await stage.findService(paidService);
  return app.call(createRequest, {
    token,
    body: {
      serviceId: service.id,
      answers: makeAnswers(service.form),
      attachmentIds: await uploadRequiredDocuments(app, token, service),
      agreeToTermsAndConditions: true,
    },
  });
}
const events = async (kind: 'actingBegan' | 'actingEnded' | 'actingRefused' | 'actingCodeSent') =>
  app.database
    .selectFrom('audit_events')
    .innerJoin('users', 'users.id', 'audit_events.user_id')
    .select(['users.username', 'detail'])
    .where('kind', '=', kind)
    .execute();

describe('the person at the counter', () => {
  it.each([
    'individual',
    ' INDIVIDUAL ',
    'individual@example.com',
    '0500000008',
    '+971 50 000 0008',
    '784-1900-0000008-4',
    '٧٨٤١٩٠٠٠٠٠٠٠٠٨٤',
  ])('is found by %s, with masked details', async (name) => {
    const { status, body } = await app.call(acting.findPerson, {
      token: await signIn('employee'),
      body: { name },
    });
    expect([status, body]).toEqual([
      200,
      {
        fullName: 'S*** A*** D***',
        ways: [
          { channel: 'sms', hint: '••• 008' },
          { channel: 'email', hint: 'i•••@example.com' },
        ],
      },
    ]);
  });

  it.each([
    'individua',
    'Sara',
    '%',
    '',
    '784-1900-0000008-5',
    'employee',
    'employee2',
    'admin',
    'supervisor',
    'nobody@example.com',
    "' or 1=1 --",
  ])('is not found by %j', async (name) => {
    const { status, refused } = await app.call(acting.findPerson, {
      token: await signIn('employee'),
      body: { name },
    });
    expect(name === '' ? Object.keys(refused.errors ?? {}) : [status, refused.error]).toEqual(
      name === '' ? ['name'] : [404, 'PersonNotFound'],
    );
  });
});

describe('an acting session', () => {
  it('requires the person’s own code and notifies the person of employee and duration', async () => {
    const token = await actFor(await signIn('employee'));
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({ fullName: 'Sara Al Demo', act: { name: 'Mariam Al Demo' } });
    expect(Number(claims.actUntil) - Date.now() / 1000).toBeCloseTo(30 * 60, -2);
    expect(Number(claims.exp)).toBeLessThanOrEqual(Number(claims.actUntil));
    expect((await listMessagesTo(app, phone)).at(-1)?.body).toContain('Mariam Al Demo');
    expect(await events('actingBegan')).toContainEqual({
      username: 'individual',
      detail: { by: 'Mariam Al Demo', byAr: 'مريم العرض' },
    });
  });

  it('refuses a wrong code, a code that another employee asked for, and a code twice', async () => {
    const [clerk, other] = [await signIn('employee'), await signIn('employee2')];
    const before = await smsCount();
    await sendCode(clerk);
    const code = await waitForCodeTo(app, phone, before + 1);
    for (const [token, typed] of [
      [clerk, otherCode(code)],
      [other, code],
    ] as const)
      expect((await begin(token, typed)).refused.error).toBe('VerificationCodeWrong');
    expect((await begin(clerk, code)).status).toBe(200);
    expect((await begin(clerk, code)).refused.error).toBe('VerificationCodeWrong');
    expect((await events('actingRefused')).length).toBe(3);
  });

  it('is opened by one of two parallel calls with one code', async () => {
    const clerk = await signIn('employee');
    const before = await smsCount();
    await sendCode(clerk);
    const code = await waitForCodeTo(app, phone, before + 1);
    const all = await Promise.all([begin(clerk, code), begin(clerk, code), begin(clerk, code)]);
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  });

  it('limits repeated messages', async () => {
    const [clerk, other] = [await signIn('employee'), await signIn('employee2')];
    expect((await sendCode(clerk)).status).toBe(200);
    expect((await sendCode(clerk)).refused.error).toBe('TooManyRequests');
    expect((await sendCode(other)).refused.error).toBe('TooManyRequests');
  });
});

describe('the rights of an acting session', () => {
  it('include the listed calls only', async () => {
    const token = await actFor(await signIn('employee'));
    for (const call of allCalls) {
      if (call.who === 'anyone' || call.name === 'endActing') continue;
      const response = await app.server.inject({
        method: call.method,
        url: call.path.replace(/\{(\w+)\}/g, '1'),
        headers: { authorization: `Bearer ${token}` },
        ...(call.consumes === 'bytes' ? {} : call.method === 'GET' ? {} : { payload: {} }),
      });
      const { error } = response.headers['content-type']?.toString().includes('json')
        ? (response.json() as { error?: string })
        : {};
      if (acting.callsWhileActing.has(call.name))
        expect(error, call.name).not.toBe('NotWhileActing');
      else expect([response.statusCode, error], call.name).toEqual([403, 'NotWhileActing']);
    }
  });

  it('name existing calls', () => {
    expect(
      [...acting.callsWhileActing].filter((name) => !allCalls.some((call) => call.name === name)),
    ).toEqual([]);
  });

  it('are those of an anonymous caller in public calls', async () => {
    const token = await actFor(await signIn('employee'));
    const { status } = await app.server
      .inject({
        method: 'POST',
        url: '/api/User/SendVerificationCode',
        headers: { authorization: `Bearer ${token}` },
        payload: { channel: 'email', address: 'mine@example.com', purpose: 'contact' },
      })
      .then(({ statusCode }) => ({ status: statusCode }));
    expect(status).toBe(401);
  });

  it('exclude the events of staff', async () => {
    const token = await actFor(await signIn('employee'));
    for (const hub of ['presence', 'request']) {
      const { statusCode, body } = await app.server.inject({
        method: 'POST',
        url: `/hubs/${hub}/negotiate?negotiateVersion=1`,
        headers: { authorization: `Bearer ${token}` },
      });
      expect([statusCode, body.includes('connectionToken')]).toEqual([403, false]);
    }
  });

  it('exclude staff roles that the person receives later', async () => {
    const token = await actFor(await signIn('employee'));
    await app.database
      .updateTable('users')
      .set({ roles: ['Admin'], all_agencies: true })
      .where('username', '=', 'individual')
      .execute();
    expect(
      (await app.call(getRequestsByStatusId, { token, query: { Take: 100 } })).body.items.every(
        ({ applicantName }) => applicantName !== 'Bilal Demo Khan',
      ),
    ).toBe(true);
    await app.database
      .updateTable('users')
      .set({ roles: [] })
      .where('username', '=', 'individual')
      .execute();
  });

  const isOn = async (token: string) =>
    (await app.call(getRequestsByStatusId, { token })).status === 200;

  it('end by the employee, whose own session continues', async () => {
    const clerk = await signIn('employee');
    const token = await actFor(clerk);
    expect(await isOn(token)).toBe(true);
    expect((await app.call(acting.endActing, { token, body: {} })).body).toEqual({ ended: true });
    expect([await isOn(token), await isOn(clerk)]).toEqual([false, true]);
    expect((await app.call(refreshToken, { body: { token } })).refused.error).toBe('SessionEnded');
    expect(await events('actingEnded')).toContainEqual({
      username: 'individual',
      detail: { by: 'Mariam Al Demo', byAr: 'مريم العرض' },
    });
  });

  it('end with the employee’s session and role', async () => {
    const clerk = await signIn('employee');
    const token = await actFor(clerk);
    await app.database
      .updateTable('users')
      .set({ roles: [] })
      .where('username', '=', 'employee')
      .execute();
    expect(await isOn(token)).toBe(false);
    await app.database
      .updateTable('users')
      .set({ roles: ['Employee'] })
      .where('username', '=', 'employee')
      .execute();
    expect(await isOn(token)).toBe(true);
    await app.call(logout, { token: clerk });
    expect(await isOn(token)).toBe(false);
    expect((await app.call(refreshToken, { body: { token } })).refused.error).toBe('SessionEnded');
  });

  it('end when the account of the employee or of the person is suspended', async () => {
    const token = await actFor(await signIn('employee'));
    for (const username of ['employee', 'individual']) {
      const suspend = (suspended_at: Date | null) =>
        app.database
          .updateTable('users')
          .set({ suspended_at })
          .where('username', '=', username)
          .execute();
      await suspend(new Date());
      expect(await isOn(token)).toBe(false);
      if (username === 'individual')
        expect(
          (
            await app.call(acting.findPerson, {
              token: await signIn('employee'),
              body: { name: username },
            })
          ).refused.error,
        ).toBe('PersonNotFound');
      await suspend(null);
      expect(await isOn(token)).toBe(true);
    }
  });

  it('end after the maximum time, also for a refreshed token', async () => {
    const token = await actFor(await signIn('employee'));
    await app.database
      .updateTable('sessions')
      .set({ acts_until: new Date(Date.now() - 1000) })
      .where('id', '=', String(decodeJwt(token).sid))
      .execute();
    expect(await isOn(token)).toBe(false);
    expect((await app.call(refreshToken, { body: { token } })).refused.error).toBe('SessionEnded');
  });

  it('are visible to the person, who can end the session', async () => {
    const person = await signIn('individual');
    const token = await actFor(await signIn('employee'));
    const own = (await app.call(getSessions, { token: person })).body.find(
      ({ sessionId }) => sessionId === decodeJwt(token).sid,
    );
    expect(own).toMatchObject({ actorName: 'Mariam Al Demo', isCurrent: false });
    expect(
      (await app.call(endSessions, { token: person, body: { sessionId: own?.sessionId } })).body,
    ).toEqual({ ended: 1 });
    expect(await isOn(token)).toBe(false);
  });
});

describe('actions on behalf of a person', () => {
  it('are shown as “A for B”, and their author cannot process the request', async () => {
    const clerk = await signIn('employee');
    const token = await actFor(clerk);
    const sent = await send(token);
    expect(sent.status).toBe(200);
    const { requestId } = sent.body;
    await stage.pay(requestId);
    const read = async (by: string) =>
      (await app.call(getRequestById, { token: by, query: { RequestId: requestId } })).body;

    const forPerson = await read(await app.signIn('individual'));
    expect(forPerson.history[0]).toMatchObject({
      actorKind: 'employee',
      actorName: 'Mariam Al Demo',
      actedFor: { name: 'Sara Al Demo', isYou: true, by: 'counter' },
    });
    expect(forPerson.sentBy).toEqual({
      name: 'Mariam Al Demo',
      actedFor: { name: 'Sara Al Demo', isYou: true, by: 'counter' },
    });
    const forOther = await read(await app.signIn('employee2'));
    expect(forOther.history[0]).toMatchObject({
      actorKind: 'employee',
      actorName: 'Mariam Al Demo',
      actedFor: { isYou: false },
    });
    expect(forOther.allowedActions).toContain('receive');
    const forMaker = await read(clerk);
    expect([
      forMaker.history[0]?.actorKind,
      forMaker.allowedActions,
      forMaker.chargingActions,
      forMaker.isOwnCounterRequest,
      forOther.isOwnCounterRequest,
    ]).toEqual(['you', [], [], true, undefined]);
    const inList = (
      await app.callAs('employee2', getRequestsByStatusId, {
        query: { SearchKeyword: forPerson.requestNumber },
      })
    ).body.items[0];
    expect([inList?.sentBy?.name, inList?.isOwnCounterRequest, inList?.allowedActions]).toEqual([
      'Mariam Al Demo',
      undefined,
      ['receive'],
    ]);
    const makersList = (
      await app.call(getRequestsByStatusId, {
        token: clerk,
        query: { SearchKeyword: forPerson.requestNumber },
      })
    ).body.items[0];
    expect([makersList?.isOwnCounterRequest, makersList?.allowedActions]).toEqual([true, []]);

    expect(
      (await app.call(receiveRequest, { token: clerk, params: { requestId } })).refused.error,
    ).toBe('OwnCounterRequest');
    expect((await app.callAs('employee2', receiveRequest, { params: { requestId } })).status).toBe(
      200,
    );
    expect((await app.callAs('employee2', approveRequest, { body: { requestId } })).status).toBe(
      200,
    );
    // The person also sees accesses during an acting session.
    await app.call(getRequestById, { token, query: { RequestId: requestId } });
    expect(
      (await app.callAs('individual', getRequestReads, { query: { RequestId: requestId } })).body
        .length,
    ).toBeGreaterThan(0);
  });

  it('record an access when the correction is opened', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    await stage.performAction('employee', returnRequest, {
      requestId,
      requestHistoryRejectionReasonsList: [1],
      ...messageTexts,
    });
    const token = await actFor(await signIn('employee2'));
    const readers = async () =>
      (await app.callAs('admin', getRequestReads, { query: { RequestId: requestId } })).body.map(
        ({ name }) => name,
      );
    expect(await readers()).not.toContain('Khalid Al Demo');
    expect(
      (await app.call(getRequestByIdForUpdate, { token, query: { RequestId: requestId } })).status,
    ).toBe(200);
    expect(await readers()).toContain('Khalid Al Demo');
  });

  it('for a company user belong to the company', async () => {
    const { requestId } = await stage.send('company', paidService);
    const record = (await stage.read('employee', requestId)).body;
    expect(record.history[0]).toMatchObject({
      actorKind: 'applicant',
      actorName: 'Yousef Al Demo',
      actedFor: { name: 'Demo Palm Trading LLC', isYou: false, by: 'company' },
    });
    expect(record.sentBy?.name).toBe('Yousef Al Demo');
    expect((await stage.read('company', requestId)).body.history[0]).toMatchObject({
      actorKind: 'you',
      actedFor: { name: 'Demo Palm Trading LLC' },
    });
    expect(
      (await stage.read('individual', (await stage.send('individual', paidService)).requestId)).body
        .history[0]?.actedFor,
    ).toBeUndefined();
  });
});

it('can be processed by their author where the setting allows it', async () => {
  const open = await openTestApp({ FOUR_EYES: 'off', VERIFICATION_CODES_PER_DAY: '10000' });
  try {
    const other = openRequestStage(open);
    const { requestId } = await other.send('individual', paidService);
    const id = await open.idOf('employee');
    await other.pay(requestId);
    await open.database
      .insertInto('request_history')
      .values({
        request_id: requestId,
        action: 'update',
        from_status_id: 3,
        to_status_id: 3,
        actor_kind: 'applicant',
        actor_id: id,
        actor_name: 'Mariam',
        reasons: '[]',
        message: null,
        acted_for: JSON.stringify({
          by: 'counter',
          name: { 'ar-EG': 'أ', 'en-US': 'a', 'ur-PK': 'ا' },
        }),
      })
      .execute();
    expect((await open.callAs('employee', receiveRequest, { params: { requestId } })).status).toBe(
      200,
    );
  } finally {
    await open.close();
  }
});
