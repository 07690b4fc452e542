import { randomUUID } from 'node:crypto';
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import { getProfile, login, logout, refreshToken } from '@diwan/contract/people/users';
import { getLiveness } from '@diwan/contract/wire/health';
import { demoPassword } from '../seed/seed.ts';
import { useTestApp } from '../testing/test-app.ts';
import { insertSpareUser } from '../testing/well-formed/accounts.ts';

const app = useTestApp();
let token: string;
let header: JWTHeaderParameters;
let claims: JWTPayload;
beforeAll(async () => {
  token = await app.signIn('employee');
  header = { ...decodeProtectedHeader(token), alg: 'ES256' };
  claims = decodeJwt(token);
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const attacker = generateKeyPair('ES256', { extractable: true });
const byAttacker = async (own: object = {}, more: JWTPayload = {}) =>
  new SignJWT({ ...claims, ...more })
    .setProtectedHeader({ ...header, ...own })
    .sign((await attacker).privateKey);

/** Signed with the product's own key. */
async function byProduct(more: JWTPayload, own: object = {}): Promise<string> {
  const { private_jwk } = await app.database
    .selectFrom('signing_keys')
    .selectAll()
    .where('id', '=', String(header.kid))
    .executeTakeFirstOrThrow();
  return new SignJWT({ ...claims, ...more })
    .setProtectedHeader({ ...header, ...own })
    .sign(await importJWK(private_jwk, 'ES256'));
}

/** All forged tokens, each made when it is tried. */
const forged: Record<string, () => string | Promise<string>> = {
  'with another role and the signature as it was': () =>
    `${token.split('.')[0]}.${encode({ ...claims, role: 'Admin' })}.${token.split('.')[2]}`,
  'of somebody else': () =>
    `${token.split('.')[0]}.${encode({ ...claims, sub: randomUUID() })}.${token.split('.')[2]}`,
  'with the last letter changed': () =>
    `${token.slice(0, -3)}${token.at(-3) === 'A' ? 'B' : 'A'}${token.slice(-2)}`,
  'without a signature': () => `${token.split('.').slice(0, 2).join('.')}.`,
  'of two parts': () => token.split('.').slice(0, 2).join('.'),
  'that says none': () => `${encode({ ...header, alg: 'none' })}.${token.split('.')[1]}.`,
  'that says None': () =>
    `${encode({ ...header, alg: 'None' })}.${token.split('.')[1]}.${token.split('.')[2]}`,
  'with a signature of noughts': () =>
    `${token.split('.').slice(0, 2).join('.')}.${'A'.repeat(86)}`,
  'by another key under the name of ours': () => byAttacker(),
  'by another key that it brings along': async () =>
    byAttacker({ jwk: await exportJWK((await attacker).publicKey) }),
  'by another key that is to be fetched (jku)': () =>
    byAttacker({ jku: `${app.sandboxUrl}/jwks.json` }),
  'by another key that is to be fetched (x5u)': () =>
    byAttacker({ x5u: `${app.sandboxUrl}/key.pem` }),
  'by another key without a name': () => byAttacker({ kid: undefined }),
  'by a key named as a file': () => byAttacker({ kid: '../../../../../dev/null' }),
  'by a key named as a statement': () => byAttacker({ kid: "' or '1'='1" }),
  'by a key named as a list': () => byAttacker({ kid: [String(header.kid)] as never }),
  'by a key named __proto__': () => byAttacker({ kid: '__proto__' }),
  'with our public key as a shared secret': async () => {
    const { keys } = (await app.server.inject({ url: '/.well-known/jwks.json' })).json() as {
      keys: object[];
    };
    return new SignJWT(claims)
      .setProtectedHeader({ ...header, alg: 'HS256' })
      .sign(Buffer.from(JSON.stringify(keys[0])));
  },
  'of another audience': () => byProduct({ aud: 'https://other.example' }),
  'of another issuer': () => byProduct({ iss: 'https://other.example' }),
  'for another use': () => byProduct({}, { typ: 'JWT' }),
  'whose end is in milliseconds': () => byProduct({ exp: Number(claims.exp) * 1000 }),
  'without an end': () => byProduct({ exp: undefined }),
  'that is over': () =>
    byProduct({ iat: Number(claims.iat) - 4000, exp: Number(claims.exp) - 4000 }),
  'that begins later': () => byProduct({ nbf: Number(claims.iat) + 3600 }),
  'of a session that is none': () => byProduct({ sid: randomUUID() }),
  'with a role that is none': () => byProduct({ role: ['Root'] }),
  'that is a word': () => 'null',
};

describe('a token that was altered', () => {
  it.each(Object.entries(forged))('%s opens nothing', async (_, make) => {
    const { status, refused } = await app.call(getProfile, { token: await make() });
    expect([status, refused.error]).toEqual([401, 'YouHaveToLoginFirst']);
  });

  it('is not exchanged and ends no session; only an expired one is exchanged', async () => {
    for (const [name, make] of Object.entries(forged)) {
      if (name === 'that is over') continue;
      const { status } = await app.call(refreshToken, { body: { token: await make() } });
      expect([400, 401], name).toContain(status);
      await app.call(logout, { token: await make() });
    }
    expect((await app.call(getProfile, { token })).status).toBe(200);
  });

  it('counts as no token for calls for anyone', async () => {
    for (const make of Object.values(forged))
      expect((await app.call(getAllServiceCategory, { token: await make() })).status).toBe(200);
    expect((await app.call(getLiveness, { token: 'x'.repeat(20_000) })).status).toBe(200);
  });

  it('is read from the header only', async () => {
    const tries = [
      { url: `${getProfile.path}?token=${token}&access_token=${token}` },
      { url: getProfile.path, headers: { cookie: `token=${token}` } },
      { url: getProfile.path, headers: { authorization: `Basic ${token}` } },
      { url: getProfile.path, headers: { authorization: token } },
      { url: getProfile.path, headers: { 'x-authorization': `Bearer ${token}` } },
    ];
    for (const each of tries)
      expect((await app.server.inject({ method: 'GET', ...each })).statusCode).toBe(401);
  });
});

it('clocks may differ by a minute at most', async () => {
  const life = Number(claims.exp) - Number(claims.iat);
  const statusAt = async (iat: number) =>
    (await app.call(getProfile, { token: await byProduct({ iat, exp: iat + life }) })).status;
  const now = Math.floor(Date.now() / 1000);
  expect([
    await statusAt(now - life - 40),
    await statusAt(now + 40),
    await statusAt(now - life - 80),
    await statusAt(now + 120),
  ]).toEqual([200, 200, 401, 401]);
});

it('duplicate roles, or roles that were removed, grant no more than the account has', async () => {
  const doubled = await byProduct({ role: ['Admin', 'Admin', 'Employee', 'Employee'] });
  expect((await app.call(getProfile, { token: doubled })).body.roles).toEqual(['Employee']);
});

describe('an account that does not exist any more', () => {
  const begin = async (username: string) =>
    (await app.call(login, { body: { username, password: demoPassword } })).body.token;

  it('when it is suspended: its tokens are refused and not exchanged', async () => {
    await insertSpareUser(app, 'soon-suspended');
    const own = await begin('soon-suspended');
    expect((await app.call(getProfile, { token: own })).status).toBe(200);
    await app.database
      .updateTable('users')
      .set({ suspended_at: new Date() })
      .where('username', '=', 'soon-suspended')
      .execute();
    expect((await app.call(getProfile, { token: own })).status).toBe(401);
    expect((await app.call(refreshToken, { body: { token: own } })).status).toBe(401);
  });

  it('when it is deleted: the same', async () => {
    const id = await insertSpareUser(app, 'soon-deleted');
    const own = await begin('soon-deleted');
    expect((await app.call(getProfile, { token: own })).status).toBe(200);
    // The audit log references every user who ever signed in and is never changed, so accounts are
    // never deleted in production.
    await sql`alter table audit_events drop constraint audit_events_user_id_fkey`.execute(
      app.database,
    );
    await app.database.deleteFrom('sessions').where('user_id', '=', id).execute();
    await app.database.deleteFrom('users').where('id', '=', id).execute();
    expect((await app.call(getProfile, { token: own })).status).toBe(401);
    expect((await app.call(refreshToken, { body: { token: own } })).refused.error).toBe(
      'SessionEnded',
    );
  });
});
