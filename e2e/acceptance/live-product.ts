import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { login } from '@diwan/contract/people/users';
import { startEmbeddedPostgres } from '../../api/src/platform/embedded-postgres/embedded-postgres.ts';
import { freePort } from '../../api/src/platform/embedded-postgres/free-port.ts';
import {
  startProgram,
  type RunningProgram,
} from '../../api/src/testing/programs/running-program.ts';
import { openRedis } from '../../api/src/testing/programs/running-redis.ts';
import { openTcpProxy, type TcpProxy } from '../../api/src/testing/programs/tcp-proxy.ts';
import { password } from '../steps.ts';

export type Carrier = 'PostgreSQL' | 'Redis';

/** Two processes of the product on one database, and the network between a browser and the first. */
export interface LiveProduct {
  near: RunningProgram;
  far: RunningProgram;
  network: TcpProxy;
  /** The address of the first process through `network`. */
  address: string;
  signIn(username: string): Promise<string>;
  close(): Promise<void>;
}

export async function openLiveProduct(carrier: Carrier): Promise<LiveProduct> {
  const folder = await mkdtemp(join(tmpdir(), 'diwan-live-'));
  const postgres = await startEmbeddedPostgres(join(folder, 'data'));
  const redis = carrier === 'Redis' ? await openRedis() : undefined;
  await redis?.start();
  const port = await freePort();
  const network = await openTcpProxy(`http://127.0.0.1:${port}`);
  const settings = {
    DATABASE_URL: postgres.serverConnectionString,
    MIGRATIONS_DATABASE_URL: postgres.connectionString,
    DATA_DIR: join(folder, 'files'),
    PUBLIC_URL: `http://localhost:${network.port}`,
    SANDBOX: 'on',
    SEED: 'demo',
    LOG_LEVEL: 'warn',
    LOGIN_ATTEMPTS_PER_MINUTE: '1000',
    ...(redis ? { REDIS_URL: redis.url } : {}),
  };
  const near = await startProgram({ ...settings, PORT: String(port) });
  await near.waitUntilReady();
  const far = await startProgram(settings);
  await far.waitUntilReady();
  return {
    near,
    far,
    network,
    address: `http://localhost:${network.port}`,
    async signIn(username) {
      return (await far.call(login, { body: { username, password } })).body.token;
    },
    async close() {
      for (const program of [near, far]) program.signal('SIGINT');
      await Promise.all([near.ended, far.ended]);
      await network.close();
      await redis?.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens a page of a signed-in user. */
export async function openPageAs(page: Page, token: string, address: string): Promise<void> {
  await page.addInitScript((value) => sessionStorage.setItem('token', value), token);
  await page.goto(address);
}
