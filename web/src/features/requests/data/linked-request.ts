import { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import { storeReturnUrl, storeToken } from '#lib/api/session.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { checkRequestToView, readRequestLink } from '@diwan/contract/requests/requests';

async function fetchLinkedNumber(request: string, signal: AbortSignal): Promise<string> {
  const options = { signal, skipErrorHandling: true };
  const { requestId } = await send(readRequestLink, { query: { request }, ...options });
  return (await send(checkRequestToView, { query: { RequestId: requestId }, ...options }))
    .requestNumber;
}

/**
 * The page to which a link with an encrypted request number leads a signed-in user: the details of
 * the request, or the list after an error. Source: specification §2, §8.
 */
export async function resolveLinkedPage(
  request: string,
  { signal, url }: Request,
): Promise<string> {
  try {
    return `/requests/request-details?request-number=${encodeURIComponent(await fetchLinkedNumber(request, signal))}`;
  } catch (error) {
    if (signal.aborted) throw error;
    const status = error instanceof ApiError ? error.status : undefined;
    // Every problem with the link itself is shown as a request that was not found.
    showToast(
      messageOf(
        status === 400 || status === 404 ? new ApiError(404, 'RequestNotFound', '') : error,
      ),
      'danger',
    );
    if (status !== 401) return '/requests';
    // The session has ended: the user signs in and returns to the link.
    const { pathname, search } = new URL(url);
    storeReturnUrl(`${pathname}${search}`);
    storeToken(null);
    return '/account/login';
  }
}
