import { checkRequestToView, readRequestLink } from '@diwan/contract/requests/requests';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { send } from '../../../lib/api/send.ts';
import { SendError } from '../../../lib/api/send-error.ts';
import { keepReturnUrl, storeToken } from '../../../lib/api/session.ts';
import { showToast } from '../../../lib/browser/toasts.ts';

async function findNumber(request: string, signal: AbortSignal): Promise<string> {
  const options = { signal, skipErrorHandling: true };
  const { requestId } = await send(readRequestLink, { query: { request }, ...options });
  return (await send(checkRequestToView, { query: { RequestId: requestId }, ...options }))
    .requestNumber;
}

/**
 * Where a link with an encrypted number leads whoever is signed in: the details of the request, or
 * on an error the list. Source: specification §2, §8.
 */
export async function findLinkedPage(request: string, { signal, url }: Request): Promise<string> {
  try {
    return `/requests/request-details?request-number=${encodeURIComponent(await findNumber(request, signal))}`;
  } catch (error) {
    if (signal.aborted) throw error;
    const status = error instanceof SendError ? error.status : undefined;
    // Whatever is wrong with the link, to a person it is a request that was not found.
    showToast(
      messageOf(
        status === 400 || status === 404 ? new SendError(404, 'RequestNotFound', '') : error,
      ),
      'danger',
    );
    if (status !== 401) return '/requests';
    // The session ended meanwhile: the person signs in and comes back to the link.
    const { pathname, search } = new URL(url);
    keepReturnUrl(`${pathname}${search}`);
    storeToken(null);
    return '/account/login';
  }
}
