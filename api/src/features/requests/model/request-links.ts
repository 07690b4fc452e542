import type { SealedText } from '../../../platform/auth/sealed-text.ts';

/**
 * Makes and reads links that carry a request's number so that nobody reads it from them. They
 * authorise nothing. Decision 0013.
 */
export interface RequestLinks {
  /** The whole address of a request for a message to a person. */
  make(requestNumber: string): string;
  /** The number; `undefined` for a value that was not made here. */
  read(value: string): string | undefined;
}

/** `publicUrl` is the address of the portal that people see. */
export function requestLinks(sealed: SealedText, publicUrl: string): RequestLinks {
  return {
    make: (requestNumber) =>
      `${publicUrl}/requests?request=${encodeURIComponent(sealed.seal(requestNumber))}`,
    read: (value) => sealed.open(value),
  };
}
