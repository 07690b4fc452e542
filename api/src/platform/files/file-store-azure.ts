import { randomUUID } from 'node:crypto';
import { Transform, type Readable } from 'node:stream';
import {
  BlobSASPermissions,
  BlobServiceClient,
  RestError,
  type BlobSASSignatureValues,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import type { FileStore } from './file-store.ts';
import { Refusal } from '../core/refusals.ts';

const isMissing = (error: unknown) => error instanceof RestError && error.statusCode === 404;
const readSeconds = 300;
// The service's clock and ours may differ by some minutes.
const earlierMs = 300_000;

function limited(
  content: Readable,
  maximumBytes: number,
): { stream: Transform; size: () => number } {
  let size = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(
        size > maximumBytes
          ? new Refusal('AttachmentTooLarge', { maximum: Math.floor(maximumBytes / 1024 / 1024) })
          : null,
        chunk,
      );
    },
  });
  content.once('error', () => stream.destroy(new Refusal('AttachmentIncomplete')));
  content.once('close', () => {
    if (!content.readableEnded) stream.destroy(new Refusal('AttachmentIncomplete'));
  });
  content.pipe(stream);
  return { stream, size: () => size };
}

/**
 * Keeps files in a container of Azure Blob Storage: `incoming/<part>` until they are judged,
 * `kept/<id>` after that. The container is made if it is missing and
 * has no public access. `connectionString` names an account and its key, with which addresses for
 * browsers are signed.
 */
export async function openAzureStore(
  connectionString: string,
  containerName: string,
): Promise<FileStore> {
  const service = BlobServiceClient.fromConnectionString(connectionString, {
    retryOptions: { maxTries: 3, tryTimeoutInMs: 30_000 },
  });
  const { credential } = service;
  if (!(credential instanceof StorageSharedKeyCredential))
    throw new Error('AZURE_STORAGE_CONNECTION_STRING must hold AccountName and AccountKey');
  const container = service.getContainerClient(containerName);
  await container.createIfNotExists();
  const incoming = (part: string) => container.getBlockBlobClient(`incoming/${part}`);
  const kept = (id: string) => container.getBlockBlobClient(`kept/${id}`);

  function sign(blobName: string, permissions: string, seconds: number): string {
    const values: BlobSASSignatureValues = {
      containerName,
      blobName,
      permissions: BlobSASPermissions.parse(permissions),
      startsOn: new Date(Date.now() - earlierMs),
      expiresOn: new Date(Date.now() + seconds * 1000),
    };
    return `${container.getBlobClient(blobName).url}?${generateBlobSASQueryParameters(values, credential as StorageSharedKeyCredential)}`;
  }
  async function open(
    blob: ReturnType<typeof kept>,
    range?: { start: number; end: number },
    etag?: string,
  ): Promise<Readable> {
    const options = etag ? { conditions: { ifMatch: etag } } : {};
    const reply = await blob
      .download(range?.start ?? 0, range && range.end - range.start + 1, options)
      .catch((error: unknown) => {
        throw isMissing(error) ? new Refusal('AttachmentNotFound') : error;
      });
    if (!reply.readableStreamBody) throw new Error('The storage answered without content');
    return reply.readableStreamBody as Readable;
  }

  return {
    async receive(content, maximumBytes) {
      const part = randomUUID();
      const { stream, size } = limited(content, maximumBytes);
      let fault: Error | undefined;
      stream.once('error', (error) => (fault = error));
      try {
        const { etag = '' } = await incoming(part).uploadStream(stream, 1024 * 1024, 2);
        return { part, version: etag, size: size() };
      } catch (error) {
        await incoming(part).deleteIfExists();
        throw fault ?? error;
      }
    },
    async take(part) {
      try {
        const { contentLength = 0, etag = '' } = await incoming(part).getProperties();
        return { part, version: etag, size: contentLength };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    readReceived: (file, range) => open(incoming(file.part), range, file.version),
    async keep(file, id) {
      // The condition holds what was judged: who has the address could write again meanwhile.
      await kept(id).syncCopyFromURL(sign(`incoming/${file.part}`, 'r', readSeconds), {
        sourceConditions: { ifMatch: file.version },
      });
      await incoming(file.part).deleteIfExists();
    },
    drop: async (part) => void (await incoming(part).deleteIfExists()),
    read: (id, range) => open(kept(id), range),
    remove: async (id) => void (await kept(id).deleteIfExists()),
    async prune(before) {
      for await (const { name, properties } of container.listBlobsFlat({ prefix: 'incoming/' })) {
        if (properties.lastModified < before) await container.getBlobClient(name).deleteIfExists();
      }
    },
    directAddress: (part, seconds) => sign(`incoming/${part}`, 'rcw', seconds),
  };
}
