import type { Caller } from '#platform/auth/caller.ts';
import type { TokenEncryptor } from '#platform/auth/encrypted-token.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import { getIdByNumber, getVisibleRequest, visibleTo } from './visibility.actions.ts';

/**
 * Makes and reads links that carry a request's number encrypted. A link grants no permission.
 * Decision 0013.
 */
export interface RequestLinks {
  /** The whole address of a request, for messages to people. */
  make(requestNumber: string): string;
  /** The same without the origin. */
  pathOf(requestNumber: string): string;
  /** The request number; `undefined` for a value that was not made here. */
  read(value: string): string | undefined;
}

/** `publicUrl` is the address of the portal that people see. */
export function requestLinks(encryptor: TokenEncryptor, publicUrl: string): RequestLinks {
  const pathOf = (requestNumber: string) =>
    `/requests?request=${encodeURIComponent(encryptor.encrypt(requestNumber))}`;
  return {
    make: (requestNumber) => publicUrl + pathOf(requestNumber),
    pathOf,
    read: (value) => encryptor.decrypt(value),
  };
}

/** The id and the number of a request. */
interface RequestIdentity {
  requestId: number;
  requestNumber: string;
}

/** The number of a request that the caller may see. Throws RequestNotFound. */
export async function checkRequestToView(
  { database }: { database: Database },
  caller: Caller,
  requestId: number,
): Promise<RequestIdentity> {
  const { id, number } = await getVisibleRequest(database, caller, requestId);
  return { requestId: id, requestNumber: number };
}

/**
 * The request that a link leads to. Throws RequestNotFound for an unreadable link and for a request
 * that the caller may not see alike.
 */
export async function readRequestLink(
  { database, links }: { database: Database; links: RequestLinks },
  caller: Caller,
  value: string,
): Promise<RequestIdentity> {
  const requestNumber = links.read(value);
  if (requestNumber === undefined) throw new Refusal('RequestNotFound');
  return {
    requestId: await getIdByNumber(database, requestNumber, visibleTo(caller)),
    requestNumber,
  };
}
