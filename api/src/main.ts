import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { buildApp } from './app.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { openIntegrations, type ShutdownStep } from './integrations.ts';
import { migrate, openDatabase, type Database } from './platform/database/database.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.ts';
import { findListenError, freePort } from './platform/embedded-postgres/free-port.ts';
import { demoPassword, seedDemo } from './seed/seed.ts';
import { seedProviders } from './seed/seed-providers.ts';
import { seedRequests } from './seed/seed-requests.ts';

// V8 collects garbage only when the heap has grown to several times what is in use: a hundred
// uploads at once left 50 MB of garbage (decision 0022).
setFlagsFromString('--heap-growing-percent=30');

function print(line: string): void {
  console.log(line);
}

async function checkPort(config: Config, name: 'PORT' | 'SANDBOX_PORT'): Promise<void> {
  const error = config[name] === 0 ? undefined : await findListenError(config[name], config.HOST);
  if (error === 'EADDRINUSE')
    throw new ConfigError(
      `Port ${config[name]} is in use by another program; set ${name} to a free one`,
    );
  if (error === 'EACCES')
    throw new ConfigError(
      `Setting ${name} cannot be used: this user may not listen on port ${config[name]}`,
    );
  if (error)
    throw new ConfigError(
      `Setting HOST cannot be used: ${config.HOST} is not an address of this machine (${error})`,
    );
}

async function pickPorts(config: Config): Promise<{ port: number; sandboxPort: number }> {
  await checkPort(config, 'PORT');
  if (config.SANDBOX === 'on') await checkPort(config, 'SANDBOX_PORT');
  return {
    port: config.PORT || (await freePort()),
    sandboxPort: config.SANDBOX_PORT || (await freePort()),
  };
}

async function createFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
  } catch (error) {
    throw new ConfigError(`Setting DATA_DIR cannot be used: ${(error as Error).message}`);
  }
}

async function openMigratedDatabase(
  config: Config,
  shutdownSteps: ShutdownStep[],
): Promise<Database> {
  await createFolder(config.DATA_DIR);
  let url = config.DATABASE_URL;
  if (!url) {
    print('Starting the database …');
    const embedded = await startEmbeddedPostgres(config.DATA_DIR);
    shutdownSteps.unshift(() => embedded.stop());
    url = embedded.connectionString;
  }
  const database = openDatabase(url, (error) =>
    console.error(`Database connection lost: ${error.message}`),
  );
  shutdownSteps.unshift(() => database.destroy());
  const applied = await migrate(database).catch((error: Error) => {
    throw config.DATABASE_URL
      ? new ConfigError(
          `Setting DATABASE_URL cannot be used: ${error.message || 'the server cannot be reached'}`,
        )
      : error;
  });
  if (applied.length > 0) print(`Migrated the database: ${applied.join(', ')}`);
  return database;
}

function printWelcome(config: Config, publicUrl: string, sandboxPort: number): void {
  print(`\nDiwan is ready: ${publicUrl}`);
  if (config.SANDBOX === 'on')
    print(`Sandbox (UAE PASS, payments, messages): http://localhost:${sandboxPort}`);
  if (config.SEED === 'demo') {
    print(`Demo sign-ins, all with the password ${demoPassword}:`);
    print(
      '  individual  individual2  company  company2  employee  employee2  supervisor  supervisor2  admin',
    );
  }
  print('Ctrl-C stops everything.\n');
}

/**
 * Starts the product. Each part that has started adds its step to the front of `shutdownSteps`.
 * `interrupt` ends the start between two parts.
 */
async function start(
  config: Config,
  shutdownSteps: ShutdownStep[],
  interrupt: AbortSignal,
): Promise<void> {
  const { port, sandboxPort } = await pickPorts(config);
  const publicUrl = (config.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/$/, '');
  interrupt.throwIfAborted();
  const database = await openMigratedDatabase(config, shutdownSteps);
  interrupt.throwIfAborted();
  if (config.SEED === 'demo') await seedDemo(database, print);
  const integrations = await openIntegrations(config, {
    database,
    portalUrl: publicUrl,
    sandboxPort,
    shutdownSteps,
  });
  const server = await buildApp(config, database, publicUrl, integrations);
  shutdownSteps.unshift(() => server.close());
  interrupt.throwIfAborted();
  if (config.SEED === 'demo') await seedRequests(database, config, print);
  if (config.SEED === 'demo') await seedProviders(database, config, print);
  interrupt.throwIfAborted();
  await server.listen({ host: config.HOST, port });
  printWelcome(config, publicUrl, sandboxPort);
}

// Longer than a request may take, shorter than process managers wait before they kill.
const shutdownStepMs = 10_000;

async function shutDown(shutdownSteps: ShutdownStep[], delaySeconds: number): Promise<void> {
  for (const stop of shutdownSteps)
    await Promise.race([
      stop().catch((error: Error) => console.error(error.message)),
      sleep(shutdownStepMs + delaySeconds * 1000),
    ]);
}

// One line for an error that an operator can solve, the stack for one that needs a developer.
function describeFailure(error: Error & { code?: string; port?: number }): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${error.port} was taken by another program meanwhile; set PORT and SANDBOX_PORT to free ones`;
  return error instanceof ConfigError ? error.message : (error.stack ?? error.message);
}

// A signal may arrive twice: Ctrl-C reaches the whole process group, and npm passes it on. The
// shutdown still runs to its end.
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => interrupt.abort());

const shutdownSteps: ShutdownStep[] = [];
let code = 0;
let delaySeconds = 0;
try {
  const config = readConfig(process.env);
  delaySeconds = config.SHUTDOWN_DELAY_SECONDS;
  await start(config, shutdownSteps, interrupt.signal);
  if (!interrupt.signal.aborted) await once(interrupt.signal, 'abort');
} catch (error) {
  if (!interrupt.signal.aborted) {
    code = 1;
    console.error(describeFailure(error as Error));
  }
}
await shutDown(shutdownSteps, delaySeconds);
process.exit(code);
