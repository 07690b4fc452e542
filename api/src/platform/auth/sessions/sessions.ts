import { randomUUID } from 'node:crypto';
import type { Config } from '#config.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { SessionEnd } from '@diwan/contract/people/audit';
import { announceAccessChange } from '../access-changes.ts';
import { recordAudit } from '../audit.store.ts';
import type { Caller } from '../caller.ts';
import { openCallerFinder } from './find-caller.ts';
import {
  clockSkewSeconds,
  createVerifiedTokens,
  signToken,
  verifyToken,
  type TokenClaims,
  type TokenContext,
} from './session-tokens.ts';
import { openUseRecorder, rotateToken } from './session-use.ts';
import * as store from './sessions.store.ts';
import { openSigningKeys, type SigningKeys } from './signing-keys.ts';

/** How a session starts, and from which address. */
interface SessionOptions {
  isUAEPass?: boolean;
  address?: string;
  /** The header User-Agent of the browser. */
  agent?: string | undefined;
  /** The password hash that was verified. A hash that was changed meanwhile is refused. */
  passwordHash?: string;
  /** The UAE PASS identity that signed in. One that was unlinked meanwhile is refused. */
  identity?: string;
}

/** Which sessions of a user end, and why. */
interface SessionsToEnd {
  /** The session that stays; `null` ends all. */
  exceptSessionId: string | null;
  address?: string | undefined;
  /** The reason for the audit log; `passwordChanged` by default. */
  reason?: SessionEnd;
}

/** Starts, continues and ends sessions, and finds the caller of a token. */
export interface Sessions {
  /**
   * Starts a session of a user and returns its first token. Refuses a user who is suspended, does
   * not exist, or whose password or identity was changed meanwhile.
   */
  create(userId: string, options?: SessionOptions): Promise<string>;
  /**
   * Starts a session in which an employee acts for a user, for `ACTING_MINUTES`. It ends with the
   * employee's own session. It runs in the transaction that checks the employee's permission; the
   * returned function makes the token and is called after the commit.
   */
  createActingSession(
    transaction: Transaction,
    actor: Caller,
    userId: string,
    options?: Pick<SessionOptions, 'address' | 'agent'>,
  ): Promise<() => Promise<string>>;
  /**
   * Exchanges a token for the next one of its session. Throws SessionEnded. An old token that is
   * used again ends the session. `isUse` as in `findCaller`.
   */
  refresh(token: string, address?: string, isUse?: boolean): Promise<string>;
  end(token: string, address?: string): Promise<void>;
  /**
   * Ends sessions of a user, in the transaction of the change that requires it. After the commit the
   * caller calls `announceAccessChange`.
   */
  endOthers(transaction: Transaction, userId: string, options: SessionsToEnd): Promise<void>;
  /**
   * The caller of a token; `undefined` for a token that is forged or expired, whose session has
   * ended, or whose user is suspended. With `isUse` the call keeps the session alive, and with it the
   * own session of an employee who acts.
   */
  findCaller(token: string, isUse?: boolean): Promise<Caller | undefined>;
  /**
   * The claims of a token by its signature alone, without the database: the session may have ended
   * and roles may have changed.
   */
  readClaims(token: string): Promise<TokenClaims | undefined>;
  keys: SigningKeys;
}

// `undefined` for a user who is suspended or does not exist.
async function startSession(
  transaction: Transaction,
  userId: string,
  tokenId: string,
  { isUAEPass = false, address, agent = '', passwordHash, identity }: SessionOptions,
): Promise<store.SessionRow | undefined> {
  const user = await store.lockUser(transaction, userId);
  if (
    !user ||
    // guard: suspended account at sign-in (uae-pass)
    user.suspended_at
  )
    return undefined;
  // A session that begins during a suspension is refused by each call: `findCaller` asks too.
  const companyId = user.company_id;
  if (companyId !== null && (await store.isCompanySuspended(transaction, companyId)))
    throw new Refusal('CompanySuspended');
  // A change of the password ends the sessions that exist then. A session that was about to start
  // with the old password must not start after it.
  // guard: password that changed during the sign-in
  if (passwordHash !== undefined && user.password_hash !== passwordHash)
    throw new Refusal('WrongUsernameOrPassword');
  // guard: identity that changed during the sign-in (sessions, link-account)
  if (identity !== undefined && user.uaepass_id !== identity)
    throw new Refusal('IdentityNotConfirmed');
  const session = await store.insertSession(transaction, {
    user_id: userId,
    token_id: tokenId,
    previous_token_id: null,
    is_uae_pass: isUAEPass,
    user_agent: agent.slice(0, 300),
  });
  await store.updateLastSignIn(transaction, session);
  await recordAudit(transaction, {
    kind: isUAEPass ? 'signedInByUAEPass' : 'signedIn',
    userId,
    sessionId: session.id,
    address,
  });
  return session;
}

async function endSession(
  { database }: TokenContext,
  { sub: userId, sid }: TokenClaims,
  address: string | undefined,
): Promise<void> {
  const ended = await inTransaction(database, async (transaction) => {
    const ids = await store.endSessions(transaction, userId, { only: sid });
    await store.recordSessionEnds(transaction, userId, ids, { reason: 'signedOut', address });
    return ids;
  });
  // guard: hub connections of a session that signs out (hubs)
  if (ended.length > 0) await announceAccessChange(database, userId);
}

/**
 * The issuer of tokens. Without the setting PUBLIC_URL the port is left out: a session continues when
 * the next start is on another one.
 */
function issuerOf({ PUBLIC_URL }: Config, publicUrl: string): string {
  const { origin, protocol, hostname } = new URL(publicUrl);
  return PUBLIC_URL ? origin : `${protocol}//${hostname}`;
}

/**
 * Opens the product's sessions. Their tokens live for minutes and are signed by keys that all
 * processes share. Tokens carry the origin of the portal's `publicUrl`, so that a token of another
 * environment is refused.
 */
export async function openSessions(
  database: Database,
  config: Config,
  publicUrl: string,
): Promise<Sessions> {
  // An expired token can be exchanged while its session lives, so its key is needed until then.
  const keys = await openSigningKeys(
    database,
    config.SIGNING_KEY_DAYS,
    config.SESSION_SECONDS + clockSkewSeconds,
  );
  const verified = createVerifiedTokens();
  const origin = issuerOf(config, publicUrl);
  const context: TokenContext = { database, config, origin, keys, verified };
  const recordUse = openUseRecorder(database);

  return {
    keys,
    async create(userId, options = {}) {
      const tokenId = randomUUID();
      const session = await inTransaction(database, (transaction) =>
        startSession(transaction, userId, tokenId, options),
      );
      if (!session) {
        await recordAudit(database, {
          kind: options.isUAEPass ? 'signInByUAEPassRefused' : 'signInFailed',
          userId,
          address: options.address,
          reason: 'accountSuspended',
        });
        throw new Refusal('AccountSuspended');
      }
      return signToken(context, userId, session, tokenId);
    },
    async createActingSession(transaction, actor, userId, { address, agent = '' } = {}) {
      const tokenId = randomUUID();
      const session = await store.insertSession(transaction, {
        user_id: userId,
        token_id: tokenId,
        previous_token_id: null,
        user_agent: agent.slice(0, 300),
        actor_id: actor.userId,
        actor_session_id: actor.sessionId,
        acts_until: new Date(Date.now() + config.ACTING_MINUTES * 60_000),
      });
      await recordAudit(transaction, {
        kind: 'actingBegan',
        userId,
        sessionId: session.id,
        address,
        by: actor,
      });
      return () => signToken(context, userId, session, tokenId);
    },
    async refresh(token, address, isUse = false) {
      const claims = await verifyToken(context, token, { acceptsExpired: true });
      if (!claims) throw new Refusal('SessionEnded');
      const next = await inTransaction(database, (transaction) =>
        rotateToken(context, transaction, claims, address),
      );
      if (!next) {
        // An old token that is used again has ended the session.
        // guard: hub connections of a session whose old token is used again (hubs)
        await announceAccessChange(database, claims.sub);
        throw new Refusal('SessionEnded');
      }
      const { session } = next;
      if (isUse) await recordUse(session, [session.id, session.actor_session_id]);
      return signToken(context, session.user_id, session, next.tokenId);
    },
    async end(token, address) {
      const claims = await verifyToken(context, token, { acceptsExpired: true });
      if (claims) await endSession(context, claims, address);
    },
    async endOthers(transaction, userId, options) {
      const { exceptSessionId: exceptId, address, reason = 'passwordChanged' } = options;
      const ended = await store.endSessions(transaction, userId, {
        exceptId,
        begunAfter: new Date(Date.now() - config.SESSION_SECONDS * 1000),
      });
      // guard: pending actions of the other sessions (pending-actions)
      await store.stopPendingActions(transaction, userId, { exceptId });
      await store.endPushSubscriptions(transaction, userId, { exceptId });
      await store.recordSessionEnds(transaction, userId, ended, { reason, address });
    },
    findCaller: openCallerFinder(context, recordUse),
    readClaims: (token) => verifyToken(context, token, { acceptsExpired: false }),
  };
}
