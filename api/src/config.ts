import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { secretNames, settings, type fileStoreNames } from './settings.ts';

type GivenSettings = z.output<typeof settings>;

/** The settings with their computed defaults. */
export interface Config extends GivenSettings {
  DATA_DIR: string;
  SANDBOX: 'on' | 'off';
  SANDBOX_PORT: number;
  SANDBOX_HOST: string;
  UAE_PASS: 'off' | 'sandbox' | 'staging' | 'production';
  SEED: 'demo' | 'none';
  ROBOTS: 'index' | 'noindex';
  FILE_STORE: FileStoreName;
}

/** Where documents can be stored. */
export type FileStoreName = (typeof fileStoreNames)[number];

const isLoopback = (host: string) => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);

/** Whether others than the users of this machine can reach the portal, perhaps through a proxy. */
export function isExposed({
  HOST,
  PUBLIC_URL,
  TRUST_PROXY,
}: Pick<GivenSettings, 'HOST' | 'PUBLIC_URL' | 'TRUST_PROXY'>): boolean {
  return (
    !isLoopback(HOST) ||
    TRUST_PROXY !== undefined ||
    (PUBLIC_URL !== undefined && !isLoopback(new URL(PUBLIC_URL).hostname))
  );
}

/** Whether the portal simulates outside systems, or has accounts whose password is published. */
export function isDemonstration({ SANDBOX, SEED }: Pick<Config, 'SANDBOX' | 'SEED'>): boolean {
  return SANDBOX === 'on' || SEED === 'demo';
}

/** A setting cannot be used. The message is one line that names the setting. */
export class ConfigError extends Error {}

const readErrors: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder',
};

function readSecretFile(name: string, path: string): string {
  const refuse = (problem: string) =>
    new ConfigError(`Setting ${name}_FILE cannot be used: ${path} ${problem}`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw refuse(readErrors[code] ?? `cannot be read (${code})`);
  }
  // Editors and `echo` end a file with a new line.
  const value = text.replace(/[\r\n]+$/, '');
  if (value === '') throw refuse('is empty');
  if (/[\r\n]/.test(value)) throw refuse('has more than one line');
  return value;
}

/** A secret as its file says it now; `known` where it is in no file, or the file cannot be used. */
export function readSecretNow(name: string, known: string): string {
  const path = process.env[`${name}_FILE`];
  try {
    return path ? readSecretFile(name, path) : known;
  } catch {
    return known;
  }
}

/** The settings with those secrets that are in files. Throws a `ConfigError`. */
function withSecretFiles(
  given: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const fromFiles = secretNames.flatMap((name) => {
    const path = given[`${name}_FILE`];
    if (path === undefined) return [];
    if (given[name] !== undefined)
      throw new ConfigError(
        `Setting ${name}_FILE cannot be used: ${name} is set too, and one of them is enough`,
      );
    return [[name, readSecretFile(name, path)] as const];
  });
  return { ...given, ...Object.fromEntries(fromFiles) };
}

function parseSettings(environment: Record<string, string | undefined>): GivenSettings {
  const given = withSecretFiles(
    Object.fromEntries(
      Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
    ),
  );
  const result = settings.safeParse(given);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const name = String(issue?.path[0] ?? 'setting');
  const shown = secretNames.includes(name) ? '' : ` (it is ${JSON.stringify(given[name])})`;
  throw new ConfigError(`Setting ${name} cannot be used: ${issue?.message}${shown}`);
}

function defaultSandboxPort(port: number): number {
  if (port === 0) return 0;
  return port === 65535 ? 65534 : port + 1;
}

function withDemoDefaults(given: GivenSettings) {
  const isLocalDemo = given.DATABASE_URL === undefined && !isExposed(given);
  const SANDBOX = given.SANDBOX ?? (isLocalDemo ? 'on' : 'off');
  return {
    ...given,
    SANDBOX,
    SANDBOX_HOST: given.SANDBOX_HOST ?? (isLoopback(given.HOST) ? given.HOST : '127.0.0.1'),
    SEED: given.SEED ?? (isLocalDemo ? 'demo' : 'none'),
    UAE_PASS: given.UAE_PASS ?? (SANDBOX === 'on' ? 'sandbox' : 'off'),
  };
}

function defaultFileStore({
  AZURE_STORAGE_CONNECTION_STRING: azure,
  S3_BUCKET: bucket,
}: GivenSettings): FileStoreName {
  if (azure && bucket)
    throw new ConfigError(
      'Setting FILE_STORE is missing: AZURE_STORAGE_CONNECTION_STRING and S3_BUCKET are set; ' +
        'say which of the two stores documents',
    );
  if (azure) return 'azure';
  return bucket ? 's3' : 'folder';
}

function withDefaults(given: GivenSettings): Config {
  const demo = withDemoDefaults(given);
  const mayBeIndexed =
    given.PUBLIC_URL === undefined
      ? !isExposed(given)
      : !(isExposed(given) && isDemonstration(demo));
  return {
    ...demo,
    DATA_DIR: resolve(given.DATA_DIR),
    PORTAL_DIR: resolve(given.PORTAL_DIR),
    SANDBOX_PORT: given.SANDBOX_PORT ?? defaultSandboxPort(given.PORT),
    ROBOTS: given.ROBOTS ?? (mayBeIndexed ? 'index' : 'noindex'),
    FILE_STORE: given.FILE_STORE ?? defaultFileStore(given),
  };
}

function checkAddresses(config: Config): void {
  if (config.PORT !== 0 && config.SANDBOX_PORT === config.PORT)
    throw new ConfigError(
      'Setting SANDBOX_PORT cannot be used: ' +
        'it is the same as PORT, and the sandbox needs a separate origin',
    );
  const { SANDBOX_PAYMENTS_PORT: payments } = config;
  if (payments && [config.PORT, config.SANDBOX_PORT, config.METRICS_PORT].includes(payments))
    throw new ConfigError(
      'Setting SANDBOX_PAYMENTS_PORT cannot be used: it is the same as PORT, SANDBOX_PORT or METRICS_PORT',
    );
  if (config.METRICS_PORT === config.PORT || config.METRICS_PORT === config.SANDBOX_PORT)
    throw new ConfigError(
      'Setting METRICS_PORT cannot be used: it is the same as PORT or SANDBOX_PORT',
    );
}

function checkDatabase(config: Config): void {
  if (config.DATABASE_STATEMENT_SECONDS >= config.DATABASE_QUERY_SECONDS)
    throw new ConfigError(
      'Setting DATABASE_STATEMENT_SECONDS cannot be used: it must be below DATABASE_QUERY_SECONDS',
    );
  if (config.MIGRATIONS_DATABASE_URL && !config.DATABASE_URL)
    throw new ConfigError(
      'Setting DATABASE_URL is missing: MIGRATIONS_DATABASE_URL is set and needs it',
    );
}

function checkOutsideParties(config: Config): void {
  if (config.SEED === 'demo' && config.SANDBOX === 'off')
    throw new ConfigError(
      'Setting SEED cannot be used: the demo accounts have a published password; demo needs SANDBOX=on',
    );
  for (const name of ['PAYMENT_PROVIDER', 'SMS_GATEWAY'] as const) {
    if (config[`${name}_URL`] && !config[`${name}_KEY`])
      throw new ConfigError(`Setting ${name}_KEY is missing: ${name}_URL is set and needs it`);
  }
  if (config.UAE_PASS === 'sandbox' && config.SANDBOX === 'off')
    throw new ConfigError('Setting UAE_PASS cannot be used: sandbox needs SANDBOX=on');
  for (const name of ['UAE_PASS_CLIENT_ID', 'UAE_PASS_CLIENT_SECRET'] as const) {
    if ((config.UAE_PASS === 'staging' || config.UAE_PASS === 'production') && !config[name])
      throw new ConfigError(`Setting ${name} is missing: UAE_PASS=${config.UAE_PASS} needs it`);
  }
}

const fileStoreSettings = {
  folder: [],
  azure: ['AZURE_STORAGE_CONNECTION_STRING'],
  s3: ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
} as const satisfies Record<FileStoreName, readonly (keyof Config)[]>;

/** Refuses a store of documents whose settings are missing. Throws a `ConfigError`. */
export function checkFileStore(config: Config, store: FileStoreName): void {
  for (const name of fileStoreSettings[store])
    if (config[name] === undefined)
      throw new ConfigError(
        `Setting ${name} is missing: documents are stored in ${store}, which needs it`,
      );
}

/** Reads the settings. Throws a `ConfigError`. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const config = withDefaults(parseSettings(environment));
  checkAddresses(config);
  checkDatabase(config);
  checkOutsideParties(config);
  checkFileStore(config, config.FILE_STORE);
  if (config.SECOND_FILE_STORE) checkFileStore(config, config.SECOND_FILE_STORE);
  if (config.SECOND_FILE_STORE === config.FILE_STORE)
    throw new ConfigError('Setting SECOND_FILE_STORE cannot be used: it is the same as FILE_STORE');
  return config;
}
