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
import { Refusal } from '#platform/core/refusals.ts';
import type { FileStore } from './file-store.ts';

const isMissing = (error: unknown) => error instanceof RestError && error.statusCode === 404;
const readSeconds = 300;
// The clock of the service may differ from ours by some minutes.
const clockSkewMs = 300_000;

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
 * Stores files in a container of Azure Blob Storage: as `incoming/<upload id>` until they are
 * inspected, then as `kept/<id>`. It creates a missing container, without public access.
 * `connectionString` holds the name of an account and its key, which signs addresses for browsers.
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
  const incoming = (uploadId: string) => container.getBlockBlobClient(`incoming/${uploadId}`);
  const stored = (id: string) => container.getBlockBlobClient(`kept/${id}`);

  function sign(blobName: string, permissions: string, seconds: number): string {
    const values: BlobSASSignatureValues = {
      containerName,
      blobName,
      permissions: BlobSASPermissions.parse(permissions),
      startsOn: new Date(Date.now() - clockSkewMs),
      expiresOn: new Date(Date.now() + seconds * 1000),
    };
    const signature = generateBlobSASQueryParameters(
      values,
      credential as StorageSharedKeyCredential,
    );
    return `${container.getBlobClient(blobName).url}?${signature}`;
  }
  async function open(
    blob: ReturnType<typeof stored>,
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
      const uploadId = randomUUID();
      const { stream, size } = limited(content, maximumBytes);
      let streamError: Error | undefined;
      stream.once('error', (error) => (streamError = error));
      try {
        const { etag = '' } = await incoming(uploadId).uploadStream(stream, 1024 * 1024, 2);
        return { uploadId, version: etag, size: size() };
      } catch (error) {
        await incoming(uploadId).deleteIfExists();
        throw streamError ?? error;
      }
    },
    async takeAssembled(uploadId) {
      try {
        const { contentLength = 0, etag = '' } = await incoming(uploadId).getProperties();
        return { uploadId, version: etag, size: contentLength };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    readReceived: (file, range) => open(incoming(file.uploadId), range, file.version),
    async store(file, id) {
      // Only the inspected version is stored: the sender could write again meanwhile.
      await stored(id).syncCopyFromURL(sign(`incoming/${file.uploadId}`, 'r', readSeconds), {
        sourceConditions: { ifMatch: file.version },
      });
      await incoming(file.uploadId).deleteIfExists();
    },
    discard: async (uploadId) => void (await incoming(uploadId).deleteIfExists()),
    read: (id, range) => open(stored(id), range),
    async sizeOf(id) {
      try {
        return (await stored(id).getProperties()).contentLength ?? 0;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async *list() {
      for await (const { name, properties } of container.listBlobsFlat({ prefix: 'kept/' }))
        yield { id: name.slice('kept/'.length), size: properties.contentLength ?? 0 };
    },
    remove: async (id) => void (await stored(id).deleteIfExists()),
    async prune(before) {
      for await (const { name, properties } of container.listBlobsFlat({ prefix: 'incoming/' })) {
        if (properties.lastModified < before) await container.getBlobClient(name).deleteIfExists();
      }
    },
    directUploadUrl: (uploadId, seconds) => sign(`incoming/${uploadId}`, 'rcw', seconds),
  };
}
