/** The parameters with which UAE PASS redirects back; `state` is empty when it is missing. */
export interface IdentityReturn {
  code: string;
  state: string;
}

const refusal = /cancelled|invalid_request|login_required|access_denied/i;

/**
 * Reads an address of home to which UAE PASS redirected, with a code or a refusal. Null for every
 * other address. Source: specification §2.
 */
export function readIdentityReturn(
  pathname: string,
  search: string,
): IdentityReturn | 'refused' | null {
  if (!/^\/(home\/?)?$/.test(pathname)) return null;
  const query = new URLSearchParams(search);
  const code = query.get('code');
  if (code !== null) return { code, state: query.get('state') ?? '' };
  return refusal.test(search) ? 'refused' : null;
}

let returned: IdentityReturn | 'refused' | null = null;

/**
 * Reads the code and removes it from the address, so that it is in no history and used once. Must
 * run before other code reads the address.
 */
export function captureIdentityReturn(): void {
  returned = readIdentityReturn(window.location.pathname, window.location.search);
  if (returned !== null)
    window.history.replaceState(null, '', returned === 'refused' ? '/home' : '/home/identity');
}

export function takeIdentityReturn(): IdentityReturn | null {
  const taken = returned;
  returned = null;
  return taken === 'refused' ? null : taken;
}

export function isIdentityRefused(): boolean {
  return returned === 'refused';
}
