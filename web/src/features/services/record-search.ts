import { send } from '#lib/api/send.ts';
import { recordSearch } from '@diwan/contract/catalogue/searches';

const recorded = new Set<string>();

/**
 * Tells the server that a text was searched, or that a service was opened from it: once for each page
 * load. A failure changes nothing for the user.
 */
export function countSearch(text: string, serviceId?: number): void {
  const key = `${serviceId ?? ''} ${text}`;
  if (recorded.has(key)) return;
  recorded.add(key);
  void send(recordSearch, {
    body: { text: text.slice(0, 400), ...(serviceId === undefined ? {} : { serviceId }) },
    skipErrorHandling: true,
    keepalive: true,
  }).catch(() => undefined);
}
