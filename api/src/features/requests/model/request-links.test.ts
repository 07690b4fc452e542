import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkRequestToView, readRequestLink } from '@diwan/contract/requests/requests';
import { sealedText } from '../../../platform/auth/sealed-text.ts';
import {
  openRequestStage,
  paidService,
  type RequestStage,
  type Sent,
} from '../../../testing/request-stage.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';

const key = randomBytes(32);
let app: TestApp;
let stage: RequestStage;
let mine: Sent;
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
  app.call(readRequestLink, { token: await app.signIn(username), query: { request } });
const check = async (username: string, RequestId: number) =>
  app.call(checkRequestToView, { token: await app.signIn(username), query: { RequestId } });

it('a record brings its link, which does not show the number', () => {
  expect(link).toMatch(/^http:\/\/localhost:3000\/requests\?request=[\w-]+$/);
  expect(link).not.toContain(mine.requestNumber);
  expect(sealedText([key], 'request link').open(value())).toBe(mine.requestNumber);
});

it.each(['individual', 'employee', 'admin'])('%s may follow it', async (username) => {
  const found = { requestId: mine.requestId, requestNumber: mine.requestNumber };
  expect((await follow(username, value())).body).toEqual(found);
  expect((await check(username, mine.requestId)).body).toEqual(found);
});

// Not even that there is such a request: the answer to a stranger is the answer to nonsense.
it.each(['individual2', 'company', 'supervisor', 'supervisor2'])(
  '%s learns nothing from it',
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

it('whoever is not signed in has to do that first', async () => {
  expect((await app.call(readRequestLink, { query: { request: value() } })).status).toBe(401);
  expect(
    (await app.call(checkRequestToView, { query: { RequestId: mine.requestId } })).status,
  ).toBe(401);
});

it.each([
  ['a number that is none', sealedText([key], 'request link').seal('DW26-00000-00000')],
  ['a text that is no number', sealedText([key], 'request link').seal("' or 1=1 --")],
  [
    'the key of somebody else',
    sealedText([randomBytes(32)], 'request link').seal('DW26-00000-00000'),
  ],
  ['ten thousand characters', 'A'.repeat(10_000)],
  ['the number itself', 'DW26-00000-00000'],
])('%s is not found', async (_, request) => {
  expect((await follow('admin', request)).refused.error).toBe('RequestNotFound');
});

it('a deployment chooses the cipher, and older links keep opening', async () => {
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
    for (const request of [made, sealedText([key], 'request link').seal(requestNumber)])
      expect((await other.call(readRequestLink, { token, query: { request } })).body).toEqual({
        requestId,
        requestNumber,
      });
  } finally {
    await other.close();
  }
});
