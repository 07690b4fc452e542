import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { SessionEnd } from '@diwan/contract/people/audit';
import type { Config } from '../../config.ts';
import { Refusal } from '../core/refusals.ts';
import type { Tables } from '../database/schema.generated.ts';
import type { Database, Transaction } from '../database/database.ts';
import { recordAudit } from './audit.ts';
import type { Caller } from './caller.ts';
import { findCaller, isAlive, isIdle, recordUse } from './find-caller.ts';
import {
  clockSkewSeconds,
  signToken,
  verifyToken,
  type TokenClaims,
  type TokenContext,
} from './session-tokens.ts';
import { openSigningKeys, type SigningKeys } from './signing-keys.ts';

// Two tabs may send the same old token within this time. Later, a reused token counts as stolen.
const reuseGraceMs = 10_000;

type SessionRow = Selectable<Tables['sessions']>;

/** How a session starts, and from which address. */
export interface SessionOptions {
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
  /** Ends sessions of a user, in the transaction of the change that requires it. */
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
async function insertSession(
  transaction: Transaction,
  userId: string,
  tokenId: string,
  { isUAEPass = false, address, agent = '', passwordHash, identity }: SessionOptions,
): Promise<SessionRow | undefined> {
  const user = await transaction
    .selectFrom('users')
    .select(['suspended_at', 'password_hash', 'uaepass_id'])
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst();
  if (!user || user.suspended_at) return undefined;
  // A change of the password ends the sessions that exist then. A session that was about to start
  // with the old password must not start after it.
  if (passwordHash !== undefined && user.password_hash !== passwordHash)
    throw new Refusal('WrongUsernameOrPassword');
  if (identity !== undefined && user.uaepass_id !== identity)
    throw new Refusal('IdentityNotConfirmed');
  const session = await transaction
    .insertInto('sessions')
    .values({
      user_id: userId,
      token_id: tokenId,
      previous_token_id: null,
      is_uae_pass: isUAEPass,
      user_agent: agent.slice(0, 300),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordAudit(transaction, {
    kind: isUAEPass ? 'signedInByUAEPass' : 'signedIn',
    userId,
    sessionId: session.id,
    address,
  });
  return session;
}

// A session in which an employee acts ends with the employee's own session.
async function hasActorSessionEnded(
  transaction: Transaction,
  session: Pick<SessionRow, 'actor_session_id'>,
): Promise<boolean> {
  if (!session.actor_session_id) return false;
  const own = await transaction
    .selectFrom('sessions')
    .select('ended_at')
    .where('id', '=', session.actor_session_id)
    .executeTakeFirst();
  return Boolean(own?.ended_at);
}

// `undefined` when the session has ended, or ends now because an old token was used again.
async function rotateToken(
  context: TokenContext,
  transaction: Transaction,
  claims: TokenClaims,
  address: string | undefined,
): Promise<{ session: SessionRow; tokenId: string } | undefined> {
  const session = await transaction
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', claims.sid)
    .forUpdate()
    .executeTakeFirst();
  if (!session || session.ended_at || !isAlive(context, session)) return undefined;
  if (await hasActorSessionEnded(transaction, session)) return undefined;
  const user = await transaction
    .selectFrom('users')
    .select('roles')
    .where('id', '=', session.user_id)
    .executeTakeFirstOrThrow();
  if (
    isIdle(context, {
      usedAt: session.used_at,
      roles: user.roles,
      isActing: session.actor_id !== null,
    })
  )
    return undefined;
  if (session.token_id === claims.jti) {
    const tokenId = randomUUID();
    await transaction
      .updateTable('sessions')
      .set({ token_id: tokenId, previous_token_id: claims.jti, rotated_at: new Date() })
      .where('id', '=', session.id)
      .execute();
    return { session, tokenId };
  }
  if (
    session.previous_token_id === claims.jti &&
    session.rotated_at.getTime() + reuseGraceMs > Date.now()
  )
    return { session, tokenId: session.token_id };
  await transaction
    .updateTable('sessions')
    .set({ ended_at: new Date() })
    .where('id', '=', session.id)
    .execute();
  await recordAudit(transaction, {
    kind: 'sessionEnded',
    userId: session.user_id,
    sessionId: session.id,
    address,
    reason: 'tokenReused',
  });
  return undefined;
}

async function endSession(
  { database }: TokenContext,
  sessionId: string,
  address: string | undefined,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const ended = await transaction
      .updateTable('sessions')
      .set({ ended_at: new Date() })
      .where('id', '=', sessionId)
      .where('ended_at', 'is', null)
      .returning(['id', 'user_id'])
      .executeTakeFirst();
    if (ended)
      await recordAudit(transaction, {
        kind: 'sessionEnded',
        userId: ended.user_id,
        sessionId: ended.id,
        address,
        reason: 'signedOut',
      });
  });
}

/**
 * Opens the product's sessions. Their tokens live for minutes and are signed by keys that all
 * processes share. Tokens carry the portal's `origin`, so that a token of another environment is
 * refused.
 */
export async function openSessions(
  database: Database,
  config: Config,
  origin: string,
): Promise<Sessions> {
  // An expired token can be exchanged while its session lives, so its key is needed until then.
  const keys = await openSigningKeys(
    database,
    config.SIGNING_KEY_DAYS,
    config.SESSION_SECONDS + clockSkewSeconds,
  );
  const context: TokenContext = { database, config, origin, keys };

  return {
    keys,
    async create(userId, options = {}) {
      const tokenId = randomUUID();
      const session = await database
        .transaction()
        .execute((transaction) => insertSession(transaction, userId, tokenId, options));
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
      const session = await transaction
        .insertInto('sessions')
        .values({
          user_id: userId,
          token_id: tokenId,
          previous_token_id: null,
          user_agent: agent.slice(0, 300),
          actor_id: actor.userId,
          actor_session_id: actor.sessionId,
          acts_until: new Date(Date.now() + config.ACTING_MINUTES * 60_000),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await recordAudit(transaction, {
        kind: 'actingBegan',
        userId,
        sessionId: session.id,
        address,
        by: actor.fullName,
      });
      return () => signToken(context, userId, session, tokenId);
    },
    async refresh(token, address, isUse = false) {
      const claims = await verifyToken(context, token, { acceptsExpired: true });
      if (!claims) throw new Refusal('SessionEnded');
      const next = await database
        .transaction()
        .execute((transaction) => rotateToken(context, transaction, claims, address));
      if (!next) throw new Refusal('SessionEnded');
      const { session } = next;
      if (isUse) await recordUse(database, session, [session.id, session.actor_session_id]);
      return signToken(context, session.user_id, session, next.tokenId);
    },
    async end(token, address) {
      const claims = await verifyToken(context, token, { acceptsExpired: true });
      if (claims) await endSession(context, claims.sid, address);
    },
    async endOthers(transaction, userId, options) {
      const { exceptSessionId, address, reason = 'passwordChanged' } = options;
      const ended = await transaction
        .updateTable('sessions')
        .set({ ended_at: new Date() })
        .where('user_id', '=', userId)
        .where('id', 'is distinct from', exceptSessionId)
        .where('ended_at', 'is', null)
        .where('created_at', '>', new Date(Date.now() - config.SESSION_SECONDS * 1000))
        .returning('id')
        .execute();
      await recordAudit(
        transaction,
        ...ended.map(({ id }) => ({
          kind: 'sessionEnded' as const,
          userId,
          sessionId: id,
          address,
          reason,
        })),
      );
    },
    findCaller: (token, isUse = false) => findCaller(context, token, isUse),
    readClaims: (token) => verifyToken(context, token, { acceptsExpired: false }),
  };
}
