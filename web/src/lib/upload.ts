import { configuration } from './configuration.ts';
import { freshToken } from './fresh-token.ts';
import { errorFromReply, SendError } from './send-error.ts';
import { headersFor } from './transmit.ts';

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends a file with XMLHttpRequest, because fetch tells nothing of progress. `onProgress` gets 0 to 1. */
export async function upload(file: File, url: string, onProgress: (share: number) => void, signal: AbortSignal): Promise<unknown> {
  const token = await freshToken();
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url.startsWith('/') ? `${configuration().apiBaseUrl}${url}` : url);
    for (const [name, value] of Object.entries(headersFor(token, 'application/octet-stream'))) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      const body = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body);
      else reject(errorFromReply(request.status, body, true));
    };
    request.onerror = () => reject(new SendError(0, 'ServerNotConnected', '', {}, true));
    request.onabort = () => reject(new DOMException('Aborted', 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}
