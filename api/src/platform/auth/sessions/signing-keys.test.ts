import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { expect, test, vi } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { demoPassword } from '#seed/seed.ts';
import { openTestApp, useTestApp } from '#testing/test-app.ts';
import { getProfile, login } from '@diwan/contract/people/users';
import { openSessions } from './sessions.ts';
import { openSigningKeys, replaceSigningKey } from './signing-keys.ts';

const app = useTestApp();

const openProcess = () => openSessions(app.database, app.config, 'http://localhost:3000');
const newToken = async () =>
  (await app.call(login, { body: { username: 'individual', password: demoPassword } })).body.token;
const keyOf = (token: string) => decodeProtectedHeader(token).kid;
const ids = async () =>
  (
    await app.database.selectFrom('signing_keys').select('id').orderBy('activates_at').execute()
  ).map(({ id }) => id);
const age = (id: string, time: string) =>
  sql`update signing_keys set activates_at = now() - ${time}::interval where id = ${id}`.execute(
    app.database,
  );
const readPublished = async () =>
  (await app.server.inject({ url: '/.well-known/jwks.json' })).json() as {
    keys: Record<string, string>[];
  };

test('five processes that start at the same time on an empty database share one key', async () => {
  const empty = await openTestApp();
  await empty.database.deleteFrom('signing_keys').execute();
  const all = await Promise.all(
    Array.from({ length: 5 }, () => openSigningKeys(empty.database, 90, 3600)),
  );
  expect(new Set(all.map((keys) => keys.current().id)).size).toBe(1);
  await empty.close();
});

test('a new key is published before it signs, and an old key is deleted when its tokens have expired', async () => {
  const sessions = await openProcess();
  const other = await openProcess();
  const first = await newToken();
  const [firstKey = ''] = await ids();
  await sessions.keys.renew();
  expect(await ids()).toEqual([firstKey]);

  await age(firstKey, '91 days');
  await Promise.all([sessions, other, sessions, other].map((each) => each.keys.renew()));
  const [, secondKey = '', ...more] = await ids();
  expect([secondKey.length, more]).toEqual([36, []]);
  const userId = String(decodeJwt(first).sub);
  expect(keyOf(await sessions.create(userId))).toBe(firstKey);

  // The new key is active. The application has not read it yet and finds it through a token.
  await age(secondKey, '1 second');
  await other.keys.renew();
  const second = await other.create(userId);
  expect(keyOf(second)).toBe(secondKey);
  expect(await sessions.findCaller(second)).toMatchObject({ userId });
  expect(await sessions.findCaller(first)).toMatchObject({ userId });
  // It reads the keys at most once a second.
  await expect.poll(async () => (await app.call(getProfile, { token: second })).status).toBe(200);

  const { keys } = await readPublished();
  expect(keys.map(({ kid }) => kid).sort()).toEqual([firstKey, secondKey].sort());
  for (const key of keys)
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  expect((await jwtVerify(second, createLocalJWKSet({ keys } as never))).payload.sub).toBe(userId);

  // A stolen copy of the old key signs a token now.
  await age(secondKey, '5 minutes');
  await other.keys.renew();
  const { private_jwk } = await app.database
    .selectFrom('signing_keys')
    .selectAll()
    .where('id', '=', firstKey)
    .executeTakeFirstOrThrow();
  const stolen = await new SignJWT(decodeJwt(second))
    .setProtectedHeader({ ...decodeProtectedHeader(first), alg: 'ES256' })
    .sign(await importJWK(private_jwk, 'ES256'));
  expect(await other.findCaller(stolen)).toBeUndefined();

  // A session lives twelve hours, so its first token may come to be exchanged as late as that.
  await age(secondKey, '11 hours 59 minutes');
  await other.keys.renew();
  expect(await ids()).toHaveLength(2);
  await age(secondKey, '12 hours 2 minutes');
  await other.keys.renew();
  expect(await ids()).toEqual([secondKey]);
  expect(await other.findCaller(first)).toBeUndefined();
  expect(await other.findCaller(second)).toMatchObject({ userId });
});

test('a token that was verified before is refused after its end, and when its session has ended', async () => {
  const sessions = await openProcess();
  const token = await newToken();
  const { exp = 0 } = decodeJwt(token);
  expect(await sessions.readClaims(token)).toMatchObject({ exp });
  const clock = vi.spyOn(Date, 'now');
  try {
    clock.mockReturnValue((exp + 59) * 1000);
    expect(await sessions.readClaims(token)).toMatchObject({ exp });
    clock.mockReturnValue((exp + 60) * 1000);
    expect(await sessions.readClaims(token)).toBeUndefined();
  } finally {
    clock.mockRestore();
  }
  expect(await sessions.findCaller(token)).toBeDefined();
  await sessions.end(token);
  expect(await sessions.findCaller(token)).toBeUndefined();
  const [header, payload = '', signature] = token.split('.');
  const other = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), exp: exp + 1 }),
  ).toString('base64url');
  expect(await sessions.readClaims([header, other, signature].join('.'))).toBeUndefined();
});

test('tokens with unknown keys cause few database reads', async () => {
  const keys = await openSigningKeys(app.database, 90, 3600);
  let reads = 0;
  const executed = app.database.selectFrom.bind(app.database);
  app.database.selectFrom = ((...table: Parameters<typeof executed>) => {
    reads += 1;
    return executed(...table);
  }) as never;
  for (let round = 0; round < 100; round++)
    expect(await keys.find(`unknown ${round}`)).toBeUndefined();
  app.database.selectFrom = executed as never;
  expect(reads).toBeLessThan(3);
});

test('a key that an operator replaces signs after its notice, and one that leaked ends immediately', async () => {
  const own = await openTestApp();
  const sessions = await openSessions(own.database, own.config, 'http://localhost:3000');
  const userId = await own.idOf('individual');
  const replace = (isImmediate: boolean, endsOld: boolean) =>
    inTransaction(own.database, (transaction) =>
      replaceSigningKey(transaction, { isImmediate, endsOld }),
    );
  const first = await sessions.create(userId);
  expect([await replace(false, false), await replace(false, false)]).toEqual([true, false]);
  await sessions.keys.renew();
  expect(keyOf(await sessions.create(userId))).toBe(keyOf(first));
  await sql`update signing_keys set activates_at = now() where activates_at > now()`.execute(
    own.database,
  );
  await sessions.keys.renew();
  const second = await sessions.create(userId);
  expect(keyOf(second)).not.toBe(keyOf(first));
  expect(await sessions.findCaller(first)).toMatchObject({ userId });
  await replace(true, true);
  await sessions.keys.renew();
  const third = await sessions.create(userId);
  expect(await sessions.findCaller(first)).toBeUndefined();
  expect(await sessions.findCaller(second)).toBeUndefined();
  expect(await sessions.findCaller(third)).toMatchObject({ userId });
  await own.close();
});
