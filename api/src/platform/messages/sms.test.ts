import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { readDeliveryError } from './delivery-error.ts';
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
    .then(() => 'accepted' as const, readDeliveryError);
}

it.each([
  [200, '{"accepted":true}'],
  [202, '{"id":"7"}'],
  [200, ''],
  [204, ''],
])('the reply %i %j means that the message was accepted', async (status, body) => {
  expect(await sendTo((_request, response) => response.writeHead(status).end(body))).toBe(
    'accepted',
  );
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
  'the reply %i %j is a temporary error, and the detail contains nothing of the reply',
  async (status, body, detail) => {
    expect(await sendTo((_request, response) => response.writeHead(status).end(body))).toEqual({
      code: 'gatewayRefused',
      isPermanent: false,
      detail,
    });
  },
);

it('a number that the gateway refuses is a permanent error', async () => {
  expect(await sendTo((_request, response) => response.writeHead(422).end('{}'))).toEqual({
    code: 'addressRefused',
    isPermanent: true,
    detail: 'HTTP 422',
  });
});

it.each<[string, RequestListener]>([
  ['closes the connection immediately', (request) => request.socket.destroy()],
  [
    'closes the connection in the middle of its reply',
    (request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{');
      setImmediate(() => request.socket.destroy());
    },
  ],
  [
    'redirects',
    (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  ],
])('a gateway that %s counts as unreachable', async (_how, listener) => {
  expect(await sendTo(listener)).toMatchObject({ isPermanent: false, code: 'gatewayUnreachable' });
});
