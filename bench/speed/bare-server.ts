// Servers that do nothing but answer, to compare the product with: `fork`ed by the benchmark, which
// sends a `BareWork` and receives the port.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import pg from 'pg';
import type { HttpConnection } from '../load/http-connection.ts';

/** One statement for a reply; it returns one row with one column, the body of the reply. */
export interface BareStatement {
  text: string;
  values: readonly unknown[];
  /** The number at the end of the address comes after the values; the address is known without it. */
  hasId?: boolean;
  /** The answers in the body of the call come after the values. */
  hasAnswers?: boolean;
}

/** A reply of the product. */
export interface CachedReply {
  /** Names and values in turn, without those that node adds itself. */
  headers: readonly string[];
  body: string;
}

// Node adds these to the replies of every server.
const ownHeaders = new Set(['date', 'connection', 'keep-alive', 'content-length']);

const headersOf = (head: string): string[] =>
  [...head.matchAll(/\r\n([^:]+): (.*)/g)].flatMap(([, name = '', value = '']) =>
    ownHeaders.has(name.toLowerCase()) ? [] : [name, value],
  );

/** The reply of the product to one call, which must succeed. */
export async function ask(
  connection: HttpConnection,
  path: string,
  token?: string,
): Promise<CachedReply> {
  const authorization = token ? `authorization: Bearer ${token}\r\n` : '';
  const { status, head, body } = await connection.send(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-language: ar-EG\r\n${authorization}\r\n`,
  );
  if (status !== 200) throw new Error(`${path.slice(0, 100)}: ${status} ${body.toString()}`);
  return { headers: headersOf(head), body: body.toString() };
}

/** What a bare server answers, by address without the parameter `n`. `body` is without the product's headers. */
type BareWork =
  | { kind: 'memory' | 'body' | 'fastify'; replies: Readonly<Record<string, CachedReply>> }
  | { kind: 'sql'; connectionString: string; statements: Readonly<Record<string, BareStatement>> };

/** A bare server in its own process. */
export interface BareServer {
  pid: number;
  port: number;
  close(): void;
}

// As many as two cores use at the same time; more only wait for each other.
const connections = 8;
const jsonType = 'application/json; charset=utf-8';

function findByAddress<Value>(values: ReadonlyMap<string, Value>, url = ''): Value | undefined {
  return (
    values.get(url) ??
    values.get(url.replace(/[?&]n=\d+$/, '')) ??
    values.get(url.replace(/\d+$/, ''))
  );
}

function answerFromMemory(replies: Readonly<Record<string, CachedReply>>): RequestListener {
  const known = new Map(
    Object.entries(replies).map(([url, { headers, body }]) => {
      const bytes = Buffer.from(body);
      return [url, { headers: [...headers, 'content-length', String(bytes.length)], bytes }];
    }),
  );
  return ({ url }, reply) => {
    const found = findByAddress(known, url);
    if (found) reply.writeHead(200, found.headers).end(found.bytes);
    else reply.writeHead(404).end();
  };
}

const withoutHeaders = (replies: Readonly<Record<string, CachedReply>>) =>
  Object.fromEntries(
    Object.entries(replies).map(([url, { body }]) => [
      url,
      { headers: ['content-type', jsonType], body },
    ]),
  );

async function readAnswers(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return JSON.stringify((JSON.parse(text) as { answers: unknown }).answers);
}

function answerBySql(
  connectionString: string,
  statements: Readonly<Record<string, BareStatement>>,
): RequestListener {
  // A cached plan costs nothing at the next call.
  const options = '-c plan_cache_mode=force_generic_plan';
  const pool = new pg.Pool({ connectionString, max: connections, options });
  // The benchmark stops PostgreSQL before this process has ended.
  pool.on('error', () => undefined);
  const byAddress = new Map(Object.entries(statements));
  const texts = [...new Set(Object.values(statements).map(({ text }) => text))];
  const names = new Map(texts.map((text, index) => [text, `bare-${index}`]));
  async function ask(request: IncomingMessage): Promise<Buffer> {
    const found = findByAddress(byAddress, request.url);
    if (!found) throw new Error(`no statement for ${request.url}`);
    const { text, values, hasId, hasAnswers } = found;
    const { rows } = await pool.query<[string]>({
      name: names.get(text) ?? '',
      text,
      values: [
        ...values,
        ...(hasId ? [/\d+$/.exec(request.url ?? '')?.[0]] : []),
        ...(hasAnswers ? [await readAnswers(request)] : []),
      ],
      rowMode: 'array',
    } as pg.QueryArrayConfig);
    return Buffer.from(rows[0]?.[0] ?? '');
  }
  return (request, reply) => {
    ask(request).then(
      (body) =>
        reply.writeHead(200, { 'content-type': jsonType, 'content-length': body.length }).end(body),
      (error: Error) => reply.writeHead(500).end(error.message),
    );
  };
}

async function listen(work: BareWork): Promise<number> {
  if (work.kind === 'fastify') {
    const server = fastify();
    const known = new Map(Object.entries(work.replies));
    server.get('/*', async ({ url }, reply) => {
      reply.type(jsonType);
      return known.get(url)?.body;
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
    return (server.server.address() as AddressInfo).port;
  }
  const server = createServer(
    work.kind === 'sql'
      ? answerBySql(work.connectionString, work.statements)
      : answerFromMemory(work.kind === 'body' ? withoutHeaders(work.replies) : work.replies),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts a bare server. */
export async function startBareServer(work: BareWork): Promise<BareServer> {
  const child = fork(fileURLToPath(import.meta.url), ['serve'], {
    execArgv: ['--import', 'tsx'],
  });
  child.send(work);
  const [port] = (await once(child, 'message')) as [number];
  return { pid: child.pid ?? 0, port, close: () => child.disconnect() };
}

if (process.argv[2] === 'serve' && process.send) {
  process.once('message', (work: BareWork) => {
    void listen(work).then((port) => process.send?.(port));
  });
  process.once('disconnect', () => process.exit());
}
