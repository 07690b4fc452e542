import { describe, expect, it } from 'vitest';
import { demoPassword } from '#seed/seed.ts';
import { waitForCodeTo, waitForMessageTo } from '#testing/sent-messages.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  changeContact,
  endSessions,
  getSessions,
  sendVerificationCode,
} from '@diwan/contract/people/accounts';
import { getProfile, login } from '@diwan/contract/people/users';
import { describeAgent } from '../sign-in/own-sessions.actions.ts';

const app = useTestApp({ VERIFICATION_CODES_PER_DAY: '10000' });

const newToken = async (username: string) =>
  (await app.call(login, { body: { username, password: demoPassword } })).body.token;

describe('another e-mail address or mobile number', () => {
  const ask = (token: string, channel: 'email' | 'sms', address: string) =>
    app.call(sendVerificationCode, { token, body: { channel, address, purpose: 'contact' } });
  const change = (
    token: string,
    channel: 'email' | 'sms',
    address: string,
    code: string,
    password: string | undefined = demoPassword,
  ) => app.call(changeContact, { token, body: { channel, address, code, password } });

  it('is set by its code once, and the old one is notified', async () => {
    const token = await newToken('individual');
    await ask(token, 'email', 'New.Home@Mail.Example');
    const code = await waitForCodeTo(app, 'new.home@mail.example');
    // A stolen token is not enough.
    for (const password of ['wrong', ''])
      expect(
        (await change(token, 'email', 'new.home@mail.example', code, password)).refused.error,
      ).toBe('IncorrectPassword');
    expect((await change(token, 'email', 'new.home@mail.example', code)).body).toEqual({
      changed: true,
    });
    expect((await app.call(getProfile, { token })).body.email).toBe('new.home@mail.example');
    expect((await waitForMessageTo(app, 'individual@example.com')).subject).toBe(
      'The contact details of your account have changed',
    );
    expect((await change(token, 'email', 'new.home@mail.example', code)).refused.error).toBe(
      'VerificationCodeWrong',
    );
    await ask(token, 'sms', '٠٥٠٧٧٧٧٧٧٧');
    expect(
      (await change(token, 'sms', '0507777777', await waitForCodeTo(app, '+971507777777'))).status,
    ).toBe(200);
    expect((await app.call(getProfile, { token })).body.phoneNumber).toBe('+971507777777');
  });

  it('requires a sign-in and a code of the same account', async () => {
    expect(
      (
        await app.call(sendVerificationCode, {
          body: { channel: 'email', address: 'a@mail.example', purpose: 'contact' },
        })
      ).refused.error,
    ).toBe('YouHaveToLoginFirst');
    const [mine, theirs] = [await newToken('individual2'), await newToken('company')];
    await ask(theirs, 'email', 'shared@mail.example');
    const code = await waitForCodeTo(app, 'shared@mail.example');
    expect((await change(mine, 'email', 'shared@mail.example', code)).refused.error).toBe(
      'VerificationCodeWrong',
    );
    expect((await change(mine, 'email', 'other@mail.example', code)).refused.error).toBe(
      'VerificationCodeWrong',
    );
    expect((await change(theirs, 'email', 'shared@mail.example', code)).status).toBe(200);
  });

  it('of another account is refused', async () => {
    const token = await newToken('company2');
    expect((await ask(token, 'email', 'admin@example.com')).body).toEqual({ sent: true });
    const message = await waitForMessageTo(app, 'admin@example.com');
    expect([message.subject, /\b\d{6}\b/.test(message.body)]).toEqual([
      'You already have a Diwan account',
      false,
    ]);
  });
});

describe('own sessions', () => {
  it('are listed with browser and system, and ended one by one or all', async () => {
    const agent =
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36';
    const answer = await app.server.inject({
      method: 'POST',
      url: login.path,
      headers: { 'user-agent': agent },
      payload: { username: 'employee', password: demoPassword },
    });
    const phone = (answer.json() as { token: string }).token;
    const desk = await newToken('employee');
    const { body } = await app.call(getSessions, { token: desk });
    expect(body).toHaveLength(2);
    const other = body.find(({ isCurrent }) => !isCurrent);
    expect(other).toMatchObject({ browser: 'Chrome', system: 'Android', isUAEPass: false });

    const stranger = await newToken('individual2');
    expect(
      (await app.call(endSessions, { token: stranger, body: { sessionId: other?.sessionId } }))
        .refused.error,
    ).toBe('NotFound');
    expect((await app.call(getProfile, { token: phone })).status).toBe(200);
    expect(
      (await app.call(endSessions, { token: desk, body: { sessionId: other?.sessionId } })).body,
    ).toEqual({ ended: 1 });
    expect((await app.call(getProfile, { token: phone })).status).toBe(401);
    expect(
      (await app.call(endSessions, { token: desk, body: { sessionId: other?.sessionId } })).refused
        .error,
    ).toBe('NotFound');
    await newToken('employee');
    expect((await app.call(endSessions, { token: desk, body: {} })).body).toEqual({ ended: 2 });
    expect((await app.call(getProfile, { token: desk })).status).toBe(401);
    expect((await app.call(getProfile, { token: stranger })).status).toBe(200);
  });

  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140 Safari/537.36 Edg/140',
      { browser: 'Edge', system: 'Windows' },
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Mobile Safari/604',
      { browser: 'Safari', system: 'iPhone' },
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      { browser: 'Firefox', system: 'Linux' },
    ],
    [
      'Mozilla/5.0 (Linux; Android 13; SM-G991B) Chrome/115 SamsungBrowser/23 Mobile Safari/537',
      { browser: 'Samsung Internet', system: 'Android' },
    ],
    ['curl/8', {}],
    ['', {}],
  ])('names the browser and system of %j', (agent, names) =>
    expect(describeAgent(agent)).toEqual(names),
  );
});
