import { randomUUID } from 'node:crypto';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { roles, type Role } from '@diwan/contract/call';
import { sessionClaims } from '@diwan/contract/users';
import type { Config } from '../config.ts';
import type { Database } from './database.ts';
import { Refusal } from './refusals.ts';

/** Who makes a call. Read afresh from the database for every call, so that a role taken away is gone at once. */
export interface Caller {
  userId: string;
  sessionId: string;
  fullName: string;
  phoneNumber: string;
  roles: readonly Role[];
  companyId: number | null;
  partnerId: number | null;
}

const algorithm = 'ES256';
const issuer = 'diwan';
const tokenType = 'at+jwt';
// Two tabs may send the same old token within this time; after it the token is taken for a stolen one.
const graceMs = 10_000;
// By how much the clocks of two machines may differ.
const skewSeconds = 5;

const tokenClaims = sessionClaims.extend({ sub: z.uuid(), sid: z.uuid(), jti: z.uuid(), iat: z.int() });

async function readKey(database: Database) {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const fresh = JSON.stringify(await exportJWK(privateKey));
  await database.insertInto('signing_keys').values({ id: 'first', private_jwk: fresh }).onConflict((conflict) => conflict.doNothing()).execute();
  const { id, private_jwk } = await database.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').limit(1).executeTakeFirstOrThrow();
  const { d: _, ...publicJwk } = private_jwk;
  return { id, privateKey: await importJWK(private_jwk, algorithm), publicKey: await importJWK(publicJwk, algorithm) };
}

export interface Sessions {
  /** A new session of a user; the reply is its first token. */
  begin(userId: string): Promise<string>;
  /** The next token of the session that a token belongs to. An old token used again ends the session. */
  refresh(token: string): Promise<string>;
  end(token: string): Promise<void>;
  /** Who a token stands for; `undefined` for a token that is forged, expired, or of a session that has ended. */
  findCaller(token: string): Promise<Caller | undefined>;
}

/** Opens the product's sessions: tokens that live minutes, signed by a key that all processes share. */
export async function openSessions(database: Database, config: Config): Promise<Sessions> {
  const key = await readKey(database);
  const sessionLives = (createdAt: Date) => createdAt.getTime() + config.SESSION_SECONDS * 1000 > Date.now();

  async function sign(userId: string, sessionId: string, tokenId: string): Promise<string> {
    const user = await database.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
    const role = user.roles as Role[];
    const claims = {
      ssid: user.id, displayName: user.username, fullName: user.full_name, ...(role.length > 0 ? { role: role.length === 1 ? role[0] : role } : {}),
      ...(user.partner_id ? { partnerId: user.partner_id } : {}), ...(user.company_id ? { companyId: user.company_id } : {}),
      phoneNumber: user.phone_number, email: user.email, isServiceProvider: role.includes('ServiceProvider'), sid: sessionId,
    };
    return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: key.id, typ: tokenType }).setSubject(user.id).setJti(tokenId)
      .setIssuer(issuer).setAudience(issuer).setIssuedAt().setExpirationTime(`${config.TOKEN_SECONDS} seconds`).sign(key.privateKey);
  }

  async function read(token: string, expiredIsFine: boolean) {
    try {
      const options = { algorithms: [algorithm], issuer, audience: issuer, typ: tokenType, clockTolerance: skewSeconds };
      // An expired token still proves which session it was of; its signature is checked at the time when it was made.
      const at = expiredIsFine ? { currentDate: new Date((decodeJwt(token).iat ?? 0) * 1000) } : {};
      const { payload } = await jwtVerify(token, key.publicKey, { ...options, ...at });
      const claims = tokenClaims.parse(payload);
      const livesTooLong = claims.exp - claims.iat > config.TOKEN_SECONDS || claims.iat > Date.now() / 1000 + skewSeconds;
      return livesTooLong ? undefined : claims;
    } catch {
      return undefined;
    }
  }

  return {
    async begin(userId) {
      const tokenId = randomUUID();
      const { id } = await database.insertInto('sessions').values({ user_id: userId, token_id: tokenId, previous_token_id: null }).returning('id').executeTakeFirstOrThrow();
      return sign(userId, id, tokenId);
    },
    async refresh(token) {
      const claims = await read(token, true);
      if (!claims) throw new Refusal('SessionEnded');
      const next = await database.transaction().execute(async (transaction) => {
        const session = await transaction.selectFrom('sessions').selectAll().where('id', '=', claims.sid).forUpdate().executeTakeFirst();
        if (!session || session.ended_at || !sessionLives(session.created_at)) return undefined;
        if (session.token_id === claims.jti) {
          const tokenId = randomUUID();
          await transaction.updateTable('sessions').set({ token_id: tokenId, previous_token_id: claims.jti, rotated_at: new Date() }).where('id', '=', session.id).execute();
          return { userId: session.user_id, tokenId };
        }
        if (session.previous_token_id === claims.jti && session.rotated_at.getTime() + graceMs > Date.now()) return { userId: session.user_id, tokenId: session.token_id };
        await transaction.updateTable('sessions').set({ ended_at: new Date() }).where('id', '=', session.id).execute();
        return undefined;
      });
      if (!next) throw new Refusal('SessionEnded');
      return sign(next.userId, claims.sid, next.tokenId);
    },
    async end(token) {
      const claims = await read(token, true);
      if (claims) await database.updateTable('sessions').set({ ended_at: new Date() }).where('id', '=', claims.sid).where('ended_at', 'is', null).execute();
    },
    async findCaller(token) {
      const claims = await read(token, false);
      if (!claims) return undefined;
      const row = await database.selectFrom('sessions').innerJoin('users', 'users.id', 'sessions.user_id')
        .select(['users.id', 'users.full_name', 'users.phone_number', 'users.roles', 'users.company_id', 'users.partner_id', 'sessions.created_at'])
        .where('sessions.id', '=', claims.sid).where('sessions.ended_at', 'is', null).executeTakeFirst();
      if (!row || !sessionLives(row.created_at)) return undefined;
      const held = roles.filter((role) => row.roles.includes(role));
      return { userId: row.id, sessionId: claims.sid, fullName: row.full_name, phoneNumber: row.phone_number, roles: held.length > 0 ? held : ['Client'], companyId: row.company_id, partnerId: row.partner_id };
    },
  };
}
