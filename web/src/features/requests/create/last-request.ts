import { recall, remember } from '../../../lib/browser/browser-memory.ts';

const lastRequestKey = 'lastRequestNumber';

/** The number survives a reload and the way to the payment provider and back. */
export function rememberRequest(requestNumber: string): void {
  remember('session', lastRequestKey, requestNumber);
}

export function lastRequestNumber(): string | null {
  return recall('session', lastRequestKey);
}
