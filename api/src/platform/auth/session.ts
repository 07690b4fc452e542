import { randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { SessionEnd } from '@diwan/contract/people/audit';
import { roles, type Restriction, type Role } from '@diwan/contract/wire/call';
import type { RefusalName } from '@diwan/contract/wire/errors';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { PartnerState } from '@diwan/contract/people/partner-states';
import { sessionClaims } from '@diwan/contract/people/users';
import type { Config } from '../../config.ts';
import { recordAudit } from './audit.ts';
import type { Tables } from '../database/database-types.ts';
import type { Database, Transaction } from '../database/database.ts';
import { Refusal } from '../core/refusals.ts';
import { secondFactorColumns } from './second-factor-policy.ts';
import { algorithm, openSigningKeys, type SigningKeys } from './signing-keys.ts';

/**
 * Who makes a call. Read afresh from the database for every call, so that a role taken away is gone
 * at once.
 */
export interface Caller {
  userId: string;
  sessionId: string;
  fullName: string;
  phoneNumber: string;
  roles: readonly Role[];
  companyId: number | null;
  partnerId: number | null;
  /** The name of the company whose user they are, in every language. */
  companyName?: LocalizedText | null;
  /** Who acts for them; absent in a session of their own. Decision 0028. */
  actor?: { userId: string; fullName: string };
  /** What keeps them from every call that is not open to it; read afresh too. */
  restriction?: Restriction | undefined;
}

/** Who is at the keyboard: the employee who acts for the caller, else the caller. */
export function personAt({ actor, userId, fullName }: Caller): {
  userId: string;
  fullName: string;
} {
  return actor ?? { userId, fullName };
}

/** Whether a caller is of the portal's own staff, who see everything. */
export function seesAll({ roles: held }: Pick<Caller, 'roles'>): boolean {
  return held.includes('Admin') || held.includes('Employee');
}

/**
 * Whether a caller works on what others asked for: the portal's own staff and service providers.
 */
export function isStaff(caller: Pick<Caller, 'roles'>): boolean {
  return seesAll(caller) || caller.roles.includes('ServiceProvider');
}

/** What somebody hears who calls what their restriction keeps from them. */
export const refusalOfRestriction = {
  secondFactor: 'SecondFactorSetupRequired',
  inactive: 'ServiceProviderInactive',
  suspended: 'ServiceProviderSuspended',
} as const satisfies Record<Restriction, RefusalName>;

/**
 * A user as far as it decides what they are restricted by; `partnerState` is that of their partner,
 * null without one.
 */
interface Restrictable {
  roles: readonly string[];
  partnerState: PartnerState | null;
  hasSecondFactor: boolean;
  rolesWithFactor: readonly string[];
  isUAEPass: boolean;
}

// Decision 0018: UAE PASS asks for a second factor of its own, except for accounts of the lowest
// level.
const lacksSecondFactor = (
  { roles: held, hasSecondFactor, rolesWithFactor, isUAEPass }: Restrictable,
  config: Config,
) =>
  !hasSecondFactor &&
  held.some((role) => rolesWithFactor.includes(role)) &&
  !(isUAEPass && config.UAE_PASS_MINIMUM_LEVEL !== 'SOP1');

// Specification §4: a service provider is inactive until activated, and may be suspended. Who also
// holds a role of the portal's own staff works on.
function restrictionOf(user: Restrictable, config: Config): Restriction | undefined {
  const { roles: held, partnerState } = user;
  if (lacksSecondFactor(user, config)) return 'secondFactor';
  if (!held.includes('ServiceProvider') || held.includes('Admin') || held.includes('Employee'))
    return undefined;
  if (partnerState === null || partnerState === 'active') return undefined;
  return partnerState === 'suspended' ? 'suspended' : 'inactive';
}

// Whoever acts for another has nothing of the staff's rights that the other may hold.
const ownRoles: readonly Role[] = ['CompanyUser', 'Client'];

const tokenType = 'at+jwt';
// Two tabs may send the same old token within this time; after it the token is taken for a stolen
// one.
const graceMs = 10_000;
// By how much the clocks of two machines may differ (issue 4).
const skewSeconds = 60;

const tokenClaims = sessionClaims.extend({
  sub: z.uuid(),
  sid: z.uuid(),
  jti: z.uuid(),
  iat: z.int(),
});

type SessionRow = Selectable<Tables['sessions']>;

/** How a session begins: by UAE PASS or not, and from which address. */
export interface Beginning {
  isUAEPass?: boolean;
  address?: string;
  /** What the browser calls itself. */
  agent?: string | undefined;
  /** The hash that the password was judged by; another by now refuses. */
  passwordHash?: string;
  /** The identity that opened the account; one that was taken off it meanwhile refuses. */
  identity?: string;
}

/** Everything that begins, goes on with or ends a session, and who a token stands for. */
export interface Sessions {
  /**
   * A new session of a user; the reply is its first token. Refuses a user who is suspended or not
   * there, or whose password was changed meanwhile.
   */
  begin(userId: string, beginning?: Beginning): Promise<string>;
  /**
   * A session of a person that a member of the staff holds, for `ACTING_MINUTES`; it ends with
   * their own. In the transaction that proves that they may.
   */
  beginFor(
    transaction: Transaction,
    actor: Caller,
    userId: string,
    beginning?: Pick<Beginning, 'address' | 'agent'>,
  ): Promise<() => Promise<string>>;
  /**
   * The next token of the session that a token belongs to. An old token used again ends the
   * session.
   */
  refresh(token: string, address?: string): Promise<string>;
  end(token: string, address?: string): Promise<void>;
  /**
   * Ends every session of a user but one, or with `null` all, in the transaction of what makes it
   * necessary.
   */
  endOthers(
    transaction: Transaction,
    userId: string,
    sessionId: string | null,
    address?: string,
    reason?: SessionEnd,
  ): Promise<void>;
  /**
   * Who a token stands for; `undefined` for a token that is forged, expired, of a session that has
   * ended, or of a user who is suspended.
   */
  findCaller(token: string): Promise<Caller | undefined>;
  keys: SigningKeys;
}

/**
 * Opens the product's sessions: tokens that live minutes, signed by keys that all processes share.
 * `origin` is the portal's; tokens carry it, so
 * that those of another environment open nothing here.
 */
export async function openSessions(
  database: Database,
  config: Config,
  origin: string,
): Promise<Sessions> {
  // An expired token can still be exchanged while its session lives.
  const keys = await openSigningKeys(
    database,
    config.SIGNING_KEY_DAYS,
    config.SESSION_SECONDS + skewSeconds,
  );
  const sessionLives = (session: { created_at: Date; acts_until: Date | null }) =>
    session.created_at.getTime() + config.SESSION_SECONDS * 1000 > Date.now() &&
    (session.acts_until?.getTime() ?? Infinity) > Date.now();

  async function sign(
    userId: string,
    session: Pick<SessionRow, 'id' | 'is_uae_pass' | 'actor_id' | 'acts_until'>,
    tokenId: string,
  ): Promise<string> {
    const user = await database
      .selectFrom('users')
      .leftJoin('partners', 'partners.id', 'users.partner_id')
      .selectAll('users')
      .select('partners.state as partnerState')
      .select(secondFactorColumns(config))
      .where('users.id', '=', userId)
      .where('suspended_at', 'is', null)
      .executeTakeFirst();
    if (!user) throw new Refusal('SessionEnded');
    const restriction = restrictionOf({ ...user, isUAEPass: session.is_uae_pass }, config);
    const role = session.actor_id
      ? ownRoles.filter((own) => user.roles.includes(own))
      : (user.roles as Role[]);
    const actor = session.actor_id
      ? await database
          .selectFrom('users')
          .select(['id', 'full_name'])
          .where('id', '=', session.actor_id)
          .executeTakeFirstOrThrow()
      : undefined;
    const seconds = session.acts_until
      ? Math.min(
          config.TOKEN_SECONDS,
          Math.max(1, Math.floor((session.acts_until.getTime() - Date.now()) / 1000)),
        )
      : config.TOKEN_SECONDS;
    const key = keys.current();
    const claims = {
      // Who has no password did not choose the username.
      ssid: user.id,
      displayName: user.password_hash ? user.username : user.full_name,
      fullName: user.full_name,
      ...(role.length > 0 ? { role: role.length === 1 ? role[0] : role } : {}),
      ...(user.partner_id ? { partnerId: user.partner_id } : {}),
      ...(user.company_id ? { companyId: user.company_id } : {}),
      phoneNumber: user.phone_number,
      email: user.email,
      isServiceProvider: role.includes('ServiceProvider'),
      ...(user.language && role.includes('ServiceProvider') ? { language: user.language } : {}),
      ...(restriction ? { restriction } : {}),
      ...(session.is_uae_pass ? { isUAEPass: true } : {}),
      sid: session.id,
      ...(actor && session.acts_until
        ? {
            act: { sub: actor.id, name: actor.full_name },
            actUntil: Math.floor(session.acts_until.getTime() / 1000),
          }
        : {}),
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, kid: key.id, typ: tokenType })
      .setSubject(user.id)
      .setJti(tokenId)
      .setIssuer(origin)
      .setAudience(origin)
      .setIssuedAt()
      .setExpirationTime(`${seconds} seconds`)
      .sign(key.privateKey);
  }

  // A session for another ends with the employee's own, and with their right to it.
  function actorOf(row: {
    actorId: string | null;
    actorName: string | null;
    actorRoles: readonly string[] | null;
    actorSuspendedAt: Date | null;
    ownEndedAt: Date | null;
    ownCreatedAt: Date | null;
  }): Caller['actor'] | 'gone' {
    if (row.actorId === null) return undefined;
    const isOn =
      row.actorSuspendedAt === null &&
      row.ownEndedAt === null &&
      row.ownCreatedAt !== null &&
      sessionLives({ created_at: row.ownCreatedAt, acts_until: null }) &&
      row.actorRoles?.some((role) => role === 'Employee' || role === 'Admin');
    return isOn ? { userId: row.actorId, fullName: row.actorName ?? '' } : 'gone';
  }

  async function read(token: string, expiredIsFine: boolean) {
    try {
      const options = {
        algorithms: [algorithm],
        issuer: origin,
        audience: origin,
        typ: tokenType,
        clockTolerance: skewSeconds,
      };
      // An expired token still proves which session it was of; its signature is checked at the time
      // when it was made.
      const at = expiredIsFine ? { currentDate: new Date((decodeJwt(token).iat ?? 0) * 1000) } : {};
      const key = await keys.find(decodeProtectedHeader(token).kid ?? '');
      if (!key) return undefined;
      const { payload } = await jwtVerify(token, key.publicKey, { ...options, ...at });
      const claims = tokenClaims.parse(payload);
      const livesTooLong =
        claims.exp - claims.iat > config.TOKEN_SECONDS ||
        claims.iat > Date.now() / 1000 + skewSeconds;
      // A retired key signs nothing more; whoever has a copy of one can make no use of it.
      const isTooYoung = claims.iat * 1000 > key.retiresAt + skewSeconds * 1000;
      return livesTooLong || isTooYoung ? undefined : claims;
    } catch {
      return undefined;
    }
  }

  return {
    keys,
    async begin(userId, { isUAEPass = false, address, agent = '', passwordHash, identity } = {}) {
      const tokenId = randomUUID();
      const session = await database.transaction().execute(async (transaction) => {
        const user = await transaction
          .selectFrom('users')
          .select(['suspended_at', 'password_hash', 'uaepass_id'])
          .where('id', '=', userId)
          .forShare()
          .executeTakeFirst();
        if (!user || user.suspended_at) return undefined;
        // A change of the password ends the sessions that there are; one that an old password is
        // about to begin must not come after it.
        if (passwordHash !== undefined && user.password_hash !== passwordHash)
          throw new Refusal('WrongUsernameOrPassword');
        if (identity !== undefined && user.uaepass_id !== identity)
          throw new Refusal('IdentityNotConfirmed');
        const begun = await transaction
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
          sessionId: begun.id,
          address,
        });
        return begun;
      });
      if (!session) {
        await recordAudit(database, {
          kind: isUAEPass ? 'signInByUAEPassRefused' : 'signInFailed',
          userId,
          address,
          reason: 'accountSuspended',
        });
        throw new Refusal('AccountSuspended');
      }
      return sign(userId, session, tokenId);
    },
    async beginFor(transaction, actor, userId, { address, agent = '' } = {}) {
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
      return () => sign(userId, session, tokenId);
    },
    async refresh(token, address) {
      const claims = await read(token, true);
      if (!claims) throw new Refusal('SessionEnded');
      const next = await database.transaction().execute(async (transaction) => {
        const session = await transaction
          .selectFrom('sessions')
          .selectAll()
          .where('id', '=', claims.sid)
          .forUpdate()
          .executeTakeFirst();
        if (!session || session.ended_at || !sessionLives(session)) return undefined;
        if (
          session.actor_session_id &&
          (
            await transaction
              .selectFrom('sessions')
              .select('ended_at')
              .where('id', '=', session.actor_session_id)
              .executeTakeFirst()
          )?.ended_at
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
          session.rotated_at.getTime() + graceMs > Date.now()
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
      });
      if (!next) throw new Refusal('SessionEnded');
      return sign(next.session.user_id, next.session, next.tokenId);
    },
    async end(token, address) {
      const claims = await read(token, true);
      if (!claims) return;
      await database.transaction().execute(async (transaction) => {
        const ended = await transaction
          .updateTable('sessions')
          .set({ ended_at: new Date() })
          .where('id', '=', claims.sid)
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
    },
    async endOthers(transaction, userId, sessionId, address, reason = 'passwordChanged') {
      const ended = await transaction
        .updateTable('sessions')
        .set({ ended_at: new Date() })
        .where('user_id', '=', userId)
        .where('id', 'is distinct from', sessionId)
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
    async findCaller(token) {
      const claims = await read(token, false);
      if (!claims) return undefined;
      const row = await database
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .leftJoin('partners', 'partners.id', 'users.partner_id')
        .leftJoin('companies', 'companies.id', 'users.company_id')
        .leftJoin('users as actor', 'actor.id', 'sessions.actor_id')
        .leftJoin('sessions as own', 'own.id', 'sessions.actor_session_id')
        .select([
          'actor.id as actorId',
          'actor.full_name as actorName',
          'actor.roles as actorRoles',
          'actor.suspended_at as actorSuspendedAt',
          'own.ended_at as ownEndedAt',
          'own.created_at as ownCreatedAt',
          'sessions.acts_until',
          'companies.name as companyName',
        ])
        .select([
          'users.id',
          'users.full_name',
          'users.phone_number',
          'users.roles',
          'users.company_id',
          'users.partner_id',
          'partners.state as partnerState',
          'sessions.created_at',
          'sessions.is_uae_pass as isUAEPass',
        ])
        .select(secondFactorColumns(config))
        .where('sessions.id', '=', claims.sid)
        .where('sessions.ended_at', 'is', null)
        .where('users.suspended_at', 'is', null)
        .executeTakeFirst();
      if (!row || !sessionLives(row)) return undefined;
      const actor = actorOf(row);
      if (actor === 'gone') return undefined;
      const held = (actor ? ownRoles : roles).filter((role) => row.roles.includes(role));
      return {
        userId: row.id,
        sessionId: claims.sid,
        fullName: row.full_name,
        phoneNumber: row.phone_number,
        roles: held.length > 0 ? held : ['Client'],
        companyId: row.company_id,
        partnerId: row.partner_id,
        companyName: row.companyName,
        ...(actor ? { actor } : {}),
        restriction: restrictionOf(row, config),
      };
    },
  };
}
