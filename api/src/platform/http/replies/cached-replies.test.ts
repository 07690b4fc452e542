import { request as send, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { setTextOverrides } from '#platform/core/locale-texts.ts';
import { useTestApp } from '#testing/test-app.ts';
import { textsVersionHeader } from '@diwan/contract/wire/call';
import { stalledReaderMs } from '../limits/slow-clients.ts';

interface Got {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

const url = '/api/Service/GetServices?PageSize=20';

describe.each([
  ['on its own origin', {}],
  ['for a portal on another origin too', { PORTAL_ORIGINS: 'https://portal.example' }],
])('cached replies %s', (_name, settings: Record<string, string>) => {
  const app = useTestApp(settings);
  let port: number;
  beforeAll(async () => {
    port = Number(new URL(await app.server.listen({ port: 0, host: '127.0.0.1' })).port);
  });

  const overNetwork = (
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<Got> =>
    new Promise((resolve, reject) => {
      send(
        { port, path, method, headers: { host: `localhost:${port}`, ...headers } },
        (response) => {
          void buffer(response).then(
            (body) =>
              resolve({
                status: response.statusCode,
                headers: withoutConnection(response.headers),
                body: body.toString('latin1'),
              }),
            reject,
          );
        },
      )
        .once('error', reject)
        .end();
    });
  const withoutConnection = ({
    date: _date,
    connection: _connection,
    'keep-alive': _keepAlive,
    ...headers
  }: IncomingHttpHeaders) => headers;

  // `inject` goes to Fastify itself.
  async function throughFastify(path: string, headers: Record<string, string> = {}): Promise<Got> {
    const reply = await app.server.inject({
      url: path,
      headers: { host: `localhost:${port}`, ...headers },
    });
    return {
      status: reply.statusCode,
      headers: withoutConnection(reply.headers as IncomingHttpHeaders),
      body: reply.rawPayload.toString('latin1'),
    };
  }
  const hits = async () => {
    const { body } = await app.server.inject('/metrics');
    return {
      hits: Number(/diwan_reply_cache_total{result="hit"} (\d+)/.exec(body)?.[1]),
      timed: Number(
        /_count{method="GET",route="\/api\/Service\/GetServices",status="200"} (\d+)/.exec(
          body,
        )?.[1] ?? 0,
      ),
    };
  };

  it('equal those of Fastify in status, headers and bytes', async () => {
    const { etag = '' } = (await throughFastify(url)).headers;
    for (const [path, headers] of [
      [url, {}],
      [url, { 'accept-language': 'ur-PK' }],
      [url, { 'accept-encoding': 'gzip, br' }],
      [url, { 'accept-encoding': 'gzip' }],
      [url, { 'if-none-match': etag }],
      [`${url}&ln=en-US`, { 'accept-language': 'ur-PK' }],
      [`${url}&ln=en-US&ln=ur-PK`, { 'accept-language': 'ur-PK' }],
      [`${url}&xln=en-US`, { 'accept-language': 'ur-PK' }],
      [`${url}&l%6e=en-US`, { 'accept-language': 'ur-PK' }],
      [`${url}?ln=en-US`, { 'accept-language': 'ur-PK' }],
      [url, { origin: 'https://portal.example' }],
      [url, { authorization: 'Bearer forged' }],
      [url, { 'content-type': 'application/octet-stream' }],
      ['/api/Service/GetService?serviceId=2', {}],
      ['/api/Service/GetService?serviceId=999999', {}],
      ['/api/GovernmentAgency/GovernmentAgencyCollection', {}],
    ] as [string, Record<string, string>][]) {
      const expected = await throughFastify(path, headers);
      for (const time of [1, 2])
        expect(
          await overNetwork(path, headers),
          `${path} ${JSON.stringify(headers)} ${time}`,
        ).toEqual(expected);
    }
  });

  it('are counted and timed', async () => {
    await overNetwork(url);
    const before = await hits();
    await overNetwork(url);
    const after = await hits();
    expect(after).toEqual({ hits: before.hits + 1, timed: before.timed + 1 });
  });

  it('end with a change of the catalogue', async () => {
    const path = '/api/Service/GetService?serviceId=2';
    await overNetwork(path);
    await app.database
      .updateTable('services')
      .set({ working_days: 76 })
      .where('id', '=', 2)
      .execute();
    await expect.poll(async () => (await overNetwork(path)).body).toContain('"workingDays":76');
  });

  it('have the headers of the texts as they are now', async () => {
    // The third one is cached as it was sent.
    for (const time of [1, 2, 3]) expect((await overNetwork(url)).status, `${time}`).toBe(200);
    const header = textsVersionHeader.toLowerCase();
    const before = (await overNetwork(url)).headers[header];
    setTextOverrides(new Map([['en-US/shell', new Map([['logout', 'Leave']])]]));
    const after = (await overNetwork(url)).headers[header];
    setTextOverrides(new Map());
    const version: unknown = expect.stringMatching(/^[0-9a-f]{10}$/);
    expect([before, after]).toEqual([version, version]);
    expect(after).not.toBe(before);
  });

  it('disconnect a client that does not read them', async () => {
    // The first one is made by Fastify.
    await overNetwork(url);
    const sockets: Socket[] = [];
    app.server.server.on('connection', (socket) => sockets.push(socket));
    const call = `GET ${url} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`;
    const client = connect(port, '127.0.0.1').pause();
    client.write(call.repeat(2000));
    await vi.waitFor(() => expect(sockets[0]?.timeout).toBe(stalledReaderMs), 20_000);
    client.destroy();
  });

  it('send no body to HEAD', async () => {
    const { status, body } = await overNetwork(url, {}, 'HEAD');
    expect([status, body]).toEqual([200, '']);
  });
});
