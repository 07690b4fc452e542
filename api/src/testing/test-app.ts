import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { login } from '@diwan/contract/people/users';
import type { BodyInputOf, Call, QueryInputOf, ReplyOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { buildApp } from '../app.ts';
import { readConfig, type Config } from '../config.ts';
import { openIntegrations, type ShutdownStep } from '../integrations.ts';
import { setTextOverrides } from '../platform/core/locale-texts.ts';
import { openScheduler } from '../platform/core/scheduler.ts';
import { openDatabase, type Database } from '../platform/database/database.ts';
import { freePort } from '../platform/embedded-postgres/free-port.ts';
import { setPortalDetails } from '../platform/portal/portal-details.ts';
import { startPaymentSandbox } from '../sandbox/payments/payment-sandbox.ts';
import { demoPassword } from '../seed/seed.ts';

interface CallParts<C extends Call> {
  params?: Record<string, string | number>;
  query?: QueryInputOf<C>;
  body?: BodyInputOf<C> | Buffer;
  token?: string;
  language?: Language;
}

/** `body` has the type of a successful reply; a test that expects a refusal reads `refused`. */
export interface Answer<C extends Call> {
  status: number;
  body: ReplyOf<C>;
  refused: { error?: string; message?: string; errors?: Record<string, string[]> };
  headers: Record<string, unknown>;
}

export interface TestApp {
  server: FastifyInstance;
  /** The database as its owner, for what the server may not do. */
  database: Database;
  /** The database as the server opens it. */
  serverDatabase: Database;
  config: Config;
  sandboxUrl: string;
  /** The sandbox of the payment provider, with its own store. */
  paymentsUrl: string;
  /** Makes every external system unreachable. */
  stopSandbox(): Promise<void>;
  call<C extends Call>(call: C, parts?: CallParts<C>): Promise<Answer<C>>;
  /** Makes a call as a demo user. */
  callAs<C extends Call>(
    username: string,
    call: C,
    parts?: Omit<CallParts<C>, 'token'>,
  ): Promise<Answer<C>>;
  /** A token of a demo user; one sign-in for each user. */
  signIn(username: string): Promise<string>;
  idOf(username: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Opens an app before the tests of a file or `describe` block and closes it after them. The result
 * stands for that app; its parts are available from `beforeAll` hooks on.
 */
export function useTestApp(settings: Record<string, string> = {}): TestApp {
  let opened: TestApp | undefined;
  beforeAll(async () => {
    opened = await openTestApp(settings);
  });
  afterAll(() => opened?.close());
  return new Proxy({} as TestApp, {
    get(_, name: keyof TestApp) {
      if (!opened) throw new Error('The app is open in hooks and tests only.');
      return opened[name];
    },
  });
}

// Longer than any test, and short enough for a timer.
const neverSeconds = 2_000_000;

/** Periodic jobs run only when something asks for them soon, such as the notice of a change. */
export const onlyWhenAsked: typeof openScheduler = (server) => {
  const schedule = openScheduler(server);
  return (_, run) => schedule(neverSeconds, run);
};

/** Jobs that run when `run` is called, one after the other, and at no other time. */
export function openJobsByHand(): { open: typeof openScheduler; run(): Promise<void> } {
  const jobs: (() => unknown)[] = [];
  return {
    open: () => (everySeconds, run) => {
      // Those that a server runs within a minute; the others delete what is old.
      if (everySeconds <= 60) jobs.push(run);
      return () => undefined;
    },
    async run() {
      for (const run of jobs) await run();
    },
  };
}

/** The real app over its own database, cloned from the template, with its own sandbox. */
export async function openTestApp(
  settings: Record<string, string> = {},
  openJobs = openScheduler,
  standby?: Database,
): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'diwan-test-'));
  const name = `diwan_test_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: inject('databaseServer') });
  await admin.connect();
  // Half the processor time of the default strategy, which writes each page to the log as well.
  await admin.query(`create database ${name} template ${inject('template')} strategy file_copy`);
  // A thousand simultaneous calls wait for a connection, however busy the machine is.
  const [database, serverDatabase] = (['databaseServer', 'productServer'] as const).map((key) => {
    const url = new URL(inject(key));
    url.pathname = `/${name}`;
    return openDatabase(url.toString(), () => undefined, {
      connectMs: Number(settings.DATABASE_CONNECT_SECONDS ?? 60) * 1000,
      connections: Number(settings.DATABASE_CONNECTIONS ?? 20),
      prepares: true,
      ...(standby ? { standby: { database: standby, maximumLagSeconds: 30 } } : {}),
    });
  }) as [Database, Database];
  const config = readConfig({
    DATA_DIR: folder,
    SANDBOX: 'on',
    SEED: 'demo',
    LOG_LEVEL: 'silent',
    // No test depends on the hour at which it runs.
    STAFF_DIGEST_HOUR: 'off',
    LOGIN_ATTEMPTS_PER_MINUTE: '10000',
    INQUIRIES_PER_MINUTE: '10000',
    SIGN_IN_FREE_TRIES: '10000',
    // No call is refused because the machine is busy.
    CALLS_AT_ONCE: '100000',
    CALL_WAIT_MS: '600000',
    EVENT_LOOP_DELAY_MS: '600000',
    ...settings,
  });
  const shutdownSteps: ShutdownStep[] = [];
  const sandboxPort = await freePort();
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const sandboxPaymentsPort = await freePort();
  const server = await buildApp(config, serverDatabase, 'http://localhost:3000', {
    openJobs,
    ...(await openIntegrations(config, {
      database: serverDatabase,
      portalUrl: 'http://localhost:3000',
      sandboxPort,
      sandboxPaymentsPort,
      startPayments: async (options) => {
        const payments = await startPaymentSandbox(options);
        return { port: options.port, stop: () => payments.close() };
      },
      shutdownSteps,
    })),
  });
  const tokens = new Map<string, string>();

  const app: TestApp = {
    server,
    database,
    serverDatabase,
    config,
    sandboxUrl,
    paymentsUrl: `http://127.0.0.1:${sandboxPaymentsPort}`,
    async stopSandbox() {
      for (const stop of shutdownSteps.splice(0)) await stop();
    },
    async call(call, { params = {}, query, body, token, language = 'en-US' } = {}) {
      const path = call.path.replace(/\{(\w+)\}/g, (_, key: string) =>
        encodeURIComponent(String(params[key])),
      );
      const response = await server.inject({
        method: call.method,
        url: path,
        query: Object.fromEntries(
          Object.entries(query ?? {}).map(([key, value]) => [key, String(value)]),
        ),
        headers: {
          'accept-language': language,
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(Buffer.isBuffer(body) ? { 'content-type': 'application/octet-stream' } : {}),
        },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      const isJson = /\bjson\b/.test(String(response.headers['content-type'] ?? ''));
      const content = (isJson ? JSON.parse(response.body) : response.rawPayload) as never;
      return {
        status: response.statusCode,
        body: content,
        refused: content,
        headers: response.headers,
      };
    },
    callAs: async (username, call, parts) =>
      app.call(call, { ...parts, token: await app.signIn(username) }),
    async signIn(username) {
      const known = tokens.get(username);
      if (known) return known;
      const { body } = await app.call(login, { body: { username, password: demoPassword } });
      tokens.set(username, body.token);
      return body.token;
    },
    async idOf(username) {
      const { id } = await database
        .selectFrom('users')
        .select('id')
        .where('username', '=', username)
        .executeTakeFirstOrThrow();
      return id;
    },
    async close() {
      await server.close();
      // The files of a worker share modules, and so the texts and the details of the portal.
      setTextOverrides(new Map());
      setPortalDetails({});
      await app.stopSandbox();
      await Promise.all([database.destroy(), serverDatabase.destroy()]);
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return app;
}
