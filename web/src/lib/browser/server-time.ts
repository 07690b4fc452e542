import { dayInDubai } from '@diwan/contract/wire/days';
import { loadItem, storeItem } from './storage.ts';

/** Milliseconds from the clock of this device to that of the server; beside the token. */
export const clockOffsetKey = 'clockOffset';

/**
 * Notes what the clock of the server shows now, in seconds: the time at which it issued a token that
 * has just arrived. A token of another tab is older and says nothing.
 */
export function noteServerTime(seconds: number): void {
  storeItem('session', clockOffsetKey, String(seconds * 1000 - Date.now()));
}

/**
 * The time of the server in milliseconds, for all that is compared with its times: the clock of the
 * device may be hours off. That of the device where no token has arrived yet. Lengths that begin and
 * end on this device need no clock of the server.
 */
export const serverNow = (): number =>
  Date.now() + (Number(loadItem('session', clockOffsetKey)) || 0);

/** Today in Asia/Dubai as YYYY-MM-DD by the clock of the server. */
export const serverToday = (): string => dayInDubai(new Date(serverNow()));
