import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declineUAEPassLink, linkUAEPass } from '@diwan/contract/accounts';
import { beginUAEPass, getProfile, uaePassIntegration } from '@diwan/contract/users';
import { demoPassword } from '../../seed.ts';
import { openTestHouse, type TestHouse } from '../../testing/test-house.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse();
});
afterAll(() => house.close());

const imran = '784-1900-0000101-7';
const hessa = '784-1900-0000102-5';

/** As the browser comes back from UAE PASS. The reply is its cookie and what the server says. */
async function arrive(persona: string) {
  const out = await house.server.inject({ method: 'GET', url: beginUAEPass.path });
  const cookie = String(out.headers['set-cookie']).split(';')[0] ?? '';
  const at = new URL(String(out.headers.location));
  const decided = await fetch(`${house.sandboxUrl}${at.pathname}${at.search}`, { method: 'POST', body: new URLSearchParams({ decision: 'approve', persona }), redirect: 'manual' });
  const back = new URL(decided.headers.get('location') ?? '');
  const response = await house.server.inject({ method: 'GET', url: uaePassIntegration.path, query: Object.fromEntries(back.searchParams), headers: { cookie } });
  return { cookie, ...(response.json() as { token?: string; error?: string }), setCookie: response.headers['set-cookie'] };
}

async function post(call: typeof linkUAEPass | typeof declineUAEPassLink, cookie: string | undefined, payload: object = {}) {
  const response = await house.server.inject({ method: 'POST', url: call.path, headers: cookie ? { cookie } : {}, payload });
  return response.json() as { token?: string; error?: string };
}

const link = (cookie: string | undefined, username: string, password = demoPassword) => post(linkUAEPass, cookie, { username, password });
const userOf = (username: string) => house.database.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirstOrThrow();

/** An account whose owner typed an Emirates ID, right or not. */
async function typed(username: string, emiratesId: string): Promise<void> {
  await house.database.updateTable('users').set({ typed_emirates_id: emiratesId, emirates_id: null }).where('username', '=', username).execute();
}

describe('an Emirates ID that was only typed', () => {
  it('asks for the password before UAE PASS opens the account; then they are one', async () => {
    await typed('individual2', imran);
    const { cookie, error, token, setCookie } = await arrive('imran');
    expect([error, token]).toEqual(['LinkConfirmationRequired', undefined]);
    expect(String(setCookie)).toContain('Max-Age=600');
    expect((await userOf('individual2')).uaepass_id).toBeNull();

    expect((await link(undefined, 'individual2')).error).toBe('IdentityNotConfirmed');
    expect((await link(`diwan-identity=${'x'.repeat(43)}`, 'individual2')).error).toBe('IdentityNotConfirmed');
    expect((await link(cookie, 'individual2', 'wrong')).error).toBe('WrongUsernameOrPassword');
    // An account that is known to be another person's, or is linked to one, stays theirs; the session begun for it has ended.
    expect((await link(cookie, 'individual')).error).toBe('LinkNotPossible');
    expect(await house.database.selectFrom('sessions').innerJoin('users', 'users.id', 'sessions.user_id').select('sessions.id').where('username', '=', 'individual').where('ended_at', 'is', null).execute()).toEqual([]);

    const linked = await link(cookie, 'individual2');
    const profile = await house.call(getProfile, { token: String(linked.token) });
    expect(profile.body.username).toBe('individual2');
    expect(await userOf('individual2')).toMatchObject({ emirates_id: imran, typed_emirates_id: null });
    // The ticket is used up, and from now on UAE PASS alone is enough.
    expect((await link(cookie, 'individual2')).error).toBe('IdentityNotConfirmed');
    const again = await arrive('imran');
    expect(decodeJwt(String(again.token)).sub).toBe((await userOf('individual2')).id);
  });

  it('of somebody who lies in wait never receives the identity; its real owner goes on without them', async () => {
    await typed('company', hessa);
    const first = await arrive('hessa');
    expect(first.error).toBe('LinkConfirmationRequired');
    const [one, two] = await Promise.all([post(declineUAEPassLink, first.cookie), post(declineUAEPassLink, first.cookie)]);
    expect([one.error, two.error].filter(Boolean)).toEqual(['IdentityNotConfirmed']);
    const token = String(one.token ?? two.token);
    const owner = await house.database.selectFrom('users').selectAll().where('id', '=', String(decodeJwt(token).sub)).executeTakeFirstOrThrow();
    expect(owner).toMatchObject({ emirates_id: hessa, password_hash: null });
    expect(decodeJwt(token).isUAEPass).toBe(true);
    expect(await userOf('company')).toMatchObject({ emirates_id: null, uaepass_id: null });
    expect((await arrive('hessa')).token).toBeDefined();
  });

  it('waits ten minutes and is kept without anything that signs in', async () => {
    await house.database.updateTable('users').set({ uaepass_id: null, emirates_id: null, typed_emirates_id: imran }).where('username', '=', 'individual2').execute();
    const { cookie } = await arrive('imran');
    const rows = JSON.stringify(await house.database.selectFrom('identity_links').selectAll().execute());
    expect(rows).not.toContain(cookie.split('=')[1]);
    await house.database.updateTable('identity_links').set({ created_at: new Date(Date.now() - 601_000) }).execute();
    expect((await link(cookie, 'individual2')).error).toBe('IdentityNotConfirmed');
    expect((await post(declineUAEPassLink, cookie)).error).toBe('IdentityNotConfirmed');
  });
});
