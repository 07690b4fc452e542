import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RefusalName } from '@diwan/contract/wire/errors';
import type { BlockStore } from './file-store.ts';
import { Refusal } from '../core/refusals.ts';
import { blockBytes, mostBlocks, readUploadAddress } from './upload-addresses.ts';

// Azure's limit for the name of a block, in characters of base64.
const longestName = 88;
const isUuid = (part: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(part);
const isName = (name: unknown): name is string =>
  typeof name === 'string' &&
  name.length > 0 &&
  name.length <= longestName &&
  /^[A-Za-z0-9+/]+={0,2}$/.test(name);

const answers: Partial<Record<RefusalName, [number, string]>> = {
  AttachmentTooLarge: [413, 'RequestBodyTooLarge'],
  ServerBusy: [503, 'ServerBusy'],
};

interface Upload {
  part: string;
  maximumBytes: number;
  query: Record<string, unknown>;
}

function refuse(reply: FastifyReply, status: number, code: string): FastifyReply {
  return reply
    .status(status)
    .type('application/xml')
    .send(`<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code></Error>`);
}

// What is still on its way is not wanted any more: answer, then hang up.
function hangUp(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close');
  reply.raw.once('finish', () => request.raw.destroy());
}

async function putBlock(
  blocks: BlockStore,
  { part, maximumBytes, query }: Upload,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isName(query.blockid)) return refuse(reply, 400, 'InvalidQueryParameterValue');
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes)
    return refuse(reply, 413, 'RequestBodyTooLarge');
  await blocks.putBlock(part, query.blockid, request.body as Readable, maximumBytes);
  return reply.status(201).send();
}

async function putBlockList(
  blocks: BlockStore,
  { part, maximumBytes }: Upload,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // A thousand names of full length are 120 kB.
  if (!(Number(request.headers['content-length']) < 200_000))
    return refuse(reply, 413, 'RequestBodyTooLarge');
  const names = [
    ...(await text(request.body as Readable)).matchAll(/<(?:Latest|Uncommitted)>([^<]*)</g),
  ].map((match) => match[1] ?? '');
  if (
    names.length === 0 ||
    names.length > mostBlocks ||
    !names.every(isName) ||
    !(await blocks.putBlockList(part, names, maximumBytes))
  )
    return refuse(reply, 400, 'InvalidBlockList');
  return reply.status(201).send();
}

async function listBlocks(
  blocks: BlockStore,
  { part }: Upload,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const found = await blocks.listBlocks(part);
  const rows = found
    .map(({ name, size }) => `<Block><Name>${name}</Name><Size>${size}</Size></Block>`)
    .join('');
  return reply
    .type('application/xml')
    .send(
      `<?xml version="1.0" encoding="utf-8"?><BlockList><UncommittedBlocks>${rows}</UncommittedBlocks></BlockList>`,
    );
}

/**
 * Takes content at addresses that `openUploadAddresses` signed, by the three operations of Azure's
 * block blobs that a browser uses. The
 * address is the permission: no token, no cookie. Bytes go to the disk as they come. `isAwaited`
 * says whether a file was announced and has
 * not come yet; for every other one the address is over, however long it would have lived.
 */
export async function serveStorage(
  server: FastifyInstance,
  blocks: BlockStore,
  secret: string,
  isAwaited: (part: string) => Promise<boolean>,
): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.route({
      method: ['GET', 'PUT'],
      url: '/storage/:part',
      exposeHeadRoute: false,
      bodyLimit: 64 * blockBytes,
      // Judged before a byte of the body is read.
      onRequest: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        const { part } = request.params as { part: string };
        const maximumBytes = isUuid(part)
          ? readUploadAddress(secret, part, request.query as Record<string, unknown>)
          : undefined;
        if (maximumBytes === undefined || !(await isAwaited(part))) {
          hangUp(request, reply);
          return refuse(reply, 403, 'AuthenticationFailed');
        }
        return undefined;
      },
      handler: async (request, reply) => {
        const query = request.query as Record<string, unknown>;
        const upload = {
          part: (request.params as { part: string }).part,
          maximumBytes: Number(query.max),
          query,
        };
        try {
          if (request.method === 'GET' && query.comp === 'blocklist')
            return await listBlocks(blocks, upload, reply);
          if (request.method === 'PUT' && query.comp === 'block' && request.body)
            return await putBlock(blocks, upload, request, reply);
          if (request.method === 'PUT' && query.comp === 'blocklist' && request.body)
            return await putBlockList(blocks, upload, request, reply);
          return refuse(reply, 400, 'InvalidQueryParameterValue');
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          hangUp(request, reply);
          if (error.params.retryAfter !== undefined)
            reply.header('retry-after', String(error.params.retryAfter));
          return refuse(reply, ...(answers[error.refusal] ?? [400, 'InvalidInput']));
        }
      },
    });
  });
}
