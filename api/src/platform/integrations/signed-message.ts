import { createHmac } from 'node:crypto';
import { isSameSecret } from '../core/same-secret.ts';
import { MessageRefused } from './payment-provider.ts';

/** How old a message may be, and how far the clocks may differ, in seconds. */
const toleranceSeconds = 300;

/** The signature of a message at a time in seconds: HMAC-SHA256 of `<time>.<body>` in hex. */
function signatureOf(secret: string, seconds: number, body: Buffer | string): string {
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
}

/** The header of a signed message: `t=<seconds>,v1=<signature>`. */
export function signMessage(secret: string, body: Buffer | string, now = new Date()): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return `t=${seconds},v1=${signatureOf(secret, seconds, body)}`;
}

/**
 * Checks the header of a signed message. A header may hold several signatures, because a provider
 * signs with two secrets while one replaces the other; or only with the new one, and both are given
 * here. Throws `MessageRefused`.
 */
export function verifySignature(
  secrets: readonly string[],
  header: string | string[] | undefined,
  body: Buffer,
  now: Date,
): void {
  const parts = (typeof header === 'string' ? header : '').split(',').map((part) => part.trim());
  const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  if (!/^\d{1,12}$/.test(time)) throw new MessageRefused('notGenuine');
  const expected = secrets.map((secret) => signatureOf(secret, Number(time), body));
  const isGenuine = parts.some(
    (part) => part.startsWith('v1=') && expected.some((each) => isSameSecret(part.slice(3), each)),
  );
  // guard: signature of a message of a provider (payment-safety)
  if (!isGenuine) throw new MessageRefused('notGenuine');
  // guard: age of a message of a provider (payment-safety)
  if (Math.abs(now.getTime() / 1000 - Number(time)) > toleranceSeconds)
    throw new MessageRefused('tooOld');
}

/** The JSON of a message. Throws `MessageRefused`. */
export function parseMessage(raw: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    throw new MessageRefused('unreadable');
  }
}
