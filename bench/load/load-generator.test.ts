import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpConnection, readReply } from './http-connection.ts';
import { closeConnections, measure, type LoadCall } from './load-generator.ts';

let server: Server | undefined;
afterEach(() => {
  closeConnections();
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<number> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return (started.address() as AddressInfo).port;
}

const once = (port: number, calls: readonly LoadCall[]) =>
  measure({ port, seconds: 5, calls, isOnce: true });

describe('load generator', () => {
  it('counts a reply that is not the expected one as failed', async () => {
    const port = await serve(({ url }, reply) => void reply.end(url === '/right' ? 'yes' : 'no'));
    const result = await once(port, [
      { group: 'right', path: '/right', expected: 'yes' },
      { group: 'wrong', path: '/wrong', expected: 'yes' },
      { group: 'pattern', path: '/right', pattern: '^y' },
      { group: 'wrong pattern', path: '/wrong', pattern: '^y' },
    ]);
    const outcome = Object.entries(result).map(([group, { served, failed, reasons }]) => [
      group,
      served.length,
      failed,
      reasons,
    ]);
    expect(outcome).toEqual([
      ['right', 1, 0, {}],
      ['wrong', 0, 1, { 'a wrong body': 1 }],
      ['pattern', 1, 0, {}],
      ['wrong pattern', 0, 1, { 'a wrong body': 1 }],
    ]);
  });

  it('counts 503 as refused, other statuses and lost connections as failed', async () => {
    const port = await serve(({ url, socket }, reply) => {
      if (url === '/lost') socket.destroy();
      else reply.writeHead(Number(url?.slice(1))).end();
    });
    const { all } = await once(
      port,
      ['/200', '/503', '/500', '/lost', '/200'].map((path) => ({ group: 'all', path })),
    );
    expect([all?.served.length, all?.refused.length, all?.failed]).toEqual([2, 1, 2]);
    expect(Object.keys(all?.reasons ?? {})[0]).toBe('500');
  });

  it('sends method, token, body and an address that no other call had', async () => {
    const seen: unknown[] = [];
    const port = await serve((request, reply) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers.authorization, body]);
        reply.end();
      });
    });
    await once(port, [
      { group: 'post', path: '/a', method: 'POST', token: 'secret', body: '{"name":"نورة"}' },
      { group: 'get', path: '/b', isDistinct: true },
      { group: 'get', path: '/b?c=1', isDistinct: true },
    ]);
    const [post, one, other] = seen as [unknown[], string[], string[]];
    expect(post).toEqual(['POST', '/a', 'Bearer secret', '{"name":"نورة"}']);
    expect(one[1]).toMatch(/^\/b\?n=\d+$/);
    expect(other[1]).toMatch(/^\/b\?c=1&n=\d+$/);
    expect(one[1]?.split('n=')[1]).not.toBe(other[1]?.split('n=')[1]);
  });
});

it('a connection that the server has closed refuses further requests', async () => {
  const port = await serve((_, reply) => void reply.writeHead(200, { connection: 'close' }).end());
  const connection = new HttpConnection(port);
  const request = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n';
  expect((await connection.send(request)).status).toBe(200);
  await expect(connection.send(request)).rejects.toThrow('the connection was closed');
});

describe('readReply', () => {
  const chunked =
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n';
  const plain = 'HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno';

  it('reads chunks and bodies of a known length', () => {
    const read = (text: string) => readReply(Buffer.from(text));
    expect(read(chunked)).toMatchObject({ status: 200, isLast: false });
    expect(read(chunked)?.body.toString()).toBe('abcde');
    expect(read(plain)).toMatchObject({ status: 404, isLast: true });
    expect(read(plain)?.body.toString()).toBe('no');
  });

  it.each([chunked, plain])('waits for the rest of an incomplete reply', (text) => {
    for (let length = 0; length < text.length; length += 1)
      expect(readReply(Buffer.from(text.slice(0, length)))).toBeUndefined();
  });
});
