import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { inject } from 'vitest';
import type { BodyInputOf, Call, QueryInputOf, ReplyOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { login } from '@diwan/contract/people/users';
import { buildApp } from '../app.ts';
import { readConfig, type Config } from '../config.ts';
import { openOutside, type Stop } from '../outside.ts';
import { openDatabase, type Database } from '../platform/database/database.ts';
import { freePort } from '../platform/embedded-postgres/free-port.ts';
import { demoPassword } from '../seed/seed.ts';

export interface CallParts<C extends Call> {
  params?: Record<string, string | number>;
  query?: QueryInputOf<C>;
  body?: BodyInputOf<C> | Buffer;
  token?: string;
  language?: Language;
}

/**
 * `body` is typed as the reply of a success; a test that expects a refusal reads it as `refused`.
 */
export interface Answer<C extends Call> {
  status: number;
  body: ReplyOf<C>;
  refused: { error?: string; message?: string; errors?: Record<string, string[]> };
  headers: Record<string, unknown>;
}

export interface TestApp {
  server: FastifyInstance;
  database: Database;
  config: Config;
  sandboxUrl: string;
  /** Every outside party goes away. */
  stopSandbox(): Promise<void>;
  call<C extends Call>(call: C, parts?: CallParts<C>): Promise<Answer<C>>;
  signIn(username: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * The real app over a database of its own, cloned from the template, with the real sandbox on a
 * port of its own.
 */
export async function openTestApp(settings: Record<string, string> = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'diwan-house-'));
  const name = `diwan_test_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: inject('databaseServer') });
  await admin.connect();
  await admin.query(`create database ${name} template ${inject('template')}`);
  const url = new URL(inject('databaseServer'));
  url.pathname = `/${name}`;
  // A thousand calls at once wait for their turn, however busy the machine of the tests is.
  const database = openDatabase(url.toString(), () => undefined, 60_000);
  const config = readConfig({
    DATA_DIR: folder,
    SANDBOX: 'on',
    SEED: 'demo',
    LOG_LEVEL: 'silent',
    LOGIN_ATTEMPTS_PER_MINUTE: '10000',
    INQUIRIES_PER_MINUTE: '10000',
    SIGN_IN_FREE_TRIES: '10000',
    ...settings,
  });
  const stops: Stop[] = [];
  const sandboxPort = await freePort();
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const server = await buildApp(
    config,
    database,
    'http://localhost:3000',
    await openOutside(config, database, 'http://localhost:3000', sandboxPort, stops),
  );
  const tokens = new Map<string, string>();

  const app: TestApp = {
    server,
    database,
    config,
    sandboxUrl,
    async stopSandbox() {
      for (const stop of stops.splice(0)) await stop();
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
      const isJson = String(response.headers['content-type'] ?? '').includes('json');
      const content = (isJson ? JSON.parse(response.body) : response.rawPayload) as never;
      return {
        status: response.statusCode,
        body: content,
        refused: content,
        headers: response.headers,
      };
    },
    async signIn(username) {
      const known = tokens.get(username);
      if (known) return known;
      const { body } = await app.call(login, { body: { username, password: demoPassword } });
      tokens.set(username, body.token);
      return body.token;
    },
    async close() {
      await server.close();
      await app.stopSandbox();
      await database.destroy();
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return app;
}
