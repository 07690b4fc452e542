import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { mediaTypes } from '@diwan/contract/forms/forms';
import { isTaxNumber } from '@diwan/contract/forms/parties';
import { factorRoles } from '@diwan/contract/people/second-factor';
import { isVatTreatment } from '@diwan/contract/wire/money';
import { findingNames } from '@diwan/contract/wire/uploads';

/** Where documents can be stored. */
export const fileStoreNames = ['folder', 'azure', 's3'] as const;

const port = z.coerce.number().int().min(0).max(65535);
const onOff = z.enum(['on', 'off']);
const seconds = z.coerce.number().int().min(1);

const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must look like postgres://user:password@host:5432/database',
});

const isOrigin = (text: string) =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
const splitList = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
const list = (byDefault: string) => z.string().default(byDefault).transform(splitList);
const isKey = (text: string) => Buffer.from(text, 'base64').length === 32;
const keyError = 'must be 32 bytes in base64, as `openssl rand -base64 32` prints them';
const keys = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .refine((given) => given.every(isKey), keyError);

const words = z
  .string()
  .refine(
    (text) => splitList(text).length > 0 && splitList(text).every((one) => one.length >= 16),
    'must have 16 characters or more; with several, with commas between, each of them',
  )
  .transform(splitList);

/**
 * A setting that nobody may read: its value is never shown. It can also be given as the path of a
 * file, by the name of the setting with _FILE at the end.
 */
const secret = <Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> =>
  schema.optional().meta({ isSecret: true });

/**
 * Every setting of the product. They are read from the environment. A wrong value stops the start
 * with one line that names the setting.
 */
export const settings = z.object({
  /** Where the portal and the API listen. 0 picks a free port. */
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Uploaded documents and, without DATABASE_URL, the embedded PostgreSQL. */
  DATA_DIR: z.string().min(1).default('.data'),
  /** A PostgreSQL server, 15 or newer; unset starts the embedded one. */
  DATABASE_URL: secret(databaseUrl),
  /**
   * The same database as the owner of its tables, who runs the migrations. Unset: DATABASE_URL. The
   * role of DATABASE_URL then needs to own nothing.
   */
  MIGRATIONS_DATABASE_URL: secret(databaseUrl),
  /**
   * A standby of the same database, which reports and exports read while it lags at most these seconds.
   * Unset: DATABASE_URL.
   */
  DATABASE_READ_URL: secret(databaseUrl),
  DATABASE_READ_LAG_SECONDS: z.coerce.number().min(0).default(30),
  /** The connections of one process to PostgreSQL, and how long a call waits for one, in seconds. */
  DATABASE_CONNECTIONS: z.coerce.number().int().min(2).default(20),
  DATABASE_CONNECT_SECONDS: z.coerce.number().min(0.1).default(2.5),
  /** Whether statements that are sent again are prepared in each connection. */
  DATABASE_PREPARED: onOff.default('on'),
  /**
   * The limits of one query, in seconds: PostgreSQL ends the statement, this process destroys a
   * connection without an answer, and PostgreSQL ends a transaction that waits for this process.
   * Migrations, seeds and jobs that delete old data have no limits.
   */
  DATABASE_STATEMENT_SECONDS: seconds.default(8),
  DATABASE_QUERY_SECONDS: seconds.default(9),
  DATABASE_IDLE_TRANSACTION_SECONDS: seconds.default(10),
  /** Carries the events of the hubs between processes. Unset: PostgreSQL does. */
  REDIS_URL: secret(
    z.url({ protocol: /^rediss?$/, error: 'must look like redis://user:password@host:6379' }),
  ),
  /** The public address of the portal, for links and redirects. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://portal.example' })
    .optional(),
  /**
   * The sandbox of the outside systems. Default: on with the embedded database where HOST is a
   * loopback address, else off.
   */
  SANDBOX: onOff.optional(),
  /** Where the sandbox listens; another origin than the portal. Default: PORT + 1. */
  SANDBOX_PORT: port.optional(),
  /**
   * Where the sandbox of the payment provider listens. Default: SANDBOX_PORT + 1, or a free port where
   * that one is in use.
   */
  SANDBOX_PAYMENTS_PORT: port.optional(),
  /**
   * The sandbox has no sign-in and shows every code that was sent, so that it listens on loopback.
   * Default: HOST where that is a loopback address, else 127.0.0.1.
   */
  SANDBOX_HOST: z.string().min(1).optional(),
  /** The data for an empty database. Its default is like that of SANDBOX: demo or none. */
  SEED: z.enum(['demo', 'none']).optional(),
  /** The payment provider. Unset: the sandbox, where it is on. */
  PAYMENT_PROVIDER_URL: z.url().optional(),
  PAYMENT_PROVIDER_KEY: secret(z.string().min(16)),
  /**
   * Signs the messages of the provider. While one replaces another, both with a comma between. Unset:
   * its messages are refused, and it is polled.
   */
  PAYMENT_PROVIDER_SECRET: secret(words),
  /** A second account with the same protocol, used where the first cannot be reached. */
  PAYMENT_RESERVE_URL: z.url().optional(),
  PAYMENT_RESERVE_KEY: secret(z.string().min(16)),
  PAYMENT_RESERVE_SECRET: secret(words),
  /** N-Genius Online of Network International. Unset: not used. */
  N_GENIUS_URL: z.url().default('https://api-gateway.ngenius-payments.com'),
  N_GENIUS_KEY: secret(z.string().min(16)),
  N_GENIUS_OUTLET: z.string().min(1).optional(),
  N_GENIUS_SECRET: secret(words),
  /** Stripe Checkout. Unset: not used. */
  STRIPE_URL: z.url().default('https://api.stripe.com'),
  STRIPE_KEY: secret(z.string().min(16)),
  STRIPE_SECRET: secret(words),
  /** The registers of fines of the agencies. Unset: the sandbox, where it is on. */
  FINES_REGISTER_URL: z.url().optional(),
  FINES_REGISTER_KEY: secret(z.string().min(16)),
  /** The SMS gateway. Unset: the sandbox, where it is on. */
  SMS_GATEWAY_URL: z.url().optional(),
  SMS_GATEWAY_KEY: secret(z.string().min(16)),
  /**
   * The mail server, such as smtps://user:password@mail.example:465. Unset: the sandbox, where it is
   * on.
   */
  SMTP_URL: secret(
    z.url({ protocol: /^smtps?$/, error: 'must look like smtps://user:password@mail.example:465' }),
  ),
  /** The sender of mail. An address without a name, as in `Name <a@b.example>`, gets the portal's. */
  MAIL_FROM: z.string().min(3).default('no-reply@localhost'),
  /**
   * The key that signs messages to browsers, 32 bytes in base64. Unset: the product generates one and
   * stores it in its database. With another key people turn the messages on again.
   */
  WEB_PUSH_KEY: secret(keys),
  /**
   * Whom a push service asks about our messages, mailto:… or https://…. Unset: the address of
   * MAIL_FROM.
   */
  WEB_PUSH_CONTACT: z
    .url({ protocol: /^(mailto|https)$/, error: 'must be an address: mailto:… or https://…' })
    .optional(),
  /**
   * The push services that browsers may name, separated by commas: hosts, a domain after a dot for all
   * hosts below it, or an origin with its port, which may be in a private network.
   */
  WEB_PUSH_SERVICES: list(
    'fcm.googleapis.com,jmt17.google.com,.push.services.mozilla.com,.push.apple.com,' +
      '.notify.windows.com',
  ).refine(
    (services) =>
      services.every((each) => isOrigin(each) || /^\.?([a-z0-9-]+\.)+[a-z]{2,}$/.test(each)),
    'must be hosts such as push.example, .push.example or https://push.example:8443',
  ),
  /** After how many days the notifications behind the bell are deleted; 200 a user are stored. */
  NOTIFICATION_DAYS: z.coerce.number().int().min(1).max(3650).default(90),
  /** The hour in Asia/Dubai of the daily summary for staff, on working days. */
  STAFF_DIGEST_HOUR: z.union([z.literal('off'), z.coerce.number().int().min(0).max(23)]).default(7),
  /**
   * The attempts before a message counts as failed. The delays double from half a minute to six
   * hours, so that 14 attempts take about a day.
   */
  MESSAGE_TRIES: z.coerce.number().int().min(1).max(100).default(14),
  /** After how many days sent messages are deleted. */
  MESSAGE_DAYS: z.coerce.number().int().min(1).default(180),
  /** A file that replaces the texts of messages about requests. */
  MESSAGES_FILE: z.string().min(1).optional(),
  /** The codes by mail and SMS that one network may request a day. Many people may share one. */
  VERIFICATION_CODES_PER_DAY: z.coerce.number().int().min(1).default(300),
  /** The lifetimes of a token, of a session, and of a reference to a file, in seconds. */
  TOKEN_SECONDS: seconds.default(900),
  SESSION_SECONDS: seconds.default(12 * 3600),
  /**
   * After how many minutes without a call of the user a session ends, for applicants and for staff
   * and service providers.
   */
  SESSION_IDLE_MINUTES: z.coerce.number().int().min(5).default(60),
  SESSION_IDLE_MINUTES_STAFF: z.coerce.number().int().min(5).default(30),
  FILE_REFERENCE_SECONDS: seconds.default(900),
  /** After how many days the key that signs tokens is replaced. */
  SIGNING_KEY_DAYS: z.coerce.number().int().min(1).default(90),
  /** The wrong passwords for an account from one device or network before delays start and double. */
  SIGN_IN_FREE_TRIES: z.coerce.number().int().min(1).default(5),
  /**
   * The UAE PASS environment. Default: sandbox where the sandbox is on, else off. staging and
   * production need a client id and secret.
   */
  UAE_PASS: z.enum(['off', 'sandbox', 'staging', 'production']).optional(),
  /** The address before /idshub, instead of the one of the environment. */
  UAE_PASS_URL: z
    .url({ protocol: /^https$/, error: 'must be an address that begins with https' })
    .optional(),
  UAE_PASS_CLIENT_ID: z.string().min(1).optional(),
  UAE_PASS_CLIENT_SECRET: secret(z.string().min(1)),
  /** The assurance level and the scope of the sign-in. The values are those of UAE PASS. */
  UAE_PASS_ACR: z.string().min(1).default('urn:safelayer:tws:policies:authentication:level:low'),
  UAE_PASS_SCOPE: z.string().min(1).default('urn:uae:digitalid:profile:general'),
  /** PKCE. The documentation of UAE PASS does not name it, so it is on with the sandbox only. */
  UAE_PASS_PKCE: onOff.optional(),
  /** The lowest level of an account that may sign in. SOP1 has no verified Emirates ID. */
  UAE_PASS_MINIMUM_LEVEL: z.enum(['SOP1', 'SOP2', 'SOP3']).default('SOP2'),
  /** Failed attempts to sign in and inquiries without a result a minute from one address. */
  LOGIN_ATTEMPTS_PER_MINUTE: z.coerce.number().int().min(1).default(200),
  INQUIRIES_PER_MINUTE: z.coerce.number().int().min(1).default(300),
  /** How long an employee may act for a person at a counter, in minutes. */
  ACTING_MINUTES: z.coerce.number().int().min(1).max(480).default(30),
  /** Whether an employee who sent a request for a user is excluded from processing it. */
  FOUR_EYES: onOff.default('on'),
  /** How long staff can undo an action on a request before it takes effect, in seconds. */
  UNDO_SECONDS: z.coerce.number().int().min(1).max(60).default(8),
  /** Whether applicants see the names of the staff who opened their request, or only the office. */
  READERS_SHOWN: z.enum(['office', 'name']).default('office'),
  /** Within this many minutes, repeated access by one reader is recorded once. */
  READ_NOTE_MINUTES: z.coerce.number().int().min(1).default(10),
  /** How often the provider is asked about payments from which no visitor returned, in seconds. */
  PAYMENT_CHECK_SECONDS: seconds.default(30),
  /** After this many minutes without a payment its page is closed. */
  PAYMENT_EXPIRY_MINUTES: z.coerce.number().int().min(5).max(10_080).default(60),
  /** A refund above this amount, in fils, waits for a second person. */
  REFUND_APPROVAL_ABOVE: z.coerce.number().int().min(0).default(100_000),
  /**
   * What one person adds to a request by fines and fees within 24 hours without a second person, in
   * fils.
   */
  CHARGE_APPROVAL_ABOVE: z.coerce.number().int().min(0).default(100_000),
  /**
   * What one person changes of the fees of a service within 24 hours by publishing, in fils, without a
   * second person. Without it nobody else is asked.
   */
  FEE_APPROVAL_ABOVE: z.coerce.number().int().min(0).optional(),
  /** The working days in which a refund reaches the card, as applicants see it. */
  REFUND_WORKING_DAYS: z.coerce.number().int().min(1).max(60).default(10),
  /**
   * The limits of documents, in addition to those of a service: the size of a file in MB
   * (1024 x 1024), the files of a request, the media types (separated by commas), and the megapixels
   * of a picture.
   */
  DOCUMENT_MEGABYTES: z.coerce.number().int().min(1).max(200).default(25),
  DOCUMENTS_PER_REQUEST: z.coerce.number().int().min(1).max(50).default(30),
  DOCUMENT_TYPES: list(mediaTypes.join(',')).pipe(
    z.array(z.enum(mediaTypes, `must be of ${mediaTypes.join(', ')}, with commas between`)).min(1),
  ),
  DOCUMENT_MEGAPIXELS: z.coerce.number().int().min(1).default(100),
  /**
   * The findings for which a PDF is refused, separated by commas: encrypted, script, launch,
   * embedded. Other findings are accepted and shown to staff. A PDF that opens without a password is
   * not encrypted in this sense.
   */
  DOCUMENT_REFUSED: list('encrypted,script,launch').pipe(
    z.array(z.enum(findingNames, `must be of ${findingNames.join(', ')}, with commas between`)),
  ),
  /** The lifetime of an upload address, in seconds. */
  UPLOAD_ADDRESS_SECONDS: seconds.default(3600),
  /**
   * Where clamd listens: the path of its unix socket, or host:port. Unset: files are not scanned.
   * CLAMD_SECONDS limits one scan.
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
   * Where documents are stored: the folder `files` of DATA_DIR, Azure Blob Storage, or a storage with
   * the protocol of Amazon S3. Default: the storage that has settings, else the folder.
   */
  FILE_STORE: z.enum(fileStoreNames).optional(),
  /** A second store, which is read for files that FILE_STORE lacks while they move. */
  SECOND_FILE_STORE: z.enum(fileStoreNames).optional(),
  /**
   * Azure Blob Storage for documents: the connection string of an account with its key, and the
   * container.
   */
  AZURE_STORAGE_CONNECTION_STRING: secret(
    z
      .string()
      .regex(
        /AccountName=.+AccountKey=|AccountKey=.+AccountName=/,
        'must hold AccountName and AccountKey',
      ),
  ),
  AZURE_STORAGE_CONTAINER: z
    .string()
    .regex(/^[a-z0-9](-?[a-z0-9]){2,62}$/, 'must be the name of a container')
    .default('diwan-documents'),
  /**
   * A bucket of a storage with the protocol of Amazon S3 for documents, its region, and the pair of
   * keys. S3_ENDPOINT is the address of a storage that is not Amazon's.
   */
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://storage.example:9000' })
    .optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: secret(z.string().min(1)),
  /** Whether addresses have the bucket in their path. Default: on with S3_ENDPOINT. */
  S3_PATH_STYLE: onOff.optional(),
  /**
   * The requests that a user may send within 24 hours, and how often a minute a user may announce,
   * upload, complete or open a document (each counted separately).
   */
  REQUESTS_PER_DAY: z.coerce.number().int().min(1).default(1000),
  DOCUMENT_CALLS_PER_MINUTE: z.coerce.number().int().min(1).default(600),
  /**
   * The limits of a user's files that belong to no request: their total size in MB, how many may be
   * announced within an hour, and after how many days they are deleted.
   */
  DOCUMENTS_UNSENT_MEGABYTES: z.coerce.number().int().min(1).default(5000),
  DOCUMENTS_UNSENT_PER_HOUR: z.coerce.number().int().min(1).default(1000),
  UNUSED_ATTACHMENT_DAYS: z.coerce.number().int().min(1).default(30),
  /** In how many working days a complaint is answered, and how many days after its end it is deleted. */
  COMPLAINT_WORKING_DAYS: z.coerce.number().int().min(1).max(60).default(10),
  COMPLAINT_DAYS: z.coerce.number().int().min(30).max(3650).default(730),
  /** After how many days the counts of searches are deleted. */
  SEARCH_LOG_DAYS: z.coerce.number().int().min(1).max(3650).default(90),
  /**
   * After how many days without a change a draft is deleted, how many drafts a user may have, and how
   * often a minute they are saved.
   */
  DRAFT_DAYS: z.coerce.number().int().min(1).max(3650).default(90),
  DRAFTS_PER_PERSON: z.coerce.number().int().min(1).default(30),
  DRAFT_SAVES_PER_MINUTE: z.coerce.number().int().min(1).default(120),
  /**
   * The VAT on administrative fees that staff add to a request (500 is the standard rate of 5 %, 0 is
   * out of the scope of VAT), and the payment gateway's fee on fines, in basis points.
   */
  FEE_VAT_RATE: z.coerce
    .number()
    .refine((vatRate) => isVatTreatment({ vatRate }), 'is 500 or 0')
    .default(500),
  FINES_GATEWAY_FEE_RATE: z.coerce.number().int().min(0).max(10_000).default(0),
  /**
   * The tax registration number (TRN) on invoices, 15 digits from 1 to 03. Unset: the sandbox shows one
   * that is labelled as demonstration, else invoices are not called tax invoices. The operator's name is
   * a text (`invoices:document.operator`).
   */
  INVOICE_TRN: z
    .string()
    .refine(isTaxNumber, 'must be the 15 digits of a tax registration number, from 1 to 03')
    .optional(),
  /** The operator's address in e-invoices; the emirate as its code. All three or none. */
  INVOICE_STREET: z.string().min(1).max(200).optional(),
  INVOICE_CITY: z.string().min(1).max(100).optional(),
  INVOICE_EMIRATE: z.enum(['AUH', 'AJM', 'DXB', 'FUJ', 'RAK', 'SHJ', 'UAQ']).optional(),
  /** How many receipts one file of a run has. */
  RECEIPTS_IN_A_FILE: z.coerce.number().int().min(1).max(2000).default(250),
  /**
   * The electronic seal of documents: a file with the certificate and those above it, one with its RSA
   * key, both in PEM, and the password of the key. Unset: the sandbox makes a key for demonstration in
   * DATA_DIR, else documents have no seal.
   */
  SEAL_CERTIFICATE_FILE: z.string().min(1).optional(),
  SEAL_KEY_FILE: z.string().min(1).optional(),
  SEAL_KEY_PASSWORD: secret(z.string().min(1)),
  /** Instead of the two PEM files: one PKCS #12 file, and a file with its password. */
  SEAL_KEYSTORE_FILE: z.string().min(1).optional(),
  SEAL_KEYSTORE_PASSWORD_FILE: z.string().min(1).optional(),
  /** A file that replaces the demo workflow. */
  WORKFLOW_FILE: z.string().min(1).optional(),
  /** The addresses of proxies whose X-Forwarded-For is trusted, separated by commas. */
  TRUST_PROXY: z.string().min(1).optional(),
  /**
   * Other origins whose portal may call this API, such as https://portal.example, separated by
   * commas. None by default.
   */
  PORTAL_ORIGINS: list('').refine(
    (origins) => origins.every(isOrigin),
    'must be origins such as https://portal.example, with commas between',
  ),
  /**
   * The keys of links to requests: 32 bytes in base64 each, separated by commas. The first encrypts
   * and all decrypt. Unset: the product generates one.
   */
  REQUEST_LINK_KEY: secret(keys),
  /** The cipher of new links to requests. Links of the other ciphers stay valid. */
  REQUEST_LINK_CIPHER: z.enum(['aes-256-gcm', 'chacha20-poly1305']).default('aes-256-gcm'),
  /**
   * The keys that encrypt the secrets of authenticator apps, in the form of REQUEST_LINK_KEY. Unset:
   * the product generates one and stores it in its database.
   */
  SECOND_FACTOR_KEY: secret(keys),
  /**
   * The roles that must have a second factor, until an admin decides otherwise, separated by commas.
   * None by default.
   */
  SECOND_FACTOR_ROLES: list('').pipe(
    z.array(z.enum(factorRoles, `must be of ${factorRoles.join(', ')}, with commas between`)),
  ),
  /**
   * The bot check (version 3): off, or on with the provider's address, script and keys, and the names
   * of the calls that need it, separated by commas.
   */
  BOT_CHECK: onOff.default('off'),
  BOT_CHECK_ACTIONS: list('login'),
  /** Unset: the sandbox, where it is on. */
  BOT_CHECK_URL: z.url().optional(),
  BOT_CHECK_SCRIPT: z.url().optional(),
  BOT_CHECK_SITE_KEY: z.string().min(1).optional(),
  BOT_CHECK_SECRET: secret(z.string().min(1)),
  /** From 0, a program, to 1, a person. */
  BOT_CHECK_MINIMUM_SCORE: z.coerce.number().min(0).max(1).default(0.5),
  /** Whether calls pass while the provider does not answer. */
  BOT_CHECK_WHEN_UNREACHABLE: z.enum(['pass', 'refuse']).default('pass'),
  /** Further origins of its script and frames, separated by commas. */
  BOT_CHECK_ORIGINS: list('').refine(
    (origins) => origins.every(isOrigin),
    'must be origins such as https://check.example, with commas between',
  ),
  /**
   * Whether search engines may index the portal. Default: index where PUBLIC_URL is set or HOST is a
   * loopback address, unless others can reach a demonstration; else noindex.
   */
  ROBOTS: z.enum(['index', 'noindex']).optional(),
  /**
   * `GET /metrics`: a separate port, and the bearer token of the program that reads it. Without
   * both it is served only where nobody but this machine can connect.
   */
  METRICS_PORT: z.coerce.number().int().min(1).max(65535).optional(),
  METRICS_TOKEN: secret(words),
  /**
   * The collector that gets traces of calls and of their statements by OTLP over HTTP; unset: nobody.
   * The name of this service there, and the share of the calls that are traced.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address such as http://127.0.0.1:4318' })
    .optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default('diwan'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /**
   * The calls that a process works on at the same time, how long further ones may wait before they
   * are refused, and the delay of the event loop above which anonymous reads are refused, in
   * milliseconds. Decision 0035.
   */
  CALLS_AT_ONCE: z.coerce.number().int().min(1).default(64),
  CALL_WAIT_MS: z.coerce.number().int().min(1).default(1000),
  EVENT_LOOP_DELAY_MS: z.coerce.number().int().min(10).default(500),
  /**
   * For how long a process that was asked to stop still accepts calls while `/health/ready` answers
   * 503. Behind a proxy: longer than the proxy needs to notice.
   */
  SHUTDOWN_DELAY_SECONDS: z.coerce.number().min(0).max(300).default(0),
  /**
   * By how much the heap may grow over what is in use before V8 collects garbage. V8's own choice lets
   * it grow to several times that, which costs memory that other programs of the machine miss.
   */
  MEMORY_GROWTH_PERCENT: z.coerce.number().int().min(10).max(400).default(40),
  /** The folder of the built portal. */
  PORTAL_DIR: z
    .string()
    .min(1)
    .default(fileURLToPath(new URL('../../web/dist', import.meta.url))),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn'),
});

/** The settings that nobody may read. */
export const secretNames: readonly string[] = Object.entries(settings.shape)
  .filter(([, schema]) => schema.meta()?.isSecret === true)
  .map(([name]) => name);
