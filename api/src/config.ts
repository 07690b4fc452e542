import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65535);
const onOff = z.enum(['on', 'off']);
const seconds = z.coerce.number().int().min(1);

/** Every setting of the product, read from the environment. A wrong value stops the start with one line that names it. */
const settings = z.object({
  /** Where the portal and the API listen. 0 picks a free port. */
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Uploaded documents and, without DATABASE_URL, the embedded PostgreSQL. */
  DATA_DIR: z.string().min(1).default('.data'),
  /** A PostgreSQL server, 15 or newer; unset starts the embedded one. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must look like postgres://user:password@host:5432/database' }).optional(),
  /** The address that people see; links and redirects are made from it. */
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an address such as https://diwan.example' }).optional(),
  /** The stand-ins for outside parties. Default: on with the embedded database, else off. */
  SANDBOX: onOff.optional(),
  /** Where the stand-ins listen; another origin than the portal. Default: PORT + 1. */
  SANDBOX_PORT: port.optional(),
  /** What an empty database is filled with. Default: demo with the embedded database, else none. */
  SEED: z.enum(['demo', 'none']).optional(),
  /** The payment provider; unset with the sandbox on means the sandbox. */
  PAYMENT_PROVIDER_URL: z.url().optional(),
  PAYMENT_PROVIDER_KEY: z.string().min(16).optional(),
  /** The SMS gateway; unset with the sandbox on means the sandbox. */
  SMS_GATEWAY_URL: z.url().optional(),
  SMS_GATEWAY_KEY: z.string().min(16).optional(),
  /** Lives of a session token, of a whole session, and of a reference to a file, in seconds. */
  TOKEN_SECONDS: seconds.default(900),
  SESSION_SECONDS: seconds.default(12 * 3600),
  FILE_REFERENCE_SECONDS: seconds.default(900),
  /** Sign-in attempts and inquiries a minute from one address. */
  LOGIN_ATTEMPTS_PER_MINUTE: z.coerce.number().int().min(1).default(20),
  INQUIRIES_PER_MINUTE: z.coerce.number().int().min(1).default(30),
  /** How often the product asks the payment provider about payments that nobody came back from, in seconds. */
  PAYMENT_CHECK_SECONDS: seconds.default(30),
  /** After how many days a file that no request holds is thrown away. */
  UNUSED_ATTACHMENT_DAYS: z.coerce.number().int().min(1).default(30),
  /** Replace the demo workflow by a document of your own. */
  WORKFLOW_FILE: z.string().min(1).optional(),
  /** Addresses of proxies whose X-Forwarded-For is believed, with commas between. */
  TRUST_PROXY: z.string().min(1).optional(),
  /** The built portal. */
  PORTAL_DIR: z.string().min(1).default(fileURLToPath(new URL('../../web/dist', import.meta.url))),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn'),
});

export interface Config extends z.output<typeof settings> {
  DATA_DIR: string;
  SANDBOX: 'on' | 'off';
  SANDBOX_PORT: number;
  SEED: 'demo' | 'none';
}

/** A setting that cannot be used: one line that names it. */
export class ConfigError extends Error {}

/** Reads the settings. Throws a `ConfigError` whose message is one line. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const result = settings.safeParse(given);
  if (!result.success) {
    const issue = result.error.issues[0];
    const name = String(issue?.path[0] ?? 'setting');
    const shown = name.includes('KEY') || name === 'DATABASE_URL' ? '' : ` (it is ${JSON.stringify(given[name])})`;
    throw new ConfigError(`Setting ${name} cannot be used: ${issue?.message}${shown}`);
  }
  const own = result.data;
  const embedded = own.DATABASE_URL === undefined;
  const config = {
    ...own,
    DATA_DIR: resolve(own.DATA_DIR),
    PORTAL_DIR: resolve(own.PORTAL_DIR),
    SANDBOX: own.SANDBOX ?? (embedded ? 'on' : 'off'),
    SANDBOX_PORT: own.SANDBOX_PORT ?? (own.PORT === 0 ? 0 : own.PORT === 65535 ? 65534 : own.PORT + 1),
    SEED: own.SEED ?? (embedded ? 'demo' : 'none'),
  } satisfies Config;
  if (config.PORT !== 0 && config.SANDBOX_PORT === config.PORT) throw new ConfigError('Setting SANDBOX_PORT cannot be used: it is the same as PORT, and the stand-ins need an origin of their own');
  for (const party of ['PAYMENT_PROVIDER', 'SMS_GATEWAY'] as const) {
    if (config[`${party}_URL`] && !config[`${party}_KEY`]) throw new ConfigError(`Setting ${party}_KEY is missing: ${party}_URL is set and needs it`);
  }
  return config;
}
