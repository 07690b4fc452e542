import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headerFileName } from './file-name.ts';
import type { ByteRange } from './stores/file-store.ts';

/** A document that the caller may read. Its content never changes. */
interface DownloadableFile {
  id: string;
  file_name: string;
  media_type: string;
  size: number;
}

/** A file and its content, or a range of it. */
export interface MadeFile {
  file: DownloadableFile;
  open(range: ByteRange | undefined): Promise<Readable>;
}

/**
 * The single range of the header Range; `undefined` when the whole file is sent, `null` when the range
 * does not exist. Source: RFC 9110, 14.2.
 */
export function readRange(header: string | undefined, size: number): ByteRange | null | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [first, last] = [match[1], match[2]];
  if (first === '')
    return Number(last) === 0 ? null : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const range = {
    start: Number(first),
    end: last === '' ? size - 1 : Math.min(Number(last), size - 1),
  };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return range.start < size ? range : null;
}

/**
 * Sends a document, or the requested range of it, while it is read. Its headers prevent content that
 * acts in the portal's name.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: DownloadableFile,
  open: (range: ByteRange | undefined) => Promise<Readable>,
): Promise<FastifyReply> {
  const etag = `"${file.id}"`;
  const isSame = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
  const range = isSame ? readRange(request.headers.range, file.size) : undefined;
  reply
    .header('content-disposition', `attachment; filename*=UTF-8''${headerFileName(file.file_name)}`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cache-control', 'private, no-store')
    .header('accept-ranges', 'bytes')
    .header('etag', etag);
  if (range === null)
    return reply.status(416).header('content-range', `bytes */${file.size}`).send();
  reply
    .type(file.media_type)
    .header('content-length', range ? range.end - range.start + 1 : file.size);
  if (range)
    reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
  // For HEAD, Fastify would read a whole stream and discard it.
  return reply.send(request.method === 'HEAD' ? Readable.from([]) : await open(range));
}
