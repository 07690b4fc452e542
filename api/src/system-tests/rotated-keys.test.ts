import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, inject, it, vi } from 'vitest';
import { secondFactorVault } from '#features/users/second-factor/second-factor-codes.ts';
import { sealFactorsAgain } from '#features/users/second-factor/second-factor-policy.actions.ts';
import { openLoginThrottle } from '#features/users/sign-in/login-throttle.ts';
import { createTokenEncryptor } from '#platform/auth/encrypted-token.ts';
import { createFileReferences } from '#platform/auth/file-references.ts';
import {
  endFormerKeys,
  fixedSecrets,
  openKey,
  productKeys,
  renewKeys,
  replaceKey,
  requestLinkKeys,
  secondFactorKeys,
  tokenKey,
  type ProductKey,
} from '#platform/auth/secrets.ts';
import { openVerificationCodes } from '#platform/auth/verification-codes.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { createUploadAddresses, verifyUploadAddress } from '#platform/files/upload-addresses.ts';
import { demoPassword } from '#seed/seed.ts';
import { cloneProgramData } from '#testing/programs/clone-program-data.ts';
import { endPrograms, startProgram } from '#testing/programs/running-program.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getProfile, login } from '@diwan/contract/people/users';
import { secretNames } from '../settings.ts';

const app = useTestApp();
const root = fileURLToPath(new URL('../../../', import.meta.url));
afterEach(() => void vi.useRealTimers());
afterAll(() => endPrograms());

describe('the table of keys', () => {
  const rows = readFileSync(join(root, 'docs/operations/keys.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const named = (cell = '') => [...cell.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name);

  it('has every key of the product and every secret setting once', () => {
    expect(rows.flatMap(([, key]) => named(key)).toSorted()).toEqual(
      [
        tokenKey,
        ...Object.keys(productKeys),
        ...fixedSecrets,
        ...secretNames,
        // Files with keys whose paths are no secret.
        'SEAL_CERTIFICATE_FILE',
        'SEAL_KEY_FILE',
        'SEAL_KEYSTORE_FILE',
        'SEAL_KEYSTORE_PASSWORD_FILE',
      ].toSorted(),
    );
  });

  it('says of each what it protects, how it is replaced, what people notice, and the test', () => {
    for (const [, key, ...cells] of rows) {
      expect(
        cells.slice(0, 4).every((cell) => cell.length > 1),
        key,
      ).toBe(true);
      const files = named(cells[3]).filter((name) => name.includes('/'));
      for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
      expect(files.length > 0 || cells[3] === 'not replaced', key).toBe(true);
    }
  });

  it('has every secret that the product has made', async () => {
    const made = await app.database.selectFrom('secrets').select('name').execute();
    const known: string[] = [...Object.keys(productKeys), ...fixedSecrets];
    expect(made.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });
});

/** Makes something with a key, and says whether it is accepted. */
interface Use {
  make(): Promise<string> | string;
  isAccepted(made: string): Promise<boolean> | boolean;
}

async function useOf(database: Database, name: ProductKey): Promise<Use> {
  const keys = await openKey(database, name);
  if (name === 'file-references') {
    const references = createFileReferences(keys, 1_000_000);
    return {
      make: () => references.make('document', 'user'),
      isAccepted: (made) => references.read(made, 'user') === 'document',
    };
  }
  if (name === 'storage-addresses') {
    const addresses = createUploadAddresses({}, keys, 1_000_000);
    return {
      make: () => addresses.make('upload', 10).url,
      isAccepted: (made) =>
        verifyUploadAddress(
          keys,
          'upload',
          Object.fromEntries(new URL(made, 'http://localhost').searchParams),
        ) === 10,
    };
  }
  if (name === 'verification-codes') {
    const codes = await openVerificationCodes(database, 1000);
    let count = 0;
    return {
      async make() {
        const address = `${createHash('sha1').update(String(Math.random())).digest('hex')}@x.example`;
        expect(await codes.issue('register', address, `12345${(count += 1)}`)).toBe(true);
        return `${address} 12345${count}`;
      },
      isAccepted: async (made) => {
        const [address = '', code = ''] = made.split(' ');
        return codes.check('register', address, code);
      },
    };
  }
  if (name === 'try-limits') {
    const throttle = openLoginThrottle(database, keys, 3);
    return {
      make: () => throttle.createDeviceToken('individual'),
      isAccepted: (made) => throttle.isKnownDevice('individual', made),
    };
  }
  const encryptor = createTokenEncryptor(
    await requestLinkKeys(database, { REQUEST_LINK_KEY: undefined }),
    'request link',
  );
  return {
    make: () => encryptor.encrypt('DW26-00000-00000'),
    isAccepted: (made) => encryptor.decrypt(made) !== undefined,
  };
}

const replace = async (name: ProductKey, parts = { isImmediate: true, endsOld: false }) => {
  expect(
    await inTransaction(app.database, (transaction) => replaceKey(transaction, name, parts)),
  ).toBe(true);
  await renewKeys(app.serverDatabase, app.config);
};
/** Lets the time since the successor took over pass. */
async function pass(name: ProductKey, seconds: number): Promise<void> {
  await sql`
    update secret_successors
    set activates_at = activates_at - make_interval(secs => ${seconds})
    where name = ${name}`.execute(app.database);
  await renewKeys(app.serverDatabase, app.config);
}

// Those of documents, push and second factors are tried where they are used, and below.
describe.each([
  'file-references',
  'storage-addresses',
  'verification-codes',
  'try-limits',
  'request-links',
] as const)('%s', (name) => {
  it('what the former key made is accepted for its time, and what the new one makes always', async () => {
    const { make, isAccepted } = await useOf(app.serverDatabase, name);
    const keys = await openKey(app.serverDatabase, name);
    const [former] = keys();
    const old = await make();
    await replace(name);
    expect(keys()[0]).not.toBe(former);
    const made = await make();
    expect([await isAccepted(old), await isAccepted(made)]).toEqual([true, true]);
    const seconds = productKeys[name](app.config);
    if (seconds !== Infinity) {
      await pass(name, seconds - 30);
      expect([await isAccepted(old), await isAccepted(made)]).toEqual([true, true]);
    }
    await pass(name, Math.min(seconds, 1_000_000) + 60);
    expect([await isAccepted(old), await isAccepted(made)]).toEqual([seconds === Infinity, true]);
  });

  it('a former key that leaked is not accepted any more', async () => {
    const { make, isAccepted } = await useOf(app.serverDatabase, name);
    const old = await make();
    await replace(name, { isImmediate: true, endsOld: true });
    expect([await isAccepted(old), await isAccepted(await make())]).toEqual([false, true]);
  });
});

it('a process accepts a new key before any other makes something with it', async () => {
  const name = 'file-references';
  const use = await useOf(app.serverDatabase, name);
  const keys = await openKey(app.serverDatabase, name);
  const [former] = keys();
  // Another process, which has read the keys once since.
  const other = await useOf(app.database, name);
  await replace(name, { isImmediate: false, endsOld: false });
  await renewKeys(app.database, app.config);
  expect(
    await inTransaction(app.database, (transaction) =>
      replaceKey(transaction, name, { isImmediate: false, endsOld: false }),
    ),
  ).toBe(false);
  expect(keys()[0]).toBe(former);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
  expect(keys()[0]).not.toBe(former);
  expect(await other.isAccepted(await use.make())).toBe(true);
});

it('second factors are encrypted again, and then the former key can go', async () => {
  const keys = await secondFactorKeys(app.serverDatabase, { SECOND_FACTOR_KEY: undefined });
  const vault = secondFactorVault(keys);
  const userId = await app.idOf('individual2');
  const stored = async () =>
    (
      await app.database
        .selectFrom('second_factors')
        .select('secret')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
    ).secret ?? '';
  await app.database
    .insertInto('second_factors')
    .values({ user_id: userId, secret: vault.seal(userId, 'SECRET'), confirmed_at: new Date() })
    .execute();
  const hash = vault.hashes(userId, '123456789012')[0] ?? '';
  await replace('second-factors');
  expect(vault.open(userId, await stored())).toBe('SECRET');
  expect(vault.hashes(userId, '123456789012')).toContain(hash);
  const onlyNew = secondFactorVault(() => keys().slice(0, 1));
  expect(onlyNew.open(userId, await stored())).toBeUndefined();
  expect(await sealFactorsAgain(app.database, vault)).toBe(1);
  expect(onlyNew.open(userId, await stored())).toBe('SECRET');
  await inTransaction(app.database, (transaction) => endFormerKeys(transaction, 'second-factors'));
  await renewKeys(app.serverDatabase, app.config);
  expect([keys().length, vault.open(userId, await stored())]).toEqual([1, 'SECRET']);
});

it('a password of the database that changes in its file is used for new connections', async () => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
    app.database,
  );
  const name = rows[0]?.name ?? '';
  const role = `rotated_${name}`;
  const own = new URL(inject('databaseServer'));
  own.pathname = `/${name}`;
  const admin = new pg.Client({ connectionString: own.href });
  await admin.connect();
  await admin.query(`create role ${role} login password 'first word'`);
  const url = (word: string) => {
    const address = new URL(own);
    address.username = role;
    address.password = word;
    return address.href;
  };
  let word = 'first word';
  const database = openDatabase(
    () => url(word),
    () => undefined,
    { connections: 2 },
  );
  const who = async () =>
    (await sql<{ name: string }>`select current_user as name`.execute(database)).rows[0]?.name;
  expect(await who()).toBe(role);
  await admin.query(`alter role ${role} password 'second word'`);
  // The open connection goes on; a new one needs the new word.
  expect(await who()).toBe(role);
  await expect(
    openDatabase(url('first word'), () => undefined)
      .selectFrom('users')
      .select('id')
      .limit(1)
      .execute(),
  ).rejects.toThrow();
  word = 'second word';
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = $1`, [
    role,
  ]);
  await expect.poll(who, { timeout: 20_000 }).toBe(role);
  await database.destroy();
  await admin.query(`drop role ${role}`);
  await admin.end();
});

it(
  'a key of an outside system that changes in its file is used after a rolling restart, without a sign-out',
  { timeout: 180_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'diwan-keys-'));
    const file = join(folder, 'sms');
    const given: string[] = [];
    let accepted = ['first-key-of-sms'];
    const gateway = createServer((request, response) => {
      const key = String(request.headers.authorization).replace('Bearer ', '');
      given.push(key);
      request
        .resume()
        .on('end', () => response.writeHead(accepted.includes(key) ? 202 : 401).end());
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const place = await cloneProgramData();
    const database = place.open();
    const settings = {
      ...place.settings,
      SMS_GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
      SMS_GATEWAY_KEY_FILE: file,
    };
    const send = async () => {
      const { rows } = await sql<{ id: string }>`
        insert into messages (kind, channel, recipient, language, body)
        values ('requestSent', 'sms', '+971501234567', 'en-US', 'text')
        returning id`.execute(database);
      const id = rows[0]?.id ?? '';
      await expect
        .poll(
          async () =>
            (
              await database
                .selectFrom('messages')
                .select('state')
                .where('id', '=', id)
                .executeTakeFirst()
            )?.state,
          { timeout: 60_000 },
        )
        .toBe('sent');
    };
    await writeFile(file, 'first-key-of-sms\n');
    const first = await startProgram(settings);
    await first.waitUntilReady();
    const { body } = await first.call(login, {
      body: { username: 'individual', password: demoPassword },
    });
    await send();
    // Both are valid at the gateway while the processes change over.
    accepted = ['first-key-of-sms', 'second-key-of-sms'];
    await writeFile(file, 'second-key-of-sms\n');
    const second = await startProgram(settings);
    await second.waitUntilReady();
    first.signal('SIGTERM');
    await first.ended;
    accepted = ['second-key-of-sms'];
    await send();
    expect([given[0], given.at(-1)]).toEqual(['first-key-of-sms', 'second-key-of-sms']);
    expect((await second.call(getProfile, { token: body.token })).status).toBe(200);
    second.signal('SIGTERM');
    await second.ended;
    await database.destroy();
    await place.close();
    gateway.close();
    await rm(folder, { recursive: true });
  },
);
