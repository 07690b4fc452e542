import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allCalls } from '@diwan/contract/all-calls';
import type { Call } from '@diwan/contract/call';
import { login } from '@diwan/contract/users';
import { demoPassword } from './seed.ts';
import { openTestHouse, type TestHouse } from './testing/test-house.ts';

/** Who signs in with which role; every call is made as each of them. */
const people = { anonymous: undefined, individual: 'Client', company: 'CompanyUser', employee: 'Employee', supervisor: 'ServiceProvider', admin: 'Admin' } as const;
type Person = keyof typeof people;

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse();
});
afterAll(() => house.close());

async function refusalOf(call: Call, person: Person): Promise<{ status: number; error: string | undefined }> {
  // Logging out ends the session that makes the call, so it gets one of its own.
  const own = async () => (await house.call(login, { body: { username: person, password: demoPassword } })).body.token;
  const token = person === 'anonymous' ? {} : { token: call.name === 'logout' ? await own() : await house.signIn(person) };
  const id = call.path.includes('{attachmentId}') ? '00000000-0000-4000-8000-000000000000' : '999999';
  const answer = await house.call(call as never, { params: { requestId: id, serviceId: id, attachmentId: id }, ...(call.method === 'GET' ? {} : { body: {} }), ...token } as never);
  return { status: answer.status, error: answer.refused?.error };
}

describe.each(allCalls.map((call) => [call.name, call] as const))('%s', (_, call) => {
  it.each(Object.keys(people) as Person[])('as %s', async (person) => {
    const role = people[person];
    const { status, error } = await refusalOf(call, person);
    if (call.who === 'anyone') return expect([401, 403]).not.toContain(error === 'SessionEnded' ? 200 : status);
    if (!role) return expect({ status, error }).toEqual({ status: 401, error: 'YouHaveToLoginFirst' });
    if (!call.who.includes(role)) return expect({ status, error }).toEqual({ status: 403, error: 'YouAreUnauthorized' });
    // Allowed: whatever else is wrong with this empty call, it is not who makes it.
    return expect([401, 403, 500]).not.toContain(status);
  });
});

it('names a call once', () => {
  expect(new Set(allCalls.map((call) => call.name)).size).toBe(allCalls.length);
  expect(new Set(allCalls.map((call) => `${call.method} ${call.path}`)).size).toBe(allCalls.length);
});

it('refuses a token that is forged, unsigned, or signed for something else', async () => {
  const call = allCalls.find((candidate) => candidate.name === 'getRequestsCount') as Call;
  const token = await house.signIn('employee');
  const [header, payload, signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as Record<string, unknown>;
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = [
    `${header}.${encode({ ...claims, role: 'Admin' })}.${signature}`,
    `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
    `${header}.${payload}.${'A'.repeat(86)}`,
    'not a token', 'a.b.c', '',
  ];
  for (const each of forged) expect((await house.call(call as never, { token: each } as never)).status).toBe(401);
  expect((await house.call(call as never, { token } as never)).status).toBe(200);
});
