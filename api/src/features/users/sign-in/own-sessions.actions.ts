import { announceAccessChange } from '#platform/auth/access-changes.ts';
import { idleLimitMs, type Caller } from '#platform/auth/caller.ts';
import { localizePersonName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { AppContext } from '#platform/http/context.ts';
import type { OwnSession } from '@diwan/contract/people/accounts';
import type { Language } from '@diwan/contract/wire/languages';
import { endOwnSessions, listOwnSessions } from './own-sessions.store.ts';

// The order matters: the user agents of the first ones also contain the names of the later ones.
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

/** Returns the names of the browser and the operating system in a user agent. */
export function describeAgent(agent: string): { browser?: string; system?: string } {
  const browser = browsers.find(([, sign]) => sign.test(agent))?.[0];
  const system = systems.find(([, sign]) => sign.test(agent))?.[0];
  return { ...(browser ? { browser } : {}), ...(system ? { system } : {}) };
}

/** Lists the open sessions of the caller. */
export function readOwnSessions(
  context: Pick<AppContext, 'database' | 'config'>,
  caller: Caller,
  language: Language,
): Promise<OwnSession[]> {
  return readSessionsOf(context, {
    userId: caller.userId,
    roles: caller.roles,
    isActing: caller.actor !== undefined,
    currentSessionId: caller.sessionId,
    language,
  });
}

/** Lists the open sessions of a user, whose roles decide how long a session stays open unused. */
export async function readSessionsOf(
  { database, config }: Pick<AppContext, 'database' | 'config'>,
  user: {
    userId: string;
    roles: readonly string[];
    isActing: boolean;
    currentSessionId: string;
    language: Language;
  },
): Promise<OwnSession[]> {
  const now = Date.now();
  const rows = await listOwnSessions(database, user.userId, {
    since: new Date(now - config.SESSION_SECONDS * 1000),
    usedSince: new Date(now - idleLimitMs(user.roles, user.isActing, config)),
  });
  return rows.map((row) => ({
    sessionId: row.id,
    ...describeAgent(row.user_agent),
    isUAEPass: row.is_uae_pass,
    isCurrent: row.id === user.currentSessionId,
    startedAt: row.created_at.toISOString(),
    lastSeenAt: row.used_at.toISOString(),
    ...(row.actor_name !== null && row.acts_until
      ? {
          actorName: localizePersonName(
            { full_name: row.actor_name, full_name_ar: row.actor_name_ar },
            user.language,
          ),
          actsUntil: row.acts_until.toISOString(),
        }
      : {}),
  }));
}

/** Ends one session of the caller, or all including the current one. Returns their number. */
export async function endSessionsOf(
  { database }: Pick<AppContext, 'database'>,
  caller: Caller,
  only: string | undefined,
  address: string,
): Promise<number> {
  const ended = await inTransaction(database, (transaction) =>
    endOwnSessions(transaction, caller.userId, { only, reason: 'endedByOwner', address }),
  );
  if (only !== undefined && ended === 0) throw new Refusal('NotFound');
  await announceAccessChange(database, caller.userId);
  return ended;
}

/** Ends all sessions of these users, in the transaction of the reason for it. */
export async function endSessionsOfUsers(
  transaction: Transaction,
  userIds: readonly string[],
  end: Omit<Parameters<typeof endOwnSessions>[2], 'only'>,
): Promise<void> {
  for (const userId of userIds) await endOwnSessions(transaction, userId, end);
}
