import { createHash, createHmac } from 'node:crypto';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';

/** What the gate does with a call before the storage sees it. */
interface GateFault {
  /** Answers with this status and code of S3 instead. */
  refuse?: [number, string];
  /** Never answers. */
  hangs?: boolean;
  /** Changes the body on its way to the storage. */
  damages?: boolean;
  /** Ends the connection after so many bytes of the answer. */
  cutsAfter?: number;
}

interface S3Gate {
  url: string;
  /** `GET /bucket/key?query` of each call. */
  calls: string[];
  /** Decides about each call; undefined lets it pass. */
  fault: ((call: string) => GateFault | undefined) | undefined;
  close(): Promise<void>;
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

/** Whether version 4 of Amazon's signature is that of the secret. Source: Amazon S3 API Reference. */
function isSigned(incoming: IncomingMessage, secret: string): boolean {
  const match = /Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)/.exec(
    incoming.headers.authorization ?? '',
  );
  const [, scope = '', names = '', signature] = match ?? [];
  const { pathname, search } = new URL(incoming.url ?? '', 'http://gate');
  const query = search
    .slice(1)
    .split('&')
    .filter(Boolean)
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort();
  const headers = names
    .split(';')
    .map((name) => `${name}:${String(incoming.headers[name]).trim().replace(/ +/g, ' ')}\n`);
  const canonical = [
    incoming.method,
    pathname,
    query.join('&'),
    headers.join(''),
    names,
    incoming.headers['x-amz-content-sha256'],
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', incoming.headers['x-amz-date'], scope, sha256(canonical)].join(
    '\n',
  );
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, text).toString('hex') === signature;
}

/** The code of S3 for a body that is not the one that was signed; undefined for the right one. */
function findWrongBody({ headers }: IncomingMessage, body: Buffer): string | undefined {
  const hash = headers['x-amz-content-sha256'];
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const checksum = headers['x-amz-checksum-crc32'];
  const own = Buffer.alloc(4);
  own.writeUInt32BE(crc32(body));
  return checksum !== undefined && checksum !== own.toString('base64') ? 'BadDigest' : undefined;
}

function refuse(reply: ServerResponse, [status, code]: [number, string]): void {
  reply
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>The gate</Message></Error>`);
}

/**
 * A gate in front of the test server of the S3 protocol: it checks signatures and checksums, which
 * that server does not, and breaks calls.
 */
export async function openS3Gate(storage: string, secret = 'S3RVER'): Promise<S3Gate> {
  const { hostname, port } = new URL(storage);
  async function pass(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const call = `${incoming.method} ${incoming.url}`;
    gate.calls.push(call);
    const fault = gate.fault?.(call);
    let body = await buffer(incoming);
    if (fault?.hangs) return;
    if (fault?.refuse) return refuse(reply, fault.refuse);
    if (!isSigned(incoming, secret)) return refuse(reply, [403, 'SignatureDoesNotMatch']);
    if (fault?.damages) body = Buffer.concat([Buffer.from([(body[0] ?? 0) ^ 1]), body.subarray(1)]);
    const wrong = findWrongBody(incoming, body);
    if (wrong) return refuse(reply, [400, wrong]);
    const { method, url, headers } = incoming;
    const forwarded = request({ hostname, port, method, path: url, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 500, answer.headers);
      if (fault?.cutsAfter === undefined) answer.pipe(reply);
      else
        answer.once('data', (piece: Buffer) => {
          reply.write(piece.subarray(0, fault.cutsAfter), () => reply.destroy());
        });
    });
    forwarded.once('error', () => reply.destroy());
    forwarded.end(body);
  }
  const server = createServer((incoming, reply) => {
    pass(incoming, reply).catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gate: S3Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    fault: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return gate;
}
