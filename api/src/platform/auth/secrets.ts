import type { Config } from '#config.ts';
import { browserStorage } from '@diwan/contract/portal/browser-storage';
import type { Database, Transaction } from '../database/database.ts';
import {
  deleteReplacedSecrets,
  getOrCreateSecret,
  insertSuccessor,
  selectSecrets,
} from './secrets.store.ts';

/** All keys that are accepted, in base64url; the first one signs and encrypts. */
export type Keys = () => readonly string[];

/**
 * The keys that the product makes and that can be replaced, and for how many seconds what a key made
 * is accepted after its successor has taken over. Their table is docs/operations/keys.md.
 */
export const productKeys = {
  'file-references': ({ FILE_REFERENCE_SECONDS }) => FILE_REFERENCE_SECONDS,
  'storage-addresses': ({ UPLOAD_ADDRESS_SECONDS }) => UPLOAD_ADDRESS_SECONDS,
  'verification-codes': () => 600,
  'try-limits': () => browserStorage.device.lasts,
  // They are on paper, in mails, in devices, and under what is stored.
  'certificate-codes': () => Infinity,
  'invoice-codes': () => Infinity,
  'request-links': () => Infinity,
  'second-factors': () => Infinity,
  'web-push': () => Infinity,
} as const satisfies Readonly<Record<string, (config: Config) => number>>;
export type ProductKey = keyof typeof productKeys;

/** The name of the signing keys of tokens, which are in a table of their own (signing-keys.ts). */
export const tokenKey = 'tokens';

/** Secrets that are not replaced, by their names in `secrets`. */
export const fixedSecrets = ['hub-channel', 'setup-code', 'sandbox', 'sandbox-messages'] as const;

/** Whether a text is the name of a key that the product makes and replaces. */
export const isProductKey = (name: string): name is ProductKey => Object.hasOwn(productKeys, name);

// A new key is known to every process this long before it makes anything. Longer than the interval of
// `renewKeys` (features/system/feature.ts).
const noticeSeconds = 900;

/** The channel on which processes hear of a new key. */
export const keysChannel = 'diwan_keys';

interface Opened {
  /** Of each name, the newest first. */
  keys: Map<string, { value: string; activatesAt: number }[]>;
}
const opened = new WeakMap<Database, Opened>();

async function readAll(database: Database): Promise<void> {
  const keys: Opened['keys'] = new Map();
  for (const { name, ...key } of await selectSecrets(database))
    keys.set(name, [...(keys.get(name) ?? []), key]);
  opened.set(database, { keys });
}

/** A key that the product makes. All processes share it; `renewKeys` reads its successors. */
export async function openKey(database: Database, name: ProductKey): Promise<Keys> {
  await getOrCreateSecret(database, name);
  if (!opened.get(database)?.keys.has(name)) await readAll(database);
  return () => {
    const all = opened.get(database)?.keys.get(name) ?? [];
    const now = Date.now();
    const current = all.find(({ activatesAt }) => activatesAt <= now);
    return [current, ...all.filter((key) => key !== current)].flatMap((key) => key?.value ?? []);
  };
}

/** Deletes keys whose time is over, and reads those that were made by commands. */
export async function renewKeys(database: Database, config: Config): Promise<void> {
  for (const [name, overlap] of Object.entries(productKeys)) {
    const seconds = overlap(config);
    if (seconds !== Infinity) await deleteReplacedSecrets(database, name, seconds);
  }
  await readAll(database);
}

/**
 * Makes the successor of a key, which takes over in a quarter of an hour, or immediately. `endsOld`: what
 * the former keys made is not accepted any more. False where a successor waits already.
 */
export async function replaceKey(
  transaction: Transaction,
  name: ProductKey,
  { isImmediate, endsOld }: { isImmediate: boolean; endsOld: boolean },
): Promise<boolean> {
  if (!(await insertSuccessor(transaction, name, isImmediate ? 0 : noticeSeconds))) return false;
  if (endsOld) await endFormerKeys(transaction, name);
  return true;
}

/** What the former keys made is not accepted any more. */
export const endFormerKeys = (transaction: Transaction, name: ProductKey) =>
  deleteReplacedSecrets(transaction, name, 0);

/** The keys of a setting, else those that the product makes. */
async function givenOrOpened(
  database: Database,
  given: readonly string[] | undefined,
  name: ProductKey,
): Promise<() => Buffer[]> {
  const keys: Keys = given ? () => given : await openKey(database, name);
  return () => keys().map((key) => Buffer.from(key, 'base64'));
}

/** The keys that encrypt second factors: those of the setting, else generated ones. */
export const secondFactorKeys = (database: Database, config: Pick<Config, 'SECOND_FACTOR_KEY'>) =>
  givenOrOpened(database, config.SECOND_FACTOR_KEY, 'second-factors');

/** The keys that sign messages to browsers: those of the setting, else generated ones. */
export const pushKeys = (database: Database, config: Pick<Config, 'WEB_PUSH_KEY'>) =>
  givenOrOpened(database, config.WEB_PUSH_KEY, 'web-push');

/** The keys that encrypt links to requests: those of the setting, else generated ones. */
export const requestLinkKeys = (database: Database, config: Pick<Config, 'REQUEST_LINK_KEY'>) =>
  givenOrOpened(database, config.REQUEST_LINK_KEY, 'request-links');
