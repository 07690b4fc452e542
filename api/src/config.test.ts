import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, isExposed, readConfig } from './config.ts';
import { secretNames, settings } from './settings.ts';

describe('readConfig', () => {
  it('turns the sandbox and the demo on with the embedded database, and off with a server', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      SANDBOX: 'on',
      SEED: 'demo',
      SANDBOX_PORT: 3001,
    });
    expect(readConfig({ DATABASE_URL: 'postgres://a:b@127.0.0.1/c' })).toMatchObject({
      SANDBOX: 'off',
      SEED: 'none',
    });
  });

  it('turns the sandbox and the demo off where others can connect, unless they are set', () => {
    for (const HOST of ['0.0.0.0', '::', '192.168.1.5', 'diwan.example'])
      expect(readConfig({ HOST }), HOST).toMatchObject({
        SANDBOX: 'off',
        SEED: 'none',
        UAE_PASS: 'off',
      });
    for (const HOST of ['localhost', '127.0.0.1', '127.1.2.3', '::1'])
      expect(readConfig({ HOST }), HOST).toMatchObject({
        SANDBOX: 'on',
        SEED: 'demo',
        UAE_PASS: 'sandbox',
        SANDBOX_HOST: HOST,
      });
    expect(readConfig({ HOST: '0.0.0.0', SANDBOX: 'on', SEED: 'demo' })).toMatchObject({
      SANDBOX: 'on',
      SEED: 'demo',
      UAE_PASS: 'sandbox',
      SANDBOX_HOST: '127.0.0.1',
      ROBOTS: 'noindex',
    });
    expect(readConfig({ SANDBOX_HOST: '0.0.0.0' }).SANDBOX_HOST).toBe('0.0.0.0');
  });

  it('knows where others can connect', () => {
    expect(
      [
        {},
        { PUBLIC_URL: 'http://localhost:8080' },
        { PUBLIC_URL: 'http://[::1]:8080' },
        { PUBLIC_URL: 'https://diwan.example' },
        { HOST: '0.0.0.0' },
        { TRUST_PROXY: '127.0.0.1' },
      ].map((given) => isExposed(readConfig(given))),
    ).toEqual([false, false, false, true, true, true]);
  });

  it.each([
    { PUBLIC_URL: 'https://diwan.example' },
    { HOST: '0.0.0.0' },
    { TRUST_PROXY: '127.0.0.1' },
  ])('is no demonstration by default where others can connect: %j', (given) => {
    expect(readConfig(given)).toMatchObject({ SANDBOX: 'off', SEED: 'none', UAE_PASS: 'off' });
    expect(readConfig({ ...given, SANDBOX: 'on', SEED: 'demo' })).toMatchObject({
      SANDBOX: 'on',
      SEED: 'demo',
    });
  });

  it('allows indexing with a public address or on the local machine only', () => {
    expect(
      [
        {},
        { HOST: '0.0.0.0' },
        { HOST: '0.0.0.0', PUBLIC_URL: 'https://diwan.example' },
        { PUBLIC_URL: 'https://testing.diwan.example', ROBOTS: 'noindex' },
        { PUBLIC_URL: 'https://demo.diwan.example', SANDBOX: 'on', SEED: 'demo' },
      ].map((given) => readConfig(given).ROBOTS),
    ).toEqual(['index', 'noindex', 'index', 'noindex', 'noindex']);
  });

  it('treats an empty value as unset', () => {
    expect(readConfig({ PORT: '' }).PORT).toBe(3000);
  });

  it.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['SANDBOX', 'maybe'],
    ['SEED', 'all'],
    ['DATABASE_URL', 'mysql://x'],
    ['PUBLIC_URL', 'diwan'],
    ['TOKEN_SECONDS', '0'],
    ['LOG_LEVEL', 'loud'],
    ['ROBOTS', 'maybe'],
    ['INVOICE_TRN', '100000000000010'],
  ])('names %s in one line when it is %s', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^Setting ${name} [^\\n]*$`));
  });

  it('never shows the value of a secret setting', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@host' })).toThrow(
      /^(?!.*hunter2)/s,
    );
    expect(() => readConfig({ PAYMENT_PROVIDER_KEY: 'short-key' })).toThrow(/^(?!.*short-key)/s);
    expect(() => readConfig({ METRICS_TOKEN: 'short-token' })).toThrow(/^(?!.*short-token)/s);
  });

  it('stores documents in the storage that has settings, and asks which one of two', () => {
    const azure = { AZURE_STORAGE_CONNECTION_STRING: 'AccountName=a;AccountKey=b' };
    const s3 = { S3_BUCKET: 'documents', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    expect(
      [{}, azure, s3, { ...s3, FILE_STORE: 'folder' }, { ...azure, ...s3, FILE_STORE: 's3' }].map(
        (given) => readConfig(given).FILE_STORE,
      ),
    ).toEqual(['folder', 'azure', 's3', 'folder', 's3']);
    expect(() => readConfig({ ...azure, ...s3 })).toThrow(/^Setting FILE_STORE is missing: /);
    expect(() => readConfig({ ...s3, S3_SECRET_ACCESS_KEY: '' })).toThrow(
      /^Setting S3_SECRET_ACCESS_KEY is missing: /,
    );
    expect(() => readConfig({ FILE_STORE: 'azure' })).toThrow(/^Setting AZURE_STORAGE_CONNEC/);
    expect(() => readConfig({ SECOND_FILE_STORE: 's3' })).toThrow(/^Setting S3_BUCKET is missing/);
    expect(() => readConfig({ SECOND_FILE_STORE: 'folder' })).toThrow(/the same as FILE_STORE/);
  });

  it('requires the key of a configured gateway', () => {
    expect(() => readConfig({ SMS_GATEWAY_URL: 'https://sms.example' })).toThrow(/SMS_GATEWAY_KEY/);
    expect(() => readConfig({ PORT: '4000', SANDBOX_PORT: '4000' })).toThrow(/SANDBOX_PORT/);
    expect(() => readConfig({ PORT: '4000', METRICS_PORT: '4000' })).toThrow(/METRICS_PORT/);
  });
});

describe('secrets in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (content: string) => {
    const path = join(folder, randomUUID());
    writeFileSync(path, content);
    return path;
  };
  const key = randomBytes(32).toString('base64');

  it('reads each secret from the file that its name with _FILE says, without the last line end', () => {
    const values: Record<string, string> = {
      DATABASE_URL: 'postgres://server:word@127.0.0.1/diwan',
      MIGRATIONS_DATABASE_URL: 'postgres://owner:word@127.0.0.1/diwan',
      DATABASE_READ_URL: 'postgres://server:word@127.0.0.2/diwan',
      REDIS_URL: 'redis://:word@127.0.0.1',
      SMTP_URL: 'smtp://user:word@127.0.0.1',
      AZURE_STORAGE_CONNECTION_STRING: 'AccountName=a;AccountKey=b',
    };
    for (const name of secretNames) {
      const value = values[name] ?? key;
      const text = readConfig({ ...values, [name]: value });
      for (const end of ['', '\n', '\r\n'])
        expect(
          readConfig({ ...values, [name]: undefined, [`${name}_FILE`]: write(value + end) }),
          name,
        ).toEqual(text);
    }
    expect(secretNames).toHaveLength(24);
  });

  it('treats every setting that is named like a secret as one', () => {
    const known = ['SEAL_KEYSTORE_PASSWORD_FILE', 'SEAL_KEY_FILE', 'BOT_CHECK_SITE_KEY'];
    expect(
      Object.keys(settings.shape).filter(
        (name) =>
          /(_|^)(KEY|PASSWORD|SECRET|TOKEN|CONNECTION_STRING)(_|$)/.test(name) &&
          !secretNames.includes(name) &&
          !known.includes(name),
      ),
    ).toEqual(['TOKEN_SECONDS', 'SIGNING_KEY_DAYS', 'S3_ACCESS_KEY_ID']);
  });

  it.each([
    [{ SMTP_URL: 'smtp://a:word@b', SMTP_URL_FILE: '/x' }, /^Setting SMTP_URL_FILE .*SMTP_URL is/],
    [
      { METRICS_TOKEN_FILE: '/no/file' },
      /^Setting METRICS_TOKEN_FILE .*\/no\/file does not exist$/,
    ],
    [{ METRICS_TOKEN_FILE: folder }, /^Setting METRICS_TOKEN_FILE .* is a folder$/],
    [{ METRICS_TOKEN_FILE: write('\n') }, /^Setting METRICS_TOKEN_FILE .* is empty$/],
    [{ METRICS_TOKEN_FILE: write('word\nword') }, /^Setting METRICS_TOKEN_FILE .* one line$/],
    [{ METRICS_TOKEN_FILE: write('word') }, /^Setting METRICS_TOKEN cannot be used: /],
  ])('says in one line what is wrong with %j, and shows no secret', (given, message) => {
    expect(() => readConfig(given)).toThrow(message);
    expect(() => readConfig(given)).toThrow(/^(?!.*word)[^\n]*$/);
  });

  it('is documented with the names of all secrets', () => {
    const [, names = ''] =
      /can be in a file: (.+)$/m.exec(readFileSync('docs/operations/settings.md', 'utf8')) ?? [];
    expect([...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name)).toEqual(secretNames);
  });
});

it('docs/operations/settings.md has every setting with its default, and no other', () => {
  const defaults: Record<string, unknown> = settings.parse({});
  const shown = (name: string) =>
    String(defaults[name] ?? '')
      .replace(/^.*(?=web\/dist$)/, '')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;') || '—';
  const rows = [
    ...readFileSync('docs/operations/settings.md', 'utf8').matchAll(
      /^\| (`[A-Z0-9_`, ]+`) +\| (.+?) +\|/gm,
    ),
  ];
  const documented = rows.flatMap(([, names = '', values = '']) =>
    names
      .replaceAll('`', '')
      .split(', ')
      .map((name, index) => [name, values.split(', ')[index]]),
  );
  expect(Object.fromEntries(documented)).toEqual(
    Object.fromEntries(Object.keys(settings.shape).map((name) => [name, shown(name)])),
  );
  expect(documented).toHaveLength(Object.keys(settings.shape).length);
});
