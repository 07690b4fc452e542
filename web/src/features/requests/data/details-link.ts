import { cleanIdentifier } from '@diwan/contract/wire/typed-text';

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

/** The parameter of a list's address that holds what was searched for. */
export const keywordParameter = 'q';
const keywordOf = (list: string) =>
  new URLSearchParams(list.split('?')[1]).get(keywordParameter) ?? undefined;

/** Whether a typed text is this request number, in any spelling. */
export const isSameNumber = (typed: string, requestNumber: string): boolean => {
  const [first, second] = [typed, requestNumber].map((text) =>
    cleanIdentifier(text)
      .replace(/[^\da-z]/gi, '')
      .toLowerCase(),
  );
  return first === second;
};

/** `typed` is what the user searched for when they found the request. */
export function readDetailsLink(
  state: unknown,
  search: URLSearchParams,
): {
  requestNumber: string | undefined;
  from: string | undefined;
  typed: string | undefined;
} {
  const fields =
    typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {};
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const from = text(fields.from);
  return {
    requestNumber: text(fields.requestNumber) ?? text(search.get('request-number')),
    from,
    typed: text(fields.typed) ?? (from === undefined ? undefined : keywordOf(from)),
  };
}
