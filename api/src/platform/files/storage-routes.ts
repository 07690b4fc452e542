import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RefusalName } from '@diwan/contract/wire/errors';
import type { Keys } from '../auth/secrets.ts';
import { Refusal } from '../core/refusals.ts';
import type { BlockStore } from './stores/file-store.ts';
import { blockBytes, maximumBlocks, verifyUploadAddress } from './upload-addresses.ts';

// Azure's limit for the name of a block in base64.
const maximumNameLength = 88;
const isUuid = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
const isName = (name: unknown): name is string =>
  typeof name === 'string' &&
  name.length > 0 &&
  name.length <= maximumNameLength &&
  /^[A-Za-z0-9+/]+={0,2}$/.test(name);

const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>';

// The HTTP status and the error code of Azure for a refusal.
const azureErrors: Partial<Record<RefusalName, [number, string]>> = {
  AttachmentTooLarge: [413, 'RequestBodyTooLarge'],
  ServerBusy: [503, 'ServerBusy'],
};

interface Upload {
  uploadId: string;
  maximumBytes: number;
  query: Record<string, unknown>;
}

function refuse(reply: FastifyReply, status: number, code: string): FastifyReply {
  return reply
    .status(status)
    .type('application/xml')
    .send(`${xmlDeclaration}<Error><Code>${code}</Code></Error>`);
}

// Closes the connection after the reply, so that the rest of the body is not read.
function closeAfterReply(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close');
  reply.raw.once('finish', () => request.raw.destroy());
}

async function putBlock(
  blocks: BlockStore,
  { uploadId, maximumBytes, query }: Upload,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isName(query.blockid)) return refuse(reply, 400, 'InvalidQueryParameterValue');
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes)
    return refuse(reply, 413, 'RequestBodyTooLarge');
  await blocks.putBlock(uploadId, query.blockid, request.body as Readable, maximumBytes);
  return reply.status(201).send();
}

async function putBlockList(
  blocks: BlockStore,
  { uploadId, maximumBytes }: Upload,
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
    names.length > maximumBlocks ||
    !names.every(isName) ||
    !(await blocks.putBlockList(uploadId, names, maximumBytes))
  )
    return refuse(reply, 400, 'InvalidBlockList');
  return reply.status(201).send();
}

async function listBlocks(
  blocks: BlockStore,
  { uploadId }: Upload,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const found = await blocks.listBlocks(uploadId);
  const rows = found
    .map(({ name, size }) => `<Block><Name>${name}</Name><Size>${size}</Size></Block>`)
    .join('');
  return reply
    .type('application/xml')
    .send(`${xmlDeclaration}<BlockList><UncommittedBlocks>${rows}</UncommittedBlocks></BlockList>`);
}

async function performOperation(
  blocks: BlockStore,
  upload: Upload,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { comp } = upload.query;
  if (request.method === 'GET' && comp === 'blocklist') return listBlocks(blocks, upload, reply);
  if (request.method === 'PUT' && comp === 'block' && request.body)
    return putBlock(blocks, upload, request, reply);
  if (request.method === 'PUT' && comp === 'blocklist' && request.body)
    return putBlockList(blocks, upload, request, reply);
  return refuse(reply, 400, 'InvalidQueryParameterValue');
}

/**
 * Serves the upload addresses of `createUploadAddresses` with the three operations of Azure's block
 * blobs that browsers use. The address is the permission: there is no token and no cookie. Bytes are
 * written to the disk as they arrive. `isAwaited` says whether a file is announced and its content is
 * missing; every other address is refused, even before it expires.
 */
export async function serveStorage(
  server: FastifyInstance,
  blocks: BlockStore,
  keys: Keys,
  isAwaited: (uploadId: string) => Promise<boolean>,
): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.route({
      method: ['GET', 'PUT'],
      // The name of the parameter is part of a label in /metrics.
      url: '/storage/:part',
      exposeHeadRoute: false,
      bodyLimit: 64 * blockBytes,
      // Runs before the body is read.
      onRequest: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        const { part: uploadId } = request.params as { part: string };
        const maximumBytes = isUuid(uploadId)
          ? verifyUploadAddress(keys, uploadId, request.query as Record<string, unknown>)
          : undefined;
        if (maximumBytes === undefined || !(await isAwaited(uploadId))) {
          closeAfterReply(request, reply);
          return refuse(reply, 403, 'AuthenticationFailed');
        }
        return undefined;
      },
      handler: async (request, reply) => {
        const query = request.query as Record<string, unknown>;
        const upload = {
          uploadId: (request.params as { part: string }).part,
          maximumBytes: Number(query.max),
          query,
        };
        try {
          return await performOperation(blocks, upload, request, reply);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          closeAfterReply(request, reply);
          if (error.params.retryAfter !== undefined)
            reply.header('retry-after', String(error.params.retryAfter));
          return refuse(reply, ...(azureErrors[error.refusal] ?? [400, 'InvalidInput']));
        }
      },
    });
  });
}
