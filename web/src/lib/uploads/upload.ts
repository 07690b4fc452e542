import { freshToken } from '../api/fresh-token.ts';
import { errorFromReply, noConnection } from '../api/send-error.ts';
import { headersFor, parse, resolveAddress } from '../api/transmit.ts';

/**
 * Sends bytes with XMLHttpRequest, because fetch tells nothing of progress. `onProgress` gets 0 to
 * 1.
 */
export async function upload(
  content: Blob | string,
  url: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<unknown> {
  const { href, isOurs } = resolveAddress(url);
  const headers = isOurs ? headersFor(await freshToken(), 'application/octet-stream') : {};
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', href);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      const body = parse(request.responseText);
      const isSent = request.status >= 200 && request.status < 300;
      // Blob storage answers without a body; in place of ours there would be the page of something
      // between us and the server.
      if (isSent && isOurs && body === undefined) reject(noConnection(true));
      else if (isSent) resolve(body);
      else
        reject(
          errorFromReply(request.status, body, true, request.getResponseHeader('retry-after')),
        );
    };
    request.onerror = () => reject(noConnection(true));
    request.onabort = () => reject(new DOMException('Aborted', 'AbortError'));
    const stop = () => request.abort();
    signal.addEventListener('abort', stop);
    request.onloadend = () => signal.removeEventListener('abort', stop);
    request.send(content);
  });
}
