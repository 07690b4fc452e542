/**
 * The link to a request's page. The navigation state carries the number (specification §2); the
 * query parameter makes a copied address work too. `from` is the address of the list.
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
  const fields =
    typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {};
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return {
    requestNumber: text(fields.requestNumber) ?? text(search.get('request-number')),
    from: text(fields.from),
  };
}
