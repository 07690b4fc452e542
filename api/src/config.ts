import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { findingNames } from '@diwan/contract/requests/attachments';
import { mediaTypes } from '@diwan/contract/forms/forms';
import { ciphers } from './platform/auth/sealed-text.ts';
import { factorRoles } from '@diwan/contract/people/second-factor';

const port = z.coerce.number().int().min(0).max(65535);
const onOff = z.enum(['on', 'off']);
const seconds = z.coerce.number().int().min(1);

const isOrigin = (text: string) =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
const keys = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .refine(
    (given) => given.every((key) => Buffer.from(key, 'base64').length === 32),
    'must be 32 bytes in base64, as `openssl rand -base64 32` prints them',
  );

/**
 * Every setting of the product, read from the environment. A wrong value stops the start with one
 * line that names it.
 */
export const settings = z.object({
  /** Where the portal and the API listen. 0 picks a free port. */
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Uploaded documents and, without DATABASE_URL, the embedded PostgreSQL. */
  DATA_DIR: z.string().min(1).default('.data'),
  /** A PostgreSQL server, 15 or newer; unset starts the embedded one. */
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: 'must look like postgres://user:password@host:5432/database',
    })
    .optional(),
  /** The address that people see; links and redirects are made from it. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://diwan.example' })
    .optional(),
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
  /**
   * The mail server, such as smtps://user:password@mail.example:465; unset with the sandbox on
   * means the sandbox.
   */
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must look like smtps://user:password@mail.example:465' })
    .optional(),
  /** Who mail comes from, such as Diwan <no-reply@diwan.example>. */
  MAIL_FROM: z.string().min(3).default('Diwan <no-reply@localhost>'),
  /**
   * How often a message is tried before it is listed as failed: waits double from half a minute to
   * six hours, so that 14 tries take about a day.
   */
  MESSAGE_TRIES: z.coerce.number().int().min(1).max(100).default(14),
  /** After how many days messages that were sent are deleted. */
  MESSAGE_DAYS: z.coerce.number().int().min(1).default(180),
  /** Replace the texts of messages about requests by a document of your own. */
  MESSAGES_FILE: z.string().min(1).optional(),
  /** Codes by mail and SMS a day that one network may ask for; a whole town may come from one. */
  VERIFICATION_CODES_PER_DAY: z.coerce.number().int().min(1).default(300),
  /** Lives of a session token, of a whole session, and of a reference to a file, in seconds. */
  TOKEN_SECONDS: seconds.default(900),
  SESSION_SECONDS: seconds.default(12 * 3600),
  FILE_REFERENCE_SECONDS: seconds.default(900),
  /** After how many days the key that signs tokens is replaced. */
  SIGNING_KEY_DAYS: z.coerce.number().int().min(1).default(90),
  /** Wrong passwords for one account, by one device or network, before waits begin and double. */
  SIGN_IN_FREE_TRIES: z.coerce.number().int().min(1).default(5),
  /**
   * UAE PASS: whose it is. Default: sandbox where the sandbox is on, else off. staging and
   * production need a client id and secret.
   */
  UAE_PASS: z.enum(['off', 'sandbox', 'staging', 'production']).optional(),
  /** The address before /idshub, in place of the one that UAE_PASS stands for. */
  UAE_PASS_URL: z
    .url({ protocol: /^https$/, error: 'must be an address that begins with https' })
    .optional(),
  UAE_PASS_CLIENT_ID: z.string().min(1).optional(),
  UAE_PASS_CLIENT_SECRET: z.string().min(1).optional(),
  /**
   * How surely UAE PASS must know who it is, and what it may tell; both values are those of its
   * documentation.
   */
  UAE_PASS_ACR: z.string().min(1).default('urn:safelayer:tws:policies:authentication:level:low'),
  UAE_PASS_SCOPE: z.string().min(1).default('urn:uae:digitalid:profile:general'),
  /** PKCE. Its documentation does not name it, so it is on by default with the sandbox only. */
  UAE_PASS_PKCE: onOff.optional(),
  /** The least level of an account that may sign in; SOP1 has no verified Emirates ID. */
  UAE_PASS_MINIMUM_LEVEL: z.enum(['SOP1', 'SOP2', 'SOP3']).default('SOP2'),
  /** Sign-in attempts and inquiries a minute from one address. */
  LOGIN_ATTEMPTS_PER_MINUTE: z.coerce.number().int().min(1).default(20),
  INQUIRIES_PER_MINUTE: z.coerce.number().int().min(1).default(30),
  /** How long an employee may act for a person at a counter, in minutes. */
  ACTING_MINUTES: z.coerce.number().int().min(1).max(480).default(30),
  /** Whether an employee who sent a request for somebody may not deal with it too. */
  FOUR_EYES: onOff.default('on'),
  /** Whether a person sees the names of the staff who opened their request, beside their office. */
  READERS_SHOWN: z.enum(['office', 'name']).default('office'),
  /** Within how many minutes the same reader of the same thing is noted once. */
  READ_NOTE_MINUTES: z.coerce.number().int().min(1).default(10),
  /**
   * How often the product asks the payment provider about payments that nobody came back from, in
   * seconds.
   */
  PAYMENT_CHECK_SECONDS: seconds.default(30),
  /**
   * Limits of documents, over whatever a service allows: bytes of one file in MB (1024 x 1024),
   * files of one request, media types with commas between, millions of points of a picture.
   */
  DOCUMENT_MEGABYTES: z.coerce.number().int().min(1).max(200).default(25),
  DOCUMENTS_PER_REQUEST: z.coerce.number().int().min(1).max(50).default(30),
  DOCUMENT_TYPES: z
    .string()
    .default(mediaTypes.join(','))
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    )
    .pipe(
      z
        .array(z.enum(mediaTypes, `must be of ${mediaTypes.join(', ')}, with commas between`))
        .min(1),
    ),
  DOCUMENT_MEGAPIXELS: z.coerce.number().int().min(1).default(100),
  /**
   * What a PDF may not hold, with commas between: encrypted, script, launch, embedded. What is not
   * named here is taken and marked for staff.
   */
  DOCUMENT_REFUSED: z
    .string()
    .default('encrypted,script,launch')
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    )
    .pipe(
      z.array(z.enum(findingNames, `must be of ${findingNames.join(', ')}, with commas between`)),
    ),
  /** How long an address that takes a file lives, in seconds. */
  UPLOAD_ADDRESS_SECONDS: seconds.default(3600),
  /**
   * Where clamd listens: the path of its unix socket, or host:port; unset: files are not scanned.
   * And how long one scan may take.
   */
  CLAMD: z
    .string()
    .regex(
      /^(\/.+|\[[0-9a-fA-F:]+\]:\d+|[\w.-]+:\d+)$/,
      'must be the path of a unix socket or host:port',
    )
    .optional(),
  CLAMD_SECONDS: seconds.default(30),
  /**
   * Azure Blob Storage for documents: the connection string of an account, with its key; unset: the
   * folder `files` of DATA_DIR. And the container.
   */
  AZURE_STORAGE_CONNECTION_STRING: z
    .string()
    .regex(
      /AccountName=.+AccountKey=|AccountKey=.+AccountName=/,
      'must hold AccountName and AccountKey',
    )
    .optional(),
  AZURE_STORAGE_CONTAINER: z
    .string()
    .regex(/^[a-z0-9](-?[a-z0-9]){2,62}$/, 'must be the name of a container')
    .default('diwan-documents'),
  /**
   * How many requests one person may send within 24 hours, programs of companies too; and how often
   * a minute one person may announce, send, have judged or open a document, each by itself.
   */
  REQUESTS_PER_DAY: z.coerce.number().int().min(1).default(1000),
  DOCUMENT_CALLS_PER_MINUTE: z.coerce.number().int().min(1).default(600),
  /**
   * What one person's files that no request holds may take up together, in MB, and how many of them
   * may be announced within an hour. After how many days such a file is thrown away.
   */
  DOCUMENTS_UNSENT_MEGABYTES: z.coerce.number().int().min(1).default(5000),
  DOCUMENTS_UNSENT_PER_HOUR: z.coerce.number().int().min(1).default(1000),
  UNUSED_ATTACHMENT_DAYS: z.coerce.number().int().min(1).default(30),
  /**
   * After how many days without a change a draft is thrown away, how many one person may have, and
   * how often a minute one person's are saved.
   */
  DRAFT_DAYS: z.coerce.number().int().min(1).max(3650).default(90),
  DRAFTS_PER_PERSON: z.coerce.number().int().min(1).default(30),
  DRAFT_SAVES_PER_MINUTE: z.coerce.number().int().min(1).default(120),
  /**
   * VAT on administrative fees that are added to a request, and what the payment gateway takes of
   * fines, in basis points (500 is 5 %).
   */
  FEE_VAT_RATE: z.coerce.number().int().min(0).max(10_000).default(500),
  FINES_GATEWAY_FEE_RATE: z.coerce.number().int().min(0).max(10_000).default(0),
  /** Replace the demo workflow by a document of your own. */
  WORKFLOW_FILE: z.string().min(1).optional(),
  /** Addresses of proxies whose X-Forwarded-For is believed, with commas between. */
  TRUST_PROXY: z.string().min(1).optional(),
  /**
   * Other origins whose portal may call this API, such as https://portal.example, with commas
   * between; none by default.
   */
  PORTAL_ORIGINS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    )
    .refine(
      (origins) => origins.every(isOrigin),
      'must be origins such as https://portal.example, with commas between',
    ),
  /**
   * The key of the links to requests: 32 bytes in base64; several with commas between, the first
   * makes links and all read them. Unset: the product makes one for itself.
   */
  REQUEST_LINK_KEY: keys.optional(),
  /** What links to requests are sealed with; links that another one of them made keep opening. */
  REQUEST_LINK_CIPHER: z.enum(ciphers).default('aes-256-gcm'),
  /**
   * The key that the secrets of authenticator apps are sealed with, of the same form as
   * REQUEST_LINK_KEY. Unset: the product makes one for itself, in its database.
   */
  SECOND_FACTOR_KEY: keys.optional(),
  /**
   * The roles that must have a second factor until an admin decides otherwise, with commas between;
   * none by default.
   */
  SECOND_FACTOR_ROLES: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    )
    .pipe(
      z.array(z.enum(factorRoles, `must be of ${factorRoles.join(', ')}, with commas between`)),
    ),
  /**
   * The bot check (version 3): off, or on with the provider's address, script, keys, and the names
   * of the calls that carry it, with commas between.
   */
  BOT_CHECK: onOff.default('off'),
  BOT_CHECK_ACTIONS: z
    .string()
    .default('login')
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    ),
  /** Unset with the sandbox on means the sandbox. */
  BOT_CHECK_URL: z.url().optional(),
  BOT_CHECK_SCRIPT: z.url().optional(),
  BOT_CHECK_SITE_KEY: z.string().min(1).optional(),
  BOT_CHECK_SECRET: z.string().min(1).optional(),
  /** From 0, a program, to 1, a person. */
  BOT_CHECK_MINIMUM_SCORE: z.coerce.number().min(0).max(1).default(0.5),
  /** What happens while the provider does not answer. */
  BOT_CHECK_WHEN_UNREACHABLE: z.enum(['pass', 'refuse']).default('pass'),
  /** Origins that its script and frames come from beside its own, with commas between. */
  BOT_CHECK_ORIGINS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    )
    .refine(
      (origins) => origins.every(isOrigin),
      'must be origins such as https://check.example, with commas between',
    ),
  /**
   * Whether search engines may show the portal. Default: index where PUBLIC_URL is set or only this
   * machine can come here, else noindex.
   */
  ROBOTS: z.enum(['index', 'noindex']).optional(),
  /** The built portal. */
  PORTAL_DIR: z
    .string()
    .min(1)
    .default(fileURLToPath(new URL('../../web/dist', import.meta.url))),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn'),
});

export interface Config extends z.output<typeof settings> {
  DATA_DIR: string;
  SANDBOX: 'on' | 'off';
  SANDBOX_PORT: number;
  UAE_PASS: 'off' | 'sandbox' | 'staging' | 'production';
  SEED: 'demo' | 'none';
  ROBOTS: 'index' | 'noindex';
}

const isLoopback = (host: string) => /^(localhost|127\.[\d.]+|::1)$/.test(host);

/** A setting that cannot be used: one line that names it. */
export class ConfigError extends Error {}

/** Reads the settings. Throws a `ConfigError` whose message is one line. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = settings.safeParse(given);
  if (!result.success) {
    const issue = result.error.issues[0];
    const name = String(issue?.path[0] ?? 'setting');
    const shown =
      /KEY|SECRET|CONNECTION_STRING/.test(name) || ['DATABASE_URL', 'SMTP_URL'].includes(name)
        ? ''
        : ` (it is ${JSON.stringify(given[name])})`;
    throw new ConfigError(`Setting ${name} cannot be used: ${issue?.message}${shown}`);
  }
  const own = result.data;
  const embedded = own.DATABASE_URL === undefined;
  const config = {
    ...own,
    DATA_DIR: resolve(own.DATA_DIR),
    PORTAL_DIR: resolve(own.PORTAL_DIR),
    SANDBOX: own.SANDBOX ?? (embedded ? 'on' : 'off'),
    SANDBOX_PORT:
      own.SANDBOX_PORT ?? (own.PORT === 0 ? 0 : own.PORT === 65535 ? 65534 : own.PORT + 1),
    SEED: own.SEED ?? (embedded ? 'demo' : 'none'),
    UAE_PASS:
      own.UAE_PASS ?? ((own.SANDBOX ?? (embedded ? 'on' : 'off')) === 'on' ? 'sandbox' : 'off'),
    ROBOTS: own.ROBOTS ?? (own.PUBLIC_URL || isLoopback(own.HOST) ? 'index' : 'noindex'),
  } satisfies Config;
  if (config.PORT !== 0 && config.SANDBOX_PORT === config.PORT)
    throw new ConfigError(
      'Setting SANDBOX_PORT cannot be used: it is the same as PORT, and the stand-ins need an origin of their own',
    );
  for (const party of ['PAYMENT_PROVIDER', 'SMS_GATEWAY'] as const) {
    if (config[`${party}_URL`] && !config[`${party}_KEY`])
      throw new ConfigError(`Setting ${party}_KEY is missing: ${party}_URL is set and needs it`);
  }
  if (config.UAE_PASS === 'sandbox' && config.SANDBOX === 'off')
    throw new ConfigError('Setting UAE_PASS cannot be used: sandbox needs SANDBOX=on');
  for (const name of ['UAE_PASS_CLIENT_ID', 'UAE_PASS_CLIENT_SECRET'] as const) {
    if ((config.UAE_PASS === 'staging' || config.UAE_PASS === 'production') && !config[name])
      throw new ConfigError(`Setting ${name} is missing: UAE_PASS=${config.UAE_PASS} needs it`);
  }
  return config;
}
