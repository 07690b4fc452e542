import { backgroundHeader } from '@diwan/contract/wire/call';

// A poll a minute after the last press still counts.
const activeMs = 120_000;
const keepAliveMs = 300_000;
const signs = ['pointermove', 'pointerdown', 'keydown', 'input', 'scroll'] as const;

// To open the page is a sign of the user as well.
let lastActiveAt = Date.now();
let lastUseAt = Date.now();

/** How long the user has done nothing. */
export const idleMs = (): number => Date.now() - lastActiveAt;

/** The header of a call that the user has not caused: it does not keep the session alive. */
export function activityHeaders(): Record<string, string> {
  if (Date.now() - lastActiveAt > activeMs) return { [backgroundHeader]: '1' };
  lastUseAt = Date.now();
  return {};
}

/**
 * Notes when the user does something. A user who reads or types for five minutes without any call is
 * not idle: then it calls `keepAlive`. Decision 0037.
 */
export function watchUserActivity(keepAlive: () => void): void {
  const note = () => {
    lastActiveAt = Date.now();
    if (lastActiveAt - lastUseAt <= keepAliveMs) return;
    lastUseAt = lastActiveAt;
    keepAlive();
  };
  for (const sign of signs) window.addEventListener(sign, note, { capture: true, passive: true });
}
