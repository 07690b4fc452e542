import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import * as store from './signing-keys.store.ts';

/** The algorithm of all tokens. Tokens of another algorithm are refused. */
export const signingAlgorithm = 'ES256';

// A new key is published this long before it signs, so that every process and every reader of the
// JWKS knows it. The time is longer than the interval of `renew` (features/system/feature.ts).
const noticeSeconds = 900;
// A token with an unknown key causes another read of the keys, but at most once in this time.
const minimumReadIntervalMs = 1000;

/** A key of tokens; times are milliseconds since 1970. */
export interface Key {
  id: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  publicJwk: JWK;
  activatesAt: number;
  /** The time at which the next key took over; infinity for the newest. */
  retiresAt: number;
}

/** The keys of tokens. All processes share them through the database. */
export interface SigningKeys {
  /** The key that signs now. */
  current(): Key;
  find(id: string): Promise<Key | undefined>;
  /** The public keys in the form of RFC 7517. */
  publicKeys(): JWK[];
  /**
   * Creates the next key when the newest one is old enough, deletes keys whose tokens have expired,
   * and reads the keys that other processes created.
   */
  renew(): Promise<void>;
}

async function rotate(
  transaction: Transaction,
  days: number,
  usefulSeconds: number,
): Promise<void> {
  // A second process finds the key of the first one.
  await acquireNamedLock(transaction, 'signing keys');
  const { count, isDue } = await store.readKeyAge(transaction, days);
  if (count === 0 || isDue) {
    const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
    const notice = count === 0 ? 0 : noticeSeconds;
    await store.insertKey(transaction, await exportJWK(privateKey), notice);
  }
  await store.deleteOldKeys(transaction, usefulSeconds);
}

/**
 * Makes the next key now; it signs after a quarter of an hour, or immediately. `endsOld`: tokens of the
 * former keys are not accepted any more, and everybody signs in again. False where one waits already.
 */
export async function replaceSigningKey(
  transaction: Transaction,
  { isImmediate, endsOld }: { isImmediate: boolean; endsOld: boolean },
): Promise<boolean> {
  await acquireNamedLock(transaction, 'signing keys');
  if (await store.isKeyWaiting(transaction)) return false;
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
  await store.insertKey(transaction, await exportJWK(privateKey), isImmediate ? 0 : noticeSeconds);
  if (endsOld) await store.deleteFormerKeys(transaction);
  return true;
}

async function readKeys(database: Database): Promise<Key[]> {
  const rows = await store.selectKeys(database);
  return Promise.all(
    rows.map(async ({ id, private_jwk, activates_at }, index) => {
      const { d: _, ...publicJwk } = private_jwk as JWK;
      return {
        id,
        privateKey: (await importJWK(private_jwk as JWK, signingAlgorithm)) as CryptoKey,
        publicKey: (await importJWK(publicJwk, signingAlgorithm)) as CryptoKey,
        publicJwk: { ...publicJwk, kid: id, alg: signingAlgorithm, use: 'sig' },
        activatesAt: activates_at.getTime(),
        retiresAt: rows[index - 1]?.activates_at.getTime() ?? Infinity,
      };
    }),
  );
}

/**
 * Opens the keys and creates the first one. A key is replaced after `days`, and its tokens are
 * accepted for `usefulSeconds` more.
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
    await inTransaction(database, (transaction) => rotate(transaction, days, usefulSeconds));
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
      if (known || (!reading && Date.now() - readAt < minimumReadIntervalMs)) return known;
      await read();
      return keys.find((key) => key.id === id);
    },
    publicKeys: () => keys.map(({ publicJwk }) => publicJwk),
    renew,
  };
}
