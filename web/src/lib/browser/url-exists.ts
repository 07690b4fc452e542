import { freshToken } from '../api/fresh-token.ts';
import { headersFor, resolveAddress } from '../api/transmit.ts';

/**
 * Whether something is there, by a HEAD call that no error handler hears of. Source: specification
 * §7. False also without a connection.
 */
export async function urlExists(url: string): Promise<boolean> {
  try {
    const { href, isOurs } = resolveAddress(url);
    const own = isOurs
      ? { headers: headersFor(await freshToken(), null), credentials: 'include' as const }
      : {};
    return (await fetch(href, { method: 'HEAD', ...own })).ok;
  } catch {
    return false;
  }
}
