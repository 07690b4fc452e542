import { clockOffsetKey } from '../browser/server-time.ts';
import { isSharedComputer, loadItem, storeItem } from '../browser/storage.ts';
import { showToast } from '../browser/toasts.ts';
import { t } from '../i18n/translate.ts';
import { goToLogin } from './handle-error.ts';
import {
  decodeToken,
  identityFlagKey,
  onTokenChange,
  ownTokenKey,
  readToken,
  storeToken,
} from './session.ts';

/** The part of the session storage that another tab of the same session needs. */
interface StoredSession {
  token: string;
  identityFlag: string | null;
  ownToken: string | null;
  clockOffset: string | null;
}

/** What tabs tell each other. `sessionId` is that of the server. */
type Message =
  | { kind: 'ask' }
  | { kind: 'answer'; stored: StoredSession; isVisible: boolean }
  | { kind: 'replaced'; old: string; token: string }
  | { kind: 'ended'; sessionId: string };

/**
 * How long a tab waits for the first answer: of a tab that is known to be signed in, and where that
 * is unknown, as on an address without TLS. Then for the tab that the user looks at.
 */
const signedInMs = 5000;
const unknownMs = 150;
const visibleMs = 40;

// Each tab that is signed in holds a lock with such a name, which the others see without its help.
const lockPrefix = 'signed-in ';
const ownLock = `${lockPrefix}${Math.random()}`;

let channel: BroadcastChannel | undefined;
// A tab in which the user signed out does not take over another session without a reload.
let mayAdopt = true;
const waiting = new Set<(answer: Extract<Message, { kind: 'answer' }>) => void>();

/** The id of a token's session; it stays when the token is exchanged. */
const readSessionId = (token: string): unknown =>
  (decodeToken(token) as { sid?: unknown } | null)?.sid;

const exportSession = (token: string): StoredSession => ({
  token,
  identityFlag: loadItem('session', identityFlagKey),
  ownToken: loadItem('session', ownTokenKey),
  clockOffset: loadItem('session', clockOffsetKey),
});

function adoptSession({ token, identityFlag, ownToken, clockOffset }: StoredSession): void {
  if (!decodeToken(token)) return;
  if (identityFlag !== null) storeItem('session', identityFlagKey, identityFlag);
  if (ownToken !== null) storeItem('session', ownTokenKey, ownToken);
  if (clockOffset) storeItem('session', clockOffsetKey, clockOffset);
  storeToken(token, { isNew: false });
}

/** Stores the token for which another tab has exchanged the same old one. */
function replaceToken(old: string, token: string): void {
  if (readToken() === old) storeToken(token, { isNew: false });
  if (loadItem('session', ownTokenKey) === old) storeItem('session', ownTokenKey, token);
}

function send(message: Message): void {
  if (isSharedComputer()) return;
  channel?.postMessage(message);
}

function receive(message: Message): void {
  if (isSharedComputer()) return;
  const token = readToken();
  if (message.kind === 'answer') for (const take of waiting) take(message);
  else if (token === null) return;
  else if (message.kind === 'ask')
    send({ kind: 'answer', stored: exportSession(token), isVisible: !document.hidden });
  else if (message.kind === 'replaced') replaceToken(message.old, message.token);
  else if (message.kind === 'ended' && readSessionId(token) === message.sessionId)
    goToLogin(() => showToast(t('signedOutInOtherTab', { ns: 'errors' }), 'info'));
}

let releaseLock: (() => void) | undefined;
// A tab that the browser has frozen, or keeps for the way back, does not answer.
let isAway = false;

function lockWhileSignedIn(): void {
  const isLocked = releaseLock !== undefined;
  if (isLocked === (readToken() !== null && !isAway && !isSharedComputer())) return;
  releaseLock?.();
  releaseLock = undefined;
  if (isLocked) return;
  const untilReleased = new Promise<void>((resolve) => (releaseLock = resolve));
  navigator.locks.request(ownLock, () => untilReleased).catch(() => undefined);
}

function showInLocks(): void {
  const setAway = (away: boolean) => () => {
    isAway = away;
    lockWhileSignedIn();
  };
  document.addEventListener('freeze', setAway(true));
  document.addEventListener('resume', setAway(false));
  window.addEventListener('pagehide', setAway(true));
  window.addEventListener('pageshow', setAway(false));
  onTokenChange(lockWhileSignedIn);
  lockWhileSignedIn();
}

/** Answers other tabs from now on. */
export function listenToTabs(): void {
  if (channel || !('BroadcastChannel' in window)) return;
  channel = new BroadcastChannel('session');
  channel.onmessage = ({ data }: MessageEvent<Message>) => receive(data);
  if ('locks' in navigator) showInLocks();
}

async function isOtherTabSignedIn(): Promise<boolean> {
  if (!('locks' in navigator)) return false;
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name = '' }) => name.startsWith(lockPrefix) && name !== ownLock);
}

// The session of the tab that the user looks at, else of the first one that answers.
function askTabs(): Promise<StoredSession | undefined> {
  listenToTabs();
  if (!channel || isSharedComputer()) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    let found: StoredSession | undefined;
    const end = () => {
      waiting.delete(take);
      resolve(found);
    };
    const take = ({ stored, isVisible }: Extract<Message, { kind: 'answer' }>) => {
      if (!found) setTimeout(end, visibleMs);
      if (!found || isVisible) found = stored;
      if (isVisible) end();
    };
    const giveUp = () => found ?? end();
    waiting.add(take);
    send({ kind: 'ask' });
    isOtherTabSignedIn().then(
      (isKnown) => setTimeout(giveUp, isKnown ? signedInMs : unknownMs),
      giveUp,
    );
  });
}

/**
 * Takes over the session of another tab of this browser, where this tab has none. The session storage
 * of a new tab is empty (specification §3). False when no tab is signed in.
 */
export async function takeSessionOfOtherTab(): Promise<boolean> {
  listenToTabs();
  if (!mayAdopt || readToken() !== null) return readToken() !== null;
  const stored = await askTabs();
  // The user may have signed in or out meanwhile.
  if (stored && mayAdopt && readToken() === null) adoptSession(stored);
  return readToken() !== null;
}

/** Whether another tab uses the session of a token. */
export async function isUsedInOtherTab(token: string): Promise<boolean> {
  const stored = await askTabs();
  return stored !== undefined && readSessionId(stored.token) === readSessionId(token);
}

/** Tells the other tabs that a token was exchanged. */
export function announceToken(old: string, token: string): void {
  listenToTabs();
  send({ kind: 'replaced', old, token });
}

/** Tells the other tabs that the user has ended the session of a token. */
export function announceEnd(token: string): void {
  listenToTabs();
  mayAdopt = false;
  const sessionId = readSessionId(token);
  if (typeof sessionId === 'string') send({ kind: 'ended', sessionId });
}
