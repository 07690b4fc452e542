import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { readFault } from './delivery-fault.ts';
import { httpSmsGateway } from './sms.ts';

let stop: () => void = () => undefined;
afterEach(() => stop());

async function sendTo(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return httpSmsGateway(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, 'key')
    .send('+971500000001', 'نص', 'once')
    .then(() => 'taken' as const, readFault);
}

it.each([
  [200, '{"accepted":true}'],
  [202, '{"id":"7"}'],
  [200, ''],
  [204, ''],
])('an answer of %i %j is a message that was taken', async (status, body) => {
  expect(await sendTo((_request, response) => response.writeHead(status).end(body))).toBe('taken');
});

it.each([
  [200, '<html>Sign in to the network</html>', 'HTTP 200, unreadable'],
  [200, 'OK', 'HTTP 200, unreadable'],
  [200, 'null', 'HTTP 200, unreadable'],
  [200, '{"accepted":true', 'HTTP 200, unreadable'],
  [200, '{"accepted":false,"reason":"+971500000001 is blocked"}', 'HTTP 200, not accepted'],
  [500, '{"accepted":true}', 'HTTP 500'],
  [429, '', 'HTTP 429'],
  [401, '', 'HTTP 401'],
])(
  'an answer of %i %j is none: it is tried again, and nothing of what was said is kept',
  async (status, body, detail) => {
    expect(await sendTo((_request, response) => response.writeHead(status).end(body))).toEqual({
      fault: 'gatewayRefused',
      isForGood: false,
      detail,
    });
  },
);

it('a number that the gateway refuses is refused for good', async () => {
  expect(await sendTo((_request, response) => response.writeHead(422).end('{}'))).toEqual({
    fault: 'addressRefused',
    isForGood: true,
    detail: 'HTTP 422',
  });
});

it.each<[string, RequestListener]>([
  ['hangs up at once', (request) => request.socket.destroy()],
  [
    'hangs up in the middle of its answer',
    (request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{');
      setImmediate(() => request.socket.destroy());
    },
  ],
  [
    'sends elsewhere',
    (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  ],
])('a gateway that %s has taken nothing that we know of', async (_how, listener) => {
  expect(await sendTo(listener)).toMatchObject({ isForGood: false, fault: 'gatewayUnreachable' });
});
