import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import { refusalNames, refusals } from '@diwan/contract/wire/errors';
import { languages, storedLanguages, type Language } from '@diwan/contract/wire/languages';
import { Refusal } from '../core/refusals.ts';
import { replyToBadUrl, replyToMalformedRequest, installErrorReplies } from './error-replies.ts';

const refusalTexts = (language: Language) =>
  (
    JSON.parse(
      readFileSync(
        new URL(`../../../../web/public/locales/${language}/errors.json`, import.meta.url),
        'utf8',
      ),
    ) as { refusals: Record<string, string> }
  ).refusals;
const another: Record<Language, Language> = {
  'ar-EG': 'ur-PK',
  'en-US': 'ar-EG',
  'ur-PK': 'en-US',
};

let server: FastifyInstance;
let app: TestApp;
beforeAll(async () => {
  server = fastify({ frameworkErrors: replyToBadUrl });
  installErrorReplies(server);
  server.get('/refuse/:name', ({ params }) => {
    throw new Refusal((params as { name: keyof typeof refusals }).name, { maximum: 5 });
  });
  app = await openTestApp();
});
afterAll(async () => {
  await app.close();
  await server.close();
});

describe.each(languages)('in %s', (language) => {
  it.each(refusalNames)(
    '%s: the language of the header, and ln before the header',
    async (name) => {
      const body = {
        error: name,
        message: refusalTexts(language)[name]?.replace('{{maximum}}', '5'),
      };
      const byHeader = await server.inject({
        url: `/refuse/${name}`,
        headers: { 'accept-language': `${language},en;q=0.1` },
      });
      const byParameter = await server.inject({
        url: `/refuse/${name}?ln=${storedLanguages[language]}`,
        headers: { 'accept-language': another[language] },
      });
      for (const answer of [byHeader, byParameter]) {
        expect(answer.statusCode).toBe(refusals[name]);
        expect(answer.json()).toEqual(body);
      }
    },
  );

  it('unknown addresses, an address that cannot be parsed, and a wrong method', async () => {
    const headers = { 'accept-language': language };
    const body = { error: 'NotFound', message: refusalTexts(language).NotFound };
    for (const url of [
      '/api/No/Such',
      '/api/Request/GetRequestById/extra',
      '/hubs/none',
      '/locales/none.json',
    ])
      expect((await app.server.inject({ url, headers })).json(), url).toEqual(body);
    expect(
      (
        await app.server.inject({ method: 'DELETE', url: '/api/Service/GetServices', headers })
      ).json(),
    ).toEqual(body);
    expect((await app.server.inject({ url: '/api/%zz', headers })).json()).toEqual(body);
    expect(
      (
        await app.server.inject({
          url: `/api/No/Such?ln=${storedLanguages[language]}`,
          headers: { 'accept-language': another[language] },
        })
      ).json(),
    ).toEqual(body);
  });
});

it.each(['xx', '', '*', 'en;q=0'.repeat(500), '__proto__'])(
  'an ln of %j is answered in Arabic or English, never with an error',
  async (ln) => {
    const answer = await app.server.inject({ url: '/api/No/Such', query: { ln } });
    expect(answer.statusCode).toBe(404);
    expect([refusalTexts('ar-EG').NotFound, refusalTexts('en-US').NotFound]).toContain(
      answer.json<{ message: string }>().message,
    );
  },
);

it('a HEAD has the status and the type of the GET, without the body', async () => {
  for (const [url, status] of [
    ['/api/Service/GetServices', 200],
    ['/api/AccountType/GetAllAccountTypes', 200],
    ['/health/live', 200],
    ['/api/Service/GetService?serviceId=999999', 404],
    ['/api/Request/GetRequestById?RequestId=1', 401],
    ['/api/No/Such', 404],
  ] as const) {
    const head = await app.server.inject({ method: 'HEAD', url });
    const get = await app.server.inject({ url });
    expect([head.statusCode, get.statusCode, head.body], url).toEqual([status, status, '']);
    expect(head.headers['content-type'], url).toBe(get.headers['content-type']);
  }
});

it('a refusal of too many calls has the header retry-after', async () => {
  const strict = await openTestApp({ INQUIRIES_PER_MINUTE: '1' });
  const ask = (url: string, language = 'en-US') =>
    strict.server.inject({ url: `${url}&ln=${language}` });
  // The first call counts failures, the second one all calls.
  for (const url of [
    '/api/Request/GetRequestByRequestNoOrMobileNo?SearchKeyword=DW26-00000-00000',
    '/api/Payment/CheckRequestIsPaid?RequestNumber=DW26-00000-00000',
  ]) {
    expect((await ask(url)).statusCode).not.toBe(429);
    for (const [language, words] of [
      ['en-US', /Try again in (\d+) seconds?\./],
      ['ar-EG', /أعد المحاولة بعد (\d+) (ثانية|ثوانٍ)\./],
      ['ur-PK', /(\d+) سیکنڈ بعد/],
    ] as const) {
      const refused = await ask(url, language);
      expect([refused.statusCode, refused.json()], language).toEqual([
        429,
        { error: 'TooManyRequests', message: expect.stringMatching(words) as unknown },
      ]);
      const seconds = Number(refused.headers['retry-after']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(words.exec(refused.json<{ message: string }>().message)?.[1]).toBe(String(seconds));
    }
  }
  await strict.close();
});

it('a connection with a malformed request closes, also when the client keeps its side open', async () => {
  const malformed = fastify({ clientErrorHandler: replyToMalformedRequest });
  const { port } = new URL(await malformed.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  // `text` of node:stream/consumers would destroy the socket at its end.
  let answer = '';
  socket.on('data', (part) => (answer += part.toString()));
  socket.write('no HTTP\r\n\r\n');
  await once(socket, 'end');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  await expect
    .poll(
      () => new Promise((resolve) => malformed.server.getConnections((_, count) => resolve(count))),
      { timeout: 10_000 },
    )
    .toBe(0);
  socket.destroy();
  await malformed.close();
});
