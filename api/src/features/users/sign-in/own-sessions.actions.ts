import type { OwnSession } from '@diwan/contract/people/accounts';
import type { AppContext } from '../../../platform/http/context.ts';
import { Refusal } from '../../../platform/core/refusals.ts';
import type { Caller } from '../../../platform/auth/session.ts';
import { endOwnSessions, listOwnSessions } from './own-sessions.store.ts';

// The order matters: every one of them also names those after it.
const browsers: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const systems: readonly [name: string, sign: RegExp][] = [
  ['Windows', /\bWindows\b/],
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** What a browser calls itself, in the two words that people know. */
export function describeAgent(agent: string): { browser?: string; system?: string } {
  const browser = browsers.find(([, sign]) => sign.test(agent))?.[0];
  const system = systems.find(([, sign]) => sign.test(agent))?.[0];
  return { ...(browser ? { browser } : {}), ...(system ? { system } : {}) };
}

/** Where the caller is signed in. */
export async function readOwnSessions(
  { database, config }: Pick<AppContext, 'database' | 'config'>,
  caller: Caller,
): Promise<OwnSession[]> {
  const rows = await listOwnSessions(
    database,
    caller.userId,
    new Date(Date.now() - config.SESSION_SECONDS * 1000),
  );
  return rows.map((row) => ({
    sessionId: row.id,
    ...describeAgent(row.user_agent),
    isUAEPass: row.is_uae_pass,
    isCurrent: row.id === caller.sessionId,
    startedAt: row.created_at.toISOString(),
    lastSeenAt: row.rotated_at.toISOString(),
    ...(row.actor_name !== null && row.acts_until
      ? { actorName: row.actor_name, actsUntil: row.acts_until.toISOString() }
      : {}),
  }));
}

/** Ends one session of the caller, or all of them with this one. */
export async function endSessionsOf(
  { database }: Pick<AppContext, 'database'>,
  caller: Caller,
  only: string | undefined,
  address: string,
): Promise<number> {
  const ended = await database
    .transaction()
    .execute((transaction) =>
      endOwnSessions(transaction, caller.userId, { only, reason: 'endedByOwner', address }),
    );
  if (only !== undefined && ended === 0) throw new Refusal('NotFound');
  return ended;
}
