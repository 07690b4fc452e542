import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTokenEncryptor } from '#platform/auth/encrypted-token.ts';
import {
  openRequestStage,
  paidService,
  type RequestStage,
  type SentRequest,
} from '#testing/requests/request-stage.ts';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import { checkRequestToView, readRequestLink } from '@diwan/contract/requests/requests';

const key = randomBytes(32);
let app: TestApp;
let stage: RequestStage;
let mine: SentRequest;
let link: string;
beforeAll(async () => {
  app = await openTestApp({
    REQUEST_LINK_KEY: `${key.toString('base64')},${randomBytes(32).toString('base64')}`,
  });
  stage = openRequestStage(app);
  mine = await stage.send('individual');
  link = (await stage.read('individual', mine.requestId)).body.requestLink;
});
afterAll(() => app.close());

const value = () => new URL(link).searchParams.get('request') ?? '';
const follow = async (username: string, request: string) =>
  app.callAs(username, readRequestLink, { query: { request } });
const check = async (username: string, RequestId: number) =>
  app.callAs(username, checkRequestToView, { query: { RequestId } });

it('a record has its link, which does not show the number', () => {
  expect(link).toMatch(/^http:\/\/localhost:3000\/requests\?request=[\w-]+$/);
  expect(link).not.toContain(mine.requestNumber);
  expect(createTokenEncryptor([key], 'request link').decrypt(value())).toBe(mine.requestNumber);
});

it.each(['individual', 'employee', 'admin'])('%s can follow the link', async (username) => {
  const found = { requestId: mine.requestId, requestNumber: mine.requestNumber };
  expect((await follow(username, value())).body).toEqual(found);
  expect((await check(username, mine.requestId)).body).toEqual(found);
});

// The reply must not reveal that the request exists: it equals the reply to an invalid link.
it.each(['individual2', 'company', 'supervisor', 'supervisor2'])(
  '%s cannot tell the link from an invalid one',
  async (username) => {
    const nonsense = await follow(username, 'nonsense');
    expect([nonsense.status, nonsense.refused.error]).toEqual([404, 'RequestNotFound']);
    const { status, refused } = await follow(username, value());
    expect({ status, refused }).toEqual({ status: 404, refused: nonsense.refused });
    expect((await check(username, mine.requestId)).refused).toEqual(
      (await check(username, 999_999)).refused,
    );
    expect((await check(username, mine.requestId)).refused.error).toBe('RequestNotFound');
  },
);

it('links need a sign-in', async () => {
  expect((await app.call(readRequestLink, { query: { request: value() } })).status).toBe(401);
  expect(
    (await app.call(checkRequestToView, { query: { RequestId: mine.requestId } })).status,
  ).toBe(401);
});

it.each([
  ['an unknown number', createTokenEncryptor([key], 'request link').encrypt('DW26-00000-00000')],
  [
    'a text that is not a number',
    createTokenEncryptor([key], 'request link').encrypt("' or 1=1 --"),
  ],
  [
    'another key',
    createTokenEncryptor([randomBytes(32)], 'request link').encrypt('DW26-00000-00000'),
  ],
  ['ten thousand characters', 'A'.repeat(10_000)],
  ['the number itself', 'DW26-00000-00000'],
])('%s is not found', async (_, request) => {
  expect((await follow('admin', request)).refused.error).toBe('RequestNotFound');
});

it('a deployment chooses the cipher, and older links remain valid', async () => {
  const other = await openTestApp({
    REQUEST_LINK_KEY: key.toString('base64'),
    REQUEST_LINK_CIPHER: 'chacha20-poly1305',
  });
  try {
    const others = openRequestStage(other);
    const { requestId, requestNumber } = await others.send('individual', paidService);
    const token = await other.signIn('individual');
    const made =
      new URL((await others.read('individual', requestId)).body.requestLink).searchParams.get(
        'request',
      ) ?? '';
    expect(Buffer.from(made, 'base64url')[0]).toBe(2);
    for (const request of [
      made,
      createTokenEncryptor([key], 'request link').encrypt(requestNumber),
    ])
      expect((await other.call(readRequestLink, { token, query: { request } })).body).toEqual({
        requestId,
        requestNumber,
      });
  } finally {
    await other.close();
  }
});
