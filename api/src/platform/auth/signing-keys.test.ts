import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getProfile, login } from '@diwan/contract/people/users';
import { demoPassword } from '../../seed/seed.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { openSessions } from './session.ts';
import { openSigningKeys } from './signing-keys.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

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

test('five processes that start at once on an empty database share one key', async () => {
  const empty = await openTestApp();
  await empty.database.deleteFrom('signing_keys').execute();
  const all = await Promise.all(
    Array.from({ length: 5 }, () => openSigningKeys(empty.database, 90, 3600)),
  );
  expect(new Set(all.map((keys) => keys.current().id)).size).toBe(1);
  await empty.close();
});

test('a key is replaced by one process for all, is announced before it signs, and ends when nothing rests on it', async () => {
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
  expect(keyOf(await sessions.begin(userId))).toBe(firstKey);

  // Its time has come. The house has not looked since and meets it in a token.
  await age(secondKey, '1 second');
  await other.keys.renew();
  const second = await other.begin(userId);
  expect(keyOf(second)).toBe(secondKey);
  expect(await sessions.findCaller(second)).toMatchObject({ userId });
  expect(await sessions.findCaller(first)).toMatchObject({ userId });
  expect((await app.call(getProfile, { token: second })).status).toBe(200);

  const { keys } = await readPublished();
  expect(keys.map(({ kid }) => kid).sort()).toEqual([firstKey, secondKey].sort());
  for (const key of keys)
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  expect((await jwtVerify(second, createLocalJWKSet({ keys } as never))).payload.sub).toBe(userId);

  // Whoever has a copy of the old key makes a token with it, now.
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

test('tokens by keys that nobody has do not make the database busy', async () => {
  const keys = await openSigningKeys(app.database, 90, 3600);
  let reads = 0;
  const executed = app.database.selectFrom.bind(app.database);
  app.database.selectFrom = ((...table: Parameters<typeof executed>) => {
    reads += 1;
    return executed(...table);
  }) as never;
  for (let round = 0; round < 100; round++)
    expect(await keys.find(`nobody's ${round}`)).toBeUndefined();
  app.database.selectFrom = executed as never;
  expect(reads).toBeLessThan(3);
});
