import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { buildApp } from './app.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { openOutside, type Stop } from './outside.ts';
import { migrate, openDatabase, type Database } from './platform/database/database.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.ts';
import { findListenFault, freePort } from './platform/embedded-postgres/free-port.ts';
import { demoPassword, seedDemo } from './seed/seed.ts';
import { seedProviders } from './seed/seed-providers.ts';
import { seedRequests } from './seed/seed-requests.ts';

// V8 lets rubbish grow to several times what is in use before it clears up; a hundred uploads at
// once left 50 MB of it (decision 0022).
setFlagsFromString('--heap-growing-percent=30');

function tell(line: string): void {
  console.log(line);
}

async function pickPorts(config: Config): Promise<{ port: number; sandboxPort: number }> {
  for (const name of config.SANDBOX === 'on'
    ? (['PORT', 'SANDBOX_PORT'] as const)
    : (['PORT'] as const)) {
    const fault = config[name] === 0 ? undefined : await findListenFault(config[name], config.HOST);
    if (fault === 'EADDRINUSE')
      throw new ConfigError(
        `Port ${config[name]} is in use by another program; set ${name} to a free one`,
      );
    if (fault === 'EACCES')
      throw new ConfigError(
        `Setting ${name} cannot be used: this user may not listen on port ${config[name]}`,
      );
    if (fault)
      throw new ConfigError(
        `Setting HOST cannot be used: ${config.HOST} is not an address of this machine (${fault})`,
      );
  }
  return {
    port: config.PORT || (await freePort()),
    sandboxPort: config.SANDBOX_PORT || (await freePort()),
  };
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
  } catch (error) {
    throw new ConfigError(`Setting DATA_DIR cannot be used: ${(error as Error).message}`);
  }
}

async function openStorage(config: Config, stops: Stop[]): Promise<Database> {
  await makeFolder(config.DATA_DIR);
  let url = config.DATABASE_URL;
  if (!url) {
    tell('Starting the database …');
    const embedded = await startEmbeddedPostgres(config.DATA_DIR);
    stops.unshift(() => embedded.stop());
    url = embedded.connectionString;
  }
  const database = openDatabase(url, (error) =>
    console.error(`Database connection lost: ${error.message}`),
  );
  stops.unshift(() => database.destroy());
  const applied = await migrate(database).catch((error: Error) => {
    throw config.DATABASE_URL
      ? new ConfigError(
          `Setting DATABASE_URL cannot be used: ${error.message || 'the server cannot be reached'}`,
        )
      : error;
  });
  if (applied.length > 0) tell(`Migrated the database: ${applied.join(', ')}`);
  return database;
}

function greet(config: Config, publicUrl: string, sandboxPort: number): void {
  tell(`\nDiwan is ready: ${publicUrl}`);
  if (config.SANDBOX === 'on')
    tell(`Sandbox (UAE PASS, payments, messages): http://localhost:${sandboxPort}`);
  if (config.SEED === 'demo')
    tell(
      `Demo sign-ins, all with the password ${demoPassword}:\n  individual  individual2  company  company2  employee  employee2  supervisor  supervisor2  admin`,
    );
  tell('Ctrl-C stops everything.\n');
}

/**
 * Starts the product step by step; `stops` holds what ends each step that is done, the last one
 * first. `interrupt` ends it between two steps.
 */
async function start(config: Config, stops: Stop[], interrupt: AbortSignal): Promise<void> {
  const { port, sandboxPort } = await pickPorts(config);
  const publicUrl = (config.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/$/, '');
  interrupt.throwIfAborted();
  const database = await openStorage(config, stops);
  interrupt.throwIfAborted();
  if (config.SEED === 'demo') await seedDemo(database, tell);
  const outside = await openOutside(config, database, publicUrl, sandboxPort, stops);
  const server = await buildApp(config, database, publicUrl, outside);
  stops.unshift(() => server.close());
  interrupt.throwIfAborted();
  if (config.SEED === 'demo') await seedRequests(database, config, tell);
  if (config.SEED === 'demo') await seedProviders(database, config, tell);
  interrupt.throwIfAborted();
  await server.listen({ host: config.HOST, port });
  greet(config, publicUrl, sandboxPort);
}

// Longer than a request may take, shorter than the patience of whoever waits for the end.
const patienceMs = 10_000;

async function stopAll(stops: Stop[]): Promise<void> {
  for (const stop of stops)
    await Promise.race([
      stop().catch((error: Error) => console.error(error.message)),
      sleep(patienceMs),
    ]);
}

// One line where the operator can do something, all that is known where only a developer can.
function describeFailure(error: Error & { code?: string; port?: number }): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${error.port} was taken by another program meanwhile; set PORT and SANDBOX_PORT to free ones`;
  return error instanceof ConfigError ? error.message : (error.stack ?? error.message);
}

// A signal may come twice: Ctrl-C reaches the whole group, and npm passes it on. What was started
// is stopped all the same.
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => interrupt.abort());

const stops: Stop[] = [];
let code = 0;
try {
  await start(readConfig(process.env), stops, interrupt.signal);
  if (!interrupt.signal.aborted) await once(interrupt.signal, 'abort');
} catch (error) {
  if (!interrupt.signal.aborted) {
    code = 1;
    console.error(describeFailure(error as Error));
  }
}
await stopAll(stops);
process.exit(code);
