import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { demoPassword } from '#seed/seed.ts';
import { waitForCodeTo, waitForMessageTo } from '#testing/sent-messages.ts';
import { useTestApp } from '#testing/test-app.ts';
import {
  declineUAEPassLink,
  forgotPassword,
  linkUAEPass,
  resetPassword,
} from '@diwan/contract/people/accounts';
import { beginUAEPass, getProfile, uaePassIntegration } from '@diwan/contract/people/users';

const app = useTestApp();

const imran = '784-1900-0000101-7';
const hessa = '784-1900-0000102-5';

/** Returns from UAE PASS as the browser does. Returns the cookie and the reply. */
async function arrive(persona: string) {
  const out = await app.server.inject({ method: 'GET', url: beginUAEPass.path });
  const cookie = String(out.headers['set-cookie']).split(';')[0] ?? '';
  const at = new URL(String(out.headers.location));
  const decided = await fetch(`${app.sandboxUrl}${at.pathname}${at.search}`, {
    method: 'POST',
    body: new URLSearchParams({ decision: 'approve', persona }),
    redirect: 'manual',
  });
  const back = new URL(decided.headers.get('location') ?? '');
  const response = await app.server.inject({
    method: 'GET',
    url: uaePassIntegration.path,
    query: Object.fromEntries(back.searchParams),
    headers: { cookie },
  });
  return {
    cookie,
    ...(response.json() as { token?: string; error?: string }),
    setCookie: response.headers['set-cookie'],
  };
}

async function post(
  call: typeof linkUAEPass | typeof declineUAEPassLink,
  cookie: string | undefined,
  payload: object = {},
) {
  const response = await app.server.inject({
    method: 'POST',
    url: call.path,
    headers: cookie ? { cookie } : {},
    payload,
  });
  return response.json() as { token?: string; error?: string };
}

const link = (cookie: string | undefined, username: string, password = demoPassword) =>
  post(linkUAEPass, cookie, { username, password });
const userOf = (username: string) =>
  app.database
    .selectFrom('users')
    .selectAll()
    .where('username', '=', username)
    .executeTakeFirstOrThrow();

/** Sets the typed Emirates ID of an account. */
async function typed(username: string, emiratesId: string): Promise<void> {
  await app.database
    .updateTable('users')
    .set({ typed_emirates_id: emiratesId, emirates_id: null })
    .where('username', '=', username)
    .execute();
}

/** Removes the identity of an account. */
const forget = (username: string, typedId: { typed_emirates_id?: string }) =>
  app.database
    .updateTable('users')
    .set({ uaepass_id: null, emirates_id: null, typed_emirates_id: null, ...typedId })
    .where('username', '=', username)
    .execute();

describe('an Emirates ID that was only typed', () => {
  it('requires the password before UAE PASS opens the account, and then links both', async () => {
    await typed('individual2', imran);
    const { cookie, error, token, setCookie } = await arrive('imran');
    expect([error, token]).toEqual(['LinkConfirmationRequired', undefined]);
    expect(String(setCookie)).toContain('Max-Age=600');
    expect((await userOf('individual2')).uaepass_id).toBeNull();

    expect((await link(undefined, 'individual2')).error).toBe('IdentityNotConfirmed');
    expect((await link(`diwan-identity=${'x'.repeat(43)}`, 'individual2')).error).toBe(
      'IdentityNotConfirmed',
    );
    expect((await link(cookie, 'individual2', 'wrong')).error).toBe('WrongUsernameOrPassword');
    // An account with another verified identity cannot be linked, and its new session has ended.
    expect((await link(cookie, 'individual')).error).toBe('LinkNotPossible');
    expect(
      await app.database
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select('sessions.id')
        .where('username', '=', 'individual')
        .where('ended_at', 'is', null)
        .execute(),
    ).toEqual([]);

    const linked = await link(cookie, 'individual2');
    const profile = await app.call(getProfile, { token: String(linked.token) });
    expect(profile.body.username).toBe('individual2');
    expect(await userOf('individual2')).toMatchObject({
      emirates_id: imran,
      typed_emirates_id: null,
    });
    // The pending identity is consumed, and UAE PASS alone now signs in.
    expect((await link(cookie, 'individual2')).error).toBe('IdentityNotConfirmed');
    const again = await arrive('imran');
    expect(decodeJwt(String(again.token)).sub).toBe((await userOf('individual2')).id);
  });

  it('of an attacker never receives the identity; the real owner gets a separate account', async () => {
    await typed('company', hessa);
    const first = await arrive('hessa');
    expect(first.error).toBe('LinkConfirmationRequired');
    const [one, two] = await Promise.all([
      post(declineUAEPassLink, first.cookie),
      post(declineUAEPassLink, first.cookie),
    ]);
    expect([one.error, two.error].filter(Boolean)).toEqual(['IdentityNotConfirmed']);
    const token = String(one.token ?? two.token);
    const owner = await app.database
      .selectFrom('users')
      .selectAll()
      .where('id', '=', String(decodeJwt(token).sub))
      .executeTakeFirstOrThrow();
    expect(owner).toMatchObject({ emirates_id: hessa, password_hash: null });
    expect(decodeJwt(token).isUAEPass).toBe(true);
    expect(await userOf('company')).toMatchObject({ emirates_id: null, uaepass_id: null });
    expect((await arrive('hessa')).token).toBeDefined();
  });

  it('is not linked when the identity got an account in another browser meanwhile', async () => {
    await forget('individual2', { typed_emirates_id: imran });
    const [first, second] = [await arrive('imran'), await arrive('imran')];
    expect((await post(declineUAEPassLink, first.cookie)).token).toBeDefined();
    expect((await link(second.cookie, 'individual2')).error).toBe('IdentityNotConfirmed');
    expect(await userOf('individual2')).toMatchObject({ uaepass_id: null, emirates_id: null });
    await app.database
      .updateTable('users')
      .set({ uaepass_id: null, emirates_id: null })
      .where('emirates_id', '=', imran)
      .execute();
  });

  it('is not linked to an account that may not be used', async () => {
    await forget('supervisor2', { typed_emirates_id: imran });
    await forget('individual2', {});
    const partners = app.database.updateTable('partners');
    await partners.set({ state: 'suspended' }).execute();
    const { cookie } = await arrive('imran');
    expect((await link(cookie, 'supervisor2')).error).toBe('LinkNotPossible');
    expect((await userOf('supervisor2')).uaepass_id).toBeNull();
    await partners.set({ state: 'active' }).execute();
    expect((await link(cookie, 'supervisor2')).token).toBeDefined();
    await forget('supervisor2', {});
  });

  it('can be linked for ten minutes, and the stored row contains no credential', async () => {
    await forget('individual2', { typed_emirates_id: imran });
    const { cookie } = await arrive('imran');
    const rows = JSON.stringify(
      await app.database.selectFrom('identity_links').selectAll().execute(),
    );
    expect(rows).not.toContain(cookie.split('=')[1]);
    await app.database
      .updateTable('identity_links')
      .set({ created_at: new Date(Date.now() - 601_000) })
      .execute();
    expect((await link(cookie, 'individual2')).error).toBe('IdentityNotConfirmed');
    expect((await post(declineUAEPassLink, cookie)).error).toBe('IdentityNotConfirmed');
  });
});

describe('an attacker who links an identity with a stolen password', () => {
  const reset = async (username: string, code: string) =>
    app.call(resetPassword, {
      body: {
        account: username,
        code,
        newPassword: 'Quiet-Lanterns-7042!',
        confirmNewPassword: 'Quiet-Lanterns-7042!',
      },
    });

  it('is reported to the owner and is unlinked by a password reset, unlike other links', async () => {
    await app.database.deleteFrom('sandbox.messages').execute();
    await typed('company2', imran);
    const { email } = await userOf('individual2');
    await app.database
      .updateTable('users')
      .set({ uaepass_id: null, emirates_id: null, typed_emirates_id: null, language: 'ur-PK' })
      .where('username', '=', 'individual2')
      .execute();
    const { cookie } = await arrive('imran');
    await link(cookie, 'individual2');
    const message = await waitForMessageTo(app, email);
    expect(message).toMatchObject({
      language: 'ur-PK',
      subject: 'UAE PASS آپ کے دیوان اکاؤنٹ سے منسلک ہو گیا',
    });
    expect(message.body).toContain('individual2');
    expect(message.body).toContain('/account/login');
    const thief = await arrive('imran');
    expect((await app.call(getProfile, { token: String(thief.token) })).body.username).toBe(
      'individual2',
    );

    await app.call(forgotPassword, { body: { account: 'individual2' } });
    expect((await reset('individual2', await waitForCodeTo(app, email, 2))).status).toBe(200);
    expect(await userOf('individual2')).toMatchObject({
      uaepass_id: null,
      emirates_id: null,
      nationality: null,
      full_name_ar: null,
      linked_by_password: false,
      typed_emirates_id: imran,
    });
    expect((await app.call(getProfile, { token: String(thief.token) })).status).toBe(401);
    expect((await arrive('imran')).error).toBe('LinkConfirmationRequired');
    expect(
      (
        await app.database
          .selectFrom('audit_events')
          .select('detail')
          .where('kind', '=', 'accountUnlinked')
          .execute()
      ).length,
    ).toBe(1);
    await waitForMessageTo(app, email, 3);
  });

  it('does not affect a link by a verified Emirates ID', async () => {
    const { email, emirates_id } = await userOf('individual');
    await app.database
      .updateTable('users')
      .set({ uaepass_id: 'of-its-own-number' })
      .where('username', '=', 'individual')
      .execute();
    await app.call(forgotPassword, { body: { account: 'individual' } });
    expect((await reset('individual', await waitForCodeTo(app, email))).status).toBe(200);
    expect(emirates_id).not.toBeNull();
    expect(await userOf('individual')).toMatchObject({
      uaepass_id: 'of-its-own-number',
      emirates_id,
    });
  });
});
