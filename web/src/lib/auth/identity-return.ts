/** What UAE PASS leads the browser back with; `state` is empty when there is none. */
export interface IdentityReturn {
  code: string;
  state: string;
}

const refusal = /cancelled|invalid_request|login_required|access_denied/i;

/**
 * A way back is an address of home with a code, or one that says that there was no sign-in. Source:
 * specification §2.
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
 * Runs before anything else reads the address: the code is taken out of it at once, so that it
 * stays in no history and is used once.
 */
export function catchIdentityReturn(): void {
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
