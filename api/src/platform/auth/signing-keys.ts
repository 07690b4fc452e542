import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import { sql } from 'kysely';
import type { Database, Transaction } from '../database/database.ts';
import { lockName } from '../database/name-lock.ts';

/** What tokens are signed with; no other is taken. */
export const algorithm = 'ES256';

// A new key is known to every process, and to whoever reads the JWKS, well before it signs. Longer
// than the pause between two looks (app.ts).
const noticeSeconds = 900;
// A token by an unknown key makes the keys be read again, but not more often than this, whoever
// sends them.
const readAgainMs = 1000;

interface Key {
  id: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  publicJwk: JWK;
  activatesAt: number;
  /** When the next key took over; infinity for the newest. */
  retiresAt: number;
}

/** The keys of tokens, shared by all processes through the database. */
export interface SigningKeys {
  /** The key that signs now. */
  current(): Key;
  find(id: string): Promise<Key | undefined>;
  /** What verifies our tokens, as RFC 7517 writes it. */
  publicKeys(): JWK[];
  /**
   * Makes the next key when the newest is old enough, throws away those that nothing rests on, and
   * reads what other processes made.
   */
  renew(): Promise<void>;
}

async function rotate(
  transaction: Transaction,
  days: number,
  usefulSeconds: number,
): Promise<void> {
  // Whoever comes second finds the key of whoever came first.
  await lockName(transaction, 'signing keys');
  const { rows } = await sql<{
    count: number;
    due: boolean | null;
  }>`select count(*)::int as count, max(activates_at) <= now() - make_interval(days => ${days}) as due from signing_keys`.execute(
    transaction,
  );
  const [{ count, due } = { count: 0, due: null }] = rows;
  if (count === 0 || due) {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const notice = count === 0 ? 0 : noticeSeconds;
    await transaction
      .insertInto('signing_keys')
      .values({
        id: randomUUID(),
        private_jwk: JSON.stringify(await exportJWK(privateKey)),
        activates_at: sql<Date>`now() + make_interval(secs => ${notice})` as never,
      })
      .execute();
  }
  await sql`delete from signing_keys as old where exists (select 1 from signing_keys as next where next.activates_at > old.activates_at and next.activates_at < now() - make_interval(secs => ${usefulSeconds}))`.execute(
    transaction,
  );
}

async function readKeys(database: Database): Promise<Key[]> {
  const rows = await database
    .selectFrom('signing_keys')
    .selectAll()
    .orderBy('activates_at', 'desc')
    .orderBy('id')
    .execute();
  return Promise.all(
    rows.map(async ({ id, private_jwk, activates_at }, index) => {
      const { d: _, ...publicJwk } = private_jwk as JWK;
      return {
        id,
        privateKey: (await importJWK(private_jwk as JWK, algorithm)) as CryptoKey,
        publicKey: (await importJWK(publicJwk, algorithm)) as CryptoKey,
        publicJwk: { ...publicJwk, kid: id, alg: algorithm, use: 'sig' },
        activatesAt: activates_at.getTime(),
        retiresAt: rows[index - 1]?.activates_at.getTime() ?? Infinity,
      };
    }),
  );
}

/**
 * The keys that all processes share. `days` is the age at which a key is replaced; `usefulSeconds`
 * how long after that its tokens are worth something.
 */
export async function openSigningKeys(
  database: Database,
  days: number,
  usefulSeconds: number,
): Promise<SigningKeys> {
  let keys: Key[] = [];
  let readAt = 0;
  let reading: Promise<void> | undefined;
  const read = (): Promise<void> => {
    reading ??= readKeys(database)
      .then((found) => {
        keys = found;
        readAt = Date.now();
      })
      .finally(() => (reading = undefined));
    return reading;
  };
  const renew = async () => {
    await database.transaction().execute((transaction) => rotate(transaction, days, usefulSeconds));
    await read();
  };
  await renew();

  return {
    current() {
      const key = keys.find(({ activatesAt }) => activatesAt <= Date.now()) ?? keys.at(-1);
      if (!key) throw new Error('there is no signing key');
      return key;
    },
    async find(id) {
      const known = keys.find((key) => key.id === id);
      if (known || (!reading && Date.now() - readAt < readAgainMs)) return known;
      await read();
      return keys.find((key) => key.id === id);
    },
    publicKeys: () => keys.map(({ publicJwk }) => publicJwk),
    renew,
  };
}
