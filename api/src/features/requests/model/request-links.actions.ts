import type { Caller } from '../../../platform/auth/session.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import { getVisibleId } from '../lists/list-requests.actions.ts';
import type { RequestLinks } from './request-links.ts';
import { getVisible, type RequestsContext } from '../requests.actions.ts';

/** Which request, by both of its names. */
export interface FoundRequest {
  requestId: number;
  requestNumber: string;
}

/**
 * Whether the caller may see a request. Throws RequestNotFound when not, also for one that there is
 * not.
 */
export async function checkRequestToView(
  context: RequestsContext,
  caller: Caller,
  requestId: number,
): Promise<FoundRequest> {
  const { id, number } = await getVisible(context.database, caller, requestId);
  return { requestId: id, requestNumber: number };
}

/**
 * The request that a link leads to. A stranger who holds the link learns no more from it than from
 * nonsense: RequestNotFound.
 */
export async function readRequestLink(
  context: RequestsContext & { links: RequestLinks },
  caller: Caller,
  value: string,
): Promise<FoundRequest> {
  const requestNumber = context.links.read(value);
  if (requestNumber === undefined) throw new Refusal('RequestNotFound');
  return { requestId: await getVisibleId(context, caller, requestNumber), requestNumber };
}
