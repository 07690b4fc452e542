import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import type { Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Config } from '#config.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { sessionClaims } from '@diwan/contract/people/users';
import type { Role } from '@diwan/contract/wire/call';
import { effectiveRoles, findRestriction } from '../caller.ts';
import * as store from './sessions.store.ts';
import { signingAlgorithm, type Key, type SigningKeys } from './signing-keys.ts';

const tokenType = 'at+jwt';

/** The clocks of two machines may differ by this much (issue 4). */
export const clockSkewSeconds = 60;

const tokenClaims = sessionClaims.extend({
  sub: z.uuid(),
  sid: z.uuid(),
  jti: z.uuid(),
  iat: z.int(),
});

/** The claims of a token that was verified. `sid` is the session, `jti` the token. */
export type TokenClaims = z.output<typeof tokenClaims>;

/** The columns of a session that its tokens depend on. */
type TokenSession = Pick<
  Selectable<Tables['sessions']>,
  'id' | 'is_uae_pass' | 'actor_id' | 'acts_until'
>;

/** What signs and verifies tokens. `origin` is the issuer and the audience of every token. */
export interface TokenContext {
  database: Database;
  config: Config;
  origin: string;
  keys: SigningKeys;
  verified: VerifiedTokens;
}

function tokenSeconds({ config }: TokenContext, actsUntil: Date | null): number {
  if (!actsUntil) return config.TOKEN_SECONDS;
  const left = Math.floor((actsUntil.getTime() - Date.now()) / 1000);
  return Math.min(config.TOKEN_SECONDS, Math.max(1, left));
}

async function readUserClaims(
  { database, config }: TokenContext,
  userId: string,
  session: TokenSession,
): Promise<Record<string, unknown>> {
  const user = await store.selectUserForClaims(database, config, userId);
  if (!user) throw new Refusal('SessionEnded');
  const restriction = findRestriction({ ...user, isUAEPass: session.is_uae_pass }, config);
  const role = session.actor_id ? effectiveRoles(user.roles, true) : (user.roles as Role[]);
  const isServiceProvider = role.includes('ServiceProvider');
  return {
    ssid: user.id,
    // A user without a password did not choose the username.
    displayName: user.password_hash ? user.username : user.full_name,
    fullName: user.full_name,
    ...(user.full_name_ar ? { fullNameAr: user.full_name_ar } : {}),
    ...(role.length > 0 ? { role: role.length === 1 ? role[0] : role } : {}),
    ...(user.partner_id ? { partnerId: user.partner_id } : {}),
    ...(user.company_id ? { companyId: user.company_id } : {}),
    phoneNumber: user.phone_number,
    email: user.email,
    isServiceProvider,
    ...(user.language && isServiceProvider ? { language: user.language } : {}),
    ...(restriction ? { restriction } : {}),
  };
}

async function readActorClaims(
  { database }: TokenContext,
  session: TokenSession,
): Promise<Record<string, unknown>> {
  if (!session.actor_id) return {};
  const actor = await store.selectName(database, session.actor_id);
  if (!session.acts_until) return {};
  return {
    act: { sub: actor.id, name: actor.full_name },
    actUntil: Math.floor(session.acts_until.getTime() / 1000),
  };
}

/**
 * Signs a token of a session with the user's current roles and restriction. Throws SessionEnded for
 * a user who is suspended or does not exist.
 */
export async function signToken(
  context: TokenContext,
  userId: string,
  session: TokenSession,
  tokenId: string,
): Promise<string> {
  const { origin, keys } = context;
  const claims = {
    ...(await readUserClaims(context, userId, session)),
    ...(session.is_uae_pass ? { isUAEPass: true } : {}),
    sid: session.id,
    ...(await readActorClaims(context, session)),
  };
  const key = keys.current();
  return new SignJWT(claims)
    .setProtectedHeader({ alg: signingAlgorithm, kid: key.id, typ: tokenType })
    .setSubject(userId)
    .setJti(tokenId)
    .setIssuer(origin)
    .setAudience(origin)
    .setIssuedAt()
    .setExpirationTime(`${tokenSeconds(context, session.acts_until)} seconds`)
    .sign(key.privateKey);
}

/** From when on a token is refused as expired, in milliseconds since 1970. The claim `exp` is in seconds. */
const endOf = ({ exp }: { exp: number }): number => (exp + clockSkewSeconds) * 1000;

/** The same for a token that was verified. */
export const endOfToken = (token: string): number => endOf({ exp: decodeJwt(token).exp ?? 0 });

/** Tokens whose signature was verified, for one process. Verifying one costs 0.1 ms. */
type VerifiedTokens = LRUCache<string, { keyId: string; claims: TokenClaims }>;

/** Makes an empty memory for 5,000 tokens. */
export const createVerifiedTokens = (): VerifiedTokens => new LRUCache({ max: 5000 });

async function verifySignature(
  { origin, verified }: TokenContext,
  token: string,
  key: Key,
  currentDate: Date,
): Promise<TokenClaims> {
  const known = verified.get(token);
  if (known?.keyId === key.id) return known.claims;
  const { payload } = await jwtVerify(token, key.publicKey, {
    algorithms: [signingAlgorithm],
    issuer: origin,
    audience: origin,
    typ: tokenType,
    clockTolerance: clockSkewSeconds,
    currentDate,
  });
  const claims = Object.freeze(tokenClaims.parse(payload));
  verified.set(token, { keyId: key.id, claims });
  return claims;
}

/**
 * The claims of a token; `undefined` for a token that is forged, expired or of another environment.
 * With `acceptsExpired`, the signature is verified for the time at which the token was made: an
 * expired token still proves its session.
 */
export async function verifyToken(
  context: TokenContext,
  token: string,
  { acceptsExpired }: { acceptsExpired: boolean },
): Promise<TokenClaims | undefined> {
  try {
    const keyId = context.verified.get(token)?.keyId ?? decodeProtectedHeader(token).kid;
    const key = await context.keys.find(keyId ?? '');
    if (!key) return undefined;
    const madeAt = acceptsExpired ? (decodeJwt(token).iat ?? 0) * 1000 : Date.now();
    const claims = await verifySignature(context, token, key, new Date(madeAt));
    // A known signature may belong to an expired token.
    const isExpired = !acceptsExpired && endOf(claims) <= Date.now();
    const livesTooLong =
      claims.exp - claims.iat > context.config.TOKEN_SECONDS ||
      claims.iat > Date.now() / 1000 + clockSkewSeconds;
    // A retired key signs no more tokens, so a stolen copy of it is useless.
    const isSignedByRetiredKey = claims.iat * 1000 > key.retiresAt + clockSkewSeconds * 1000;
    return isExpired || livesTooLong || isSignedByRetiredKey ? undefined : claims;
  } catch {
    return undefined;
  }
}
