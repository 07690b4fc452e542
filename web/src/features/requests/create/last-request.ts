import { loadItem, storeItem } from '#lib/browser/storage.ts';

const lastRequestKey = 'lastRequestNumber';

/** Stores the number for reloads and the return from the payment provider. */
export function storeLastRequestNumber(requestNumber: string): void {
  storeItem('session', lastRequestKey, requestNumber);
}

export function loadLastRequestNumber(): string | null {
  return loadItem('session', lastRequestKey);
}
