const lastRequestKey = 'lastRequestNumber';

/** The number survives a reload and the way to the payment provider and back. */
export function rememberRequest(requestNumber: string): void {
  window.sessionStorage.setItem(lastRequestKey, requestNumber);
}

export function lastRequestNumber(): string | null {
  return window.sessionStorage.getItem(lastRequestKey);
}
