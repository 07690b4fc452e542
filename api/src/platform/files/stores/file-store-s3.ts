import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  type CompletedPart,
  type _Object as ListedObject,
} from '@aws-sdk/client-s3';
import { ConfigError } from '#config.ts';
import { createLimiter, refuseWhenQueueFull, serverBusy } from '#platform/core/limiter.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { BlockStore, FileStore } from './file-store.ts';
import { createUploadTracker, tooLarge } from './upload-tracker.ts';

/** The bucket, and who may use it. Without an endpoint it is Amazon's. */
export interface S3Place {
  bucket: string;
  region: string;
  endpoint?: string | undefined;
  keyId: string;
  secret: string;
  /** The bucket is in the path of addresses, not in the host. */
  isInPath: boolean;
  /** How long an answer or the next bytes may take. */
  answerMs?: number;
}

// S3 accepts no smaller parts, except for the last one.
const partBytes = 5 * 1024 * 1024;
const attempts = 3;
const connectMs = 2000;
// For the answer to one attempt, and for the next bytes of a body.
const defaultAnswerMs = 10_000;
const socketsAtOnce = 64;
const limitCopies = createLimiter(2);
const maximumQueueLength = 100;

type Bucket = ReturnType<typeof openBucket>;

const nameOf = (error: unknown) => (error as Error).name;
const isMissing = (error: unknown) =>
  ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(nameOf(error));

/**
 * Sends the commands of the store. What the storage does not do is ServerBusy for callers, with a
 * line for the operator, who alone can help. A missing object stays an error of the client.
 */
function openBucket(place: S3Place, warn: (message: string) => void) {
  const { answerMs = defaultAnswerMs } = place;
  const client = new S3Client({
    region: place.region,
    ...(place.endpoint ? { endpoint: place.endpoint } : {}),
    forcePathStyle: place.isInPath,
    credentials: { accessKeyId: place.keyId, secretAccessKey: place.secret },
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: answerMs,
      httpAgent: { keepAlive: true, maxSockets: socketsAtOnce },
      httpsAgent: { keepAlive: true, maxSockets: socketsAtOnce },
    },
  });
  const Bucket = place.bucket;
  async function attempt<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal || isMissing(error)) throw error;
      warn(`The object storage could not ${what}: ${describeFailure(error)}`);
      throw serverBusy();
    }
  }
  return {
    client,
    put: (Key: string, Body: Buffer) =>
      attempt('store', () => client.send(new PutObjectCommand({ Bucket, Key, Body }))),
    head: (Key: string) =>
      attempt('look', () => client.send(new HeadObjectCommand({ Bucket, Key }))),
    copy: (from: string, Key: string) =>
      attempt('copy', () =>
        client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${from}` })),
      ),
    remove: (Key: string) =>
      attempt('delete', () => client.send(new DeleteObjectCommand({ Bucket, Key }))),
    async get(Key: string, range?: { start: number; end: number }): Promise<Readable> {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body } = await attempt('read', () =>
        client.send(new GetObjectCommand({ Bucket, Key, Range })),
      );
      if (!Body) throw new Error('The object storage answered without content');
      return Body as Readable;
    },
    async *list(Prefix: string): AsyncGenerator<ListedObject & { Key: string }> {
      let ContinuationToken: string | undefined;
      do {
        const page = await attempt('list', () =>
          client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken })),
        );
        for (const each of page.Contents ?? [])
          if (each.Key !== undefined) yield { ...each, Key: each.Key };
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },
    async removeAll(keys: readonly string[]): Promise<void> {
      const Objects = keys.map((Key) => ({ Key }));
      if (Objects.length === 0) return;
      await attempt('delete', () =>
        client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })),
      );
    },
    /** Parts of one object that appears when it is complete. */
    async beginParts(Key: string) {
      const { UploadId } = await attempt('store', () =>
        client.send(new CreateMultipartUploadCommand({ Bucket, Key, ChecksumAlgorithm: 'CRC32' })),
      );
      const upload = { Bucket, Key, UploadId };
      const parts: CompletedPart[] = [];
      return {
        async add(Body: Buffer) {
          const PartNumber = parts.length + 1;
          const { ETag, ChecksumCRC32 } = await attempt('store', () =>
            client.send(new UploadPartCommand({ ...upload, PartNumber, Body })),
          );
          parts.push({ PartNumber, ETag, ChecksumCRC32 });
        },
        complete: () =>
          attempt('store', () =>
            client.send(
              new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }),
            ),
          ),
        // The storage's own rule for incomplete uploads deletes what this leaves.
        abort: () =>
          client.send(new AbortMultipartUploadCommand(upload)).then(
            () => undefined,
            () => undefined,
          ),
      };
    },
  };
}

/** What an operator needs to know of a failure, without keys: the client's errors hold none. */
function describeFailure(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string };
  const parts = [name === 'Error' ? code : name, message].filter((part) => part !== undefined);
  return parts.join(': ');
}

async function* readContent(content: Readable): AsyncGenerator<Buffer> {
  try {
    yield* content as AsyncIterable<Buffer>;
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('AttachmentIncomplete');
  }
}

/**
 * Writes a stream to a new object; `count` receives the bytes of each piece and may throw. One part
 * at a time is in memory, so that a slow storage slows the sender down. A failure leaves no object.
 */
async function writeObject(
  bucket: Bucket,
  key: string,
  content: AsyncIterable<Buffer>,
  count: (bytes: number) => void,
): Promise<void> {
  let parts: Awaited<ReturnType<Bucket['beginParts']>> | undefined;
  let pieces: Buffer[] = [];
  let size = 0;
  const take = () => {
    const part = Buffer.concat(pieces);
    [pieces, size] = [[], 0];
    return part;
  };
  try {
    for await (const piece of content) {
      count(piece.length);
      pieces.push(piece);
      size += piece.length;
      if (size < partBytes) continue;
      parts ??= await bucket.beginParts(key);
      await parts.add(take());
    }
    if (!parts) await bucket.put(key, take());
    else {
      if (size > 0) await parts.add(take());
      await parts.complete();
    }
  } catch (error) {
    await parts?.abort();
    throw error;
  }
}

const incoming = (uploadId: string, object = '') => `incoming/${uploadId}/${object}`;
// Senders choose the names of blocks. In hexadecimal no name is a path.
const blockKey = (uploadId: string, name: string) =>
  incoming(uploadId, `block-${Buffer.from(name).toString('hex')}`);

async function keysBelow(bucket: Bucket, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { Key } of bucket.list(prefix)) keys.push(Key);
  return keys;
}

/** Receives the blocks of browsers as objects, because parts of S3 are larger than they are. */
function openBlocks(bucket: Bucket): BlockStore {
  const trackBlock = createUploadTracker();
  async function listBlocks(uploadId: string) {
    const prefix = incoming(uploadId, 'block-');
    const blocks: { name: string; size: number }[] = [];
    for await (const { Key, Size = 0 } of bucket.list(prefix))
      blocks.push({
        name: Buffer.from(Key.slice(prefix.length), 'hex').toString(),
        size: Size,
      });
    return blocks;
  }
  const readBlockSizes = async (uploadId: string) =>
    new Map((await listBlocks(uploadId)).map(({ name, size }) => [name, size]));

  async function* readBlocks(uploadId: string, names: readonly string[]) {
    for (const name of names)
      yield* (await bucket.get(blockKey(uploadId, name))) as AsyncIterable<Buffer>;
  }

  return {
    listBlocks,
    async putBlock(uploadId, name, content, maximumBytes) {
      const block = await trackBlock({ uploadId, name, maximumBytes }, () =>
        readBlockSizes(uploadId),
      );
      try {
        const key = blockKey(uploadId, name);
        await writeObject(bucket, key, readContent(content), block.count);
      } finally {
        block.end();
      }
    },
    async putBlockList(uploadId, names, maximumBytes) {
      const sizes = await readBlockSizes(uploadId);
      if (names.length === 0 || !names.every((name) => sizes.has(name))) return false;
      // A list may name one block several times.
      if (names.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0) > maximumBytes)
        throw tooLarge(maximumBytes);
      refuseWhenQueueFull(limitCopies, maximumQueueLength);
      // Each assembled file has a name of its own and never changes: what is inspected is what is
      // stored, on storages too that do not compare versions when they copy.
      const whole = incoming(uploadId, `whole-${randomUUID()}`);
      const others = await keysBelow(bucket, incoming(uploadId, 'whole-'));
      try {
        await limitCopies(() =>
          writeObject(bucket, whole, readBlocks(uploadId, names), () => undefined),
        );
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
      const blocks = [...sizes.keys()].map((name) => blockKey(uploadId, name));
      await bucket.removeAll([...others, ...blocks]);
      return true;
    },
  };
}

/** The names of S3 for keys that it does not know or that may not do what the store does. */
const wrongKeys = [
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'AuthorizationHeaderMalformed',
  'AccessDenied',
  'Forbidden',
  'ExpiredToken',
  'InvalidToken',
];

function describeStart(error: unknown, place: S3Place): ConfigError {
  const reason = describeFailure(error);
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  if (wrongKeys.includes(nameOf(error)) || status === 401 || status === 403)
    return new ConfigError(
      'Settings S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY cannot be used: the storage refuses them, ' +
        `or they may not list, write, read and delete in the bucket ${place.bucket} (${reason})`,
    );
  if (status === 301 || nameOf(error) === 'PermanentRedirect')
    return new ConfigError(
      `Setting S3_REGION cannot be used: the bucket ${place.bucket} is in another one (${reason})`,
    );
  return new ConfigError(
    `Setting ${place.endpoint ? 'S3_ENDPOINT' : 'S3_BUCKET'} cannot be used: ` +
      `the bucket ${place.bucket} cannot be opened (${reason})`,
  );
}

/** Creates a missing bucket, and tries what the store needs. Throws a `ConfigError`. */
async function checkBucket({ client }: Bucket, place: S3Place): Promise<void> {
  const Bucket = place.bucket;
  const Key = `incoming/start-${randomUUID()}`;
  try {
    await client
      .send(new ListObjectsV2Command({ Bucket, Prefix: Key, MaxKeys: 1 }))
      .catch(async (error: unknown) => {
        if (nameOf(error) !== 'NoSuchBucket') throw error;
        await client.send(new CreateBucketCommand({ Bucket }));
      });
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'start' }));
    await client.send(new HeadObjectCommand({ Bucket, Key }));
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
  } catch (error) {
    client.destroy();
    throw describeStart(error, place);
  }
}

/**
 * Stores files in a bucket of a storage with the protocol of Amazon S3: below `incoming/<upload id>/`
 * until they are inspected, then as `kept/<id>`. Browsers send to this server, which needs no disk.
 * Each part is sent with its checksum. Throws a `ConfigError` where the bucket cannot be used.
 */
export async function openS3Store(
  place: S3Place,
  warn: (message: string) => void = () => undefined,
): Promise<FileStore> {
  const bucket = openBucket(place, warn);
  await checkBucket(bucket, place);
  const stored = (id: string) => `kept/${id}`;
  const notFound = (error: unknown) => {
    throw isMissing(error) ? new Refusal('AttachmentNotFound') : error;
  };
  const discard = async (uploadId: string) =>
    bucket.removeAll(await keysBelow(bucket, incoming(uploadId)));

  return {
    async receive(content, maximumBytes) {
      const uploadId = randomUUID();
      const version = `whole-${randomUUID()}`;
      let size = 0;
      await writeObject(bucket, incoming(uploadId, version), readContent(content), (bytes) => {
        size += bytes;
        if (size > maximumBytes) throw tooLarge(maximumBytes);
      });
      return { uploadId, version, size };
    },
    async takeAssembled(uploadId) {
      const prefix = incoming(uploadId, 'whole-');
      let newest: (ListedObject & { Key: string }) | undefined;
      for await (const each of bucket.list(prefix))
        if (!newest || Number(each.LastModified) > Number(newest.LastModified)) newest = each;
      return (
        newest && {
          uploadId,
          version: newest.Key.slice(incoming(uploadId).length),
          size: newest.Size ?? 0,
        }
      );
    },
    readReceived: (file, range) =>
      bucket.get(incoming(file.uploadId, file.version), range).catch(notFound),
    async store(file, id) {
      await bucket.copy(incoming(file.uploadId, file.version), stored(id)).catch(notFound);
      await discard(file.uploadId);
    },
    discard,
    read: (id, range) => bucket.get(stored(id), range).catch(notFound),
    async sizeOf(id) {
      try {
        return (await bucket.head(stored(id))).ContentLength ?? 0;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async *list() {
      for await (const { Key, Size = 0 } of bucket.list('kept/'))
        yield { id: Key.slice('kept/'.length), size: Size };
    },
    remove: async (id) => void (await bucket.remove(stored(id))),
    async prune(before) {
      for await (const { Key, LastModified } of bucket.list('incoming/'))
        if (LastModified && LastModified < before) await bucket.remove(Key);
    },
    blocks: openBlocks(bucket),
  };
}
