import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '#config.ts';
import { defineCall } from '@diwan/contract/wire/call';
import { Refusal } from '../core/refusals.ts';
import type { Database } from '../database/database.ts';
import { installErrorReplies } from './error-replies.ts';
import { openReplyCache } from './replies/response-cache.ts';
import { serve } from './serve.ts';

const inner = z.object({ shown: z.string() });
const leaky = defineCall({
  name: 'leaky',
  method: 'GET',
  path: '/leaky',
  who: 'anyone',
  summary: '',
  reply: z.object({ one: inner, many: z.array(inner), maybe: z.string().optional() }),
  refusals: [],
});
const echo = defineCall({
  name: 'echo',
  method: 'POST',
  path: '/echo{id}',
  who: 'anyone',
  summary: '',
  params: z.object({ id: z.coerce.number().int().min(1) }),
  body: z.object({ text: z.string().trim().min(1).max(10), list: z.array(z.string()).optional() }),
  reply: z.object({ id: z.int(), text: z.string() }),
  refusals: ['NotFound'],
});

let server: FastifyInstance;
beforeAll(async () => {
  server = fastify();
  installErrorReplies(server);
  server.decorateRequest('caller', undefined);
  const app = {
    server,
    config: readConfig({}),
    database: {} as Database,
    publicUrl: '',
    outbox: {} as never,
    sessions: { findCaller: async () => undefined } as never,
    replies: openReplyCache(),
    cachedReplies: { add: () => undefined, onSent: () => undefined, answer: () => false },
  };
  const secret = { shown: 'yes', passwordHash: 'secret' };
  serve(
    app,
    leaky,
    () => ({ one: secret, many: [secret], maybe: 'x', internal: 'secret' }) as never,
  );
  serve(app, echo, ({ params, body }) => {
    if (body.text === 'crash') throw new Error('the password is hunter2');
    if (body.text === 'gone') throw new Refusal('NotFound');
    return { id: params.id, text: body.text };
  });
  await server.ready();
});
afterAll(() => server.close());

const post = (payload: unknown, language = 'en-US', url = '/echo7') =>
  server.inject({
    method: 'POST',
    url,
    payload: payload as object,
    headers: { 'accept-language': language },
  });

it('sends no field that is not in the contract, at any depth', async () => {
  const { body } = await server.inject('/leaky');
  expect(body).not.toContain('secret');
  expect(JSON.parse(body)).toEqual({ one: { shown: 'yes' }, many: [{ shown: 'yes' }], maybe: 'x' });
});

it('accepts the path of the specification and the one with a slash', async () => {
  expect((await post({ text: 'a' })).json()).toEqual({ id: 7, text: 'a' });
  expect((await post({ text: 'a' }, 'en-US', '/echo/7')).json()).toEqual({ id: 7, text: 'a' });
});

it('answers 400 with messages by field in the caller’s language', async () => {
  const english = await post({ text: 'a very long text' });
  expect(english.statusCode).toBe(400);
  expect(english.json<{ errors: { text: string[] } }>().errors.text[0]).toContain('10');
  expect(
    (await post({ text: '   ' }, 'ar-EG')).json<{ errors: { text: string[] } }>().errors.text[0],
  ).toMatch(/[\u0600-\u06FF]/);
  expect((await post({}, 'ur-PK')).json<{ errors: { text: string[] } }>().errors.text[0]).toMatch(
    /[\u0600-\u06FF]/,
  );
  expect((await post({ text: 'a', list: [1] })).json<{ errors: object }>().errors).toHaveProperty(
    'list.0',
  );
  expect(
    (await post({ text: 'a' }, 'en-US', '/echo0')).json<{ errors: object }>().errors,
  ).toHaveProperty('id');
});

it('refuses NUL and lone surrogates, and brings texts to NFC', async () => {
  expect((await post({ text: 'a\u0000' })).statusCode).toBe(400);
  expect(
    (
      await server.inject({
        method: 'POST',
        url: '/echo7',
        payload: '{"text":"\\ud800"}',
        headers: { 'content-type': 'application/json' },
      })
    ).statusCode,
  ).toBe(400);
  expect((await post({ text: 'e\u0301' })).json<{ text: string }>().text).toBe('\u00e9');
});

it('replies to malformed JSON, a refusal and an unexpected error in the forms of specification §8', async () => {
  expect(
    (
      await server.inject({
        method: 'POST',
        url: '/echo7',
        payload: '{',
        headers: { 'content-type': 'application/json' },
      })
    ).statusCode,
  ).toBe(400);
  expect((await post({ text: 'gone' })).json()).toMatchObject({ error: 'NotFound' });
  const crash = await post({ text: 'crash' });
  expect(crash.statusCode).toBe(500);
  expect(crash.json()).toMatchObject({ error: 'InternalServerError' });
  expect(crash.json()).toHaveProperty('requestId');
  expect(crash.body).not.toContain('hunter2');
});
