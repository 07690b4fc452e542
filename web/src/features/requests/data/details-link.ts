/**
 * Where a request's page is: navigation state carries the number (specification §2), the query
 * survives a copied address.
 */
export function detailsLink(
  requestNumber: string,
  from?: string,
): { to: string; state: { requestNumber: string; from?: string } } {
  return {
    to: `/requests/request-details?request-number=${encodeURIComponent(requestNumber)}`,
    state: { requestNumber, from },
  };
}

export function readDetailsLink(
  state: unknown,
  search: URLSearchParams,
): { requestNumber: string | undefined; from: string | undefined } {
  const carried =
    typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {};
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return {
    requestNumber: text(carried.requestNumber) ?? text(search.get('request-number')),
    from: text(carried.from),
  };
}
