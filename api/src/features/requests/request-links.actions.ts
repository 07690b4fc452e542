import type { Caller } from '../../platform/session.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { SealedText } from '../../platform/sealed-text.ts';
import { getVisibleId } from './list-requests.actions.ts';
import { visibleToCaller, type RequestsHouse } from './requests.actions.ts';
import * as store from './requests.store.ts';

/** Which request, by both of its names. */
export interface FoundRequest {
  requestId: number;
  requestNumber: string;
}

/** Makes and reads links that carry a request's number so that nobody reads it from them. They authorise nothing. Decision 0013. */
export interface RequestLinks {
  /** The whole address of a request for a message to a person. */
  make(requestNumber: string): string;
  /** The number; `undefined` for a value that was not made here. */
  read(value: string): string | undefined;
}

/** `publicUrl` is the address of the portal that people see. */
export function requestLinks(sealed: SealedText, publicUrl: string): RequestLinks {
  return {
    make: (requestNumber) => `${publicUrl}/requests?request=${encodeURIComponent(sealed.seal(requestNumber))}`,
    read: (value) => sealed.open(value),
  };
}

/** Whether the caller may see a request. Throws RequestNotFound when not, also for one that there is not. */
export async function checkRequestToView(house: RequestsHouse, caller: Caller, requestId: number): Promise<FoundRequest> {
  const row = await store.findVisible(house.database, requestId, visibleToCaller(caller));
  if (!row) throw new Refusal('RequestNotFound');
  return { requestId: row.id, requestNumber: row.number };
}

/** The request that a link leads to. A stranger who holds the link learns no more from it than from nonsense: RequestNotFound. */
export async function readRequestLink(house: RequestsHouse & { links: RequestLinks }, caller: Caller, value: string): Promise<FoundRequest> {
  const requestNumber = house.links.read(value);
  if (requestNumber === undefined) throw new Refusal('RequestNotFound');
  return { requestId: await getVisibleId(house, caller, requestNumber), requestNumber };
}
