import { once } from 'node:events';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { buildApp } from './app.ts';
import {
  ConfigError,
  isDemonstration,
  isExposed,
  readConfig,
  readSecretNow,
  type Config,
} from './config.ts';
import { findSetupCode } from './features/users/setup/setup.actions.ts';
import { openIntegrations, type ShutdownStep } from './integrations.ts';
import { openDatabase, withoutTimeLimits, type Database } from './platform/database/database.ts';
import { NewerDatabase } from './platform/database/migrations.ts';
import { acquireNamedLock } from './platform/database/named-lock.ts';
import { prepareTables } from './platform/database/prepare-tables.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.ts';
import { findListenError, freePort } from './platform/embedded-postgres/free-port.ts';
import { createDataDir } from './platform/embedded-postgres/postgres-process.ts';
import { spawnPaymentSandbox } from './sandbox/payments/spawn-payment-sandbox.ts';
import { findDemoAccounts } from './seed/demo-accounts.ts';
import { demoAccounts } from './seed/demo-callers.ts';
import { registerDemoPayments } from './seed/register-demo-payments.ts';
import { seedProviders } from './seed/seed-providers.ts';
import { seedRequests } from './seed/seed-requests.ts';
import { demoPassword, ensureAccountTypes, seedDemo } from './seed/seed.ts';

function print(line: string): void {
  console.log(line);
}

async function checkPort(
  config: Config,
  name: 'PORT' | 'SANDBOX_PORT' | 'SANDBOX_PAYMENTS_PORT' | 'METRICS_PORT',
): Promise<void> {
  const hostName = name.startsWith('SANDBOX') ? 'SANDBOX_HOST' : 'HOST';
  const host = config[hostName];
  const error = config[name] ? await findListenError(config[name], host) : undefined;
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
      `Setting ${hostName} cannot be used: ${host} is not an address of this machine (${error})`,
    );
}

interface Ports {
  port: number;
  sandboxPort: number;
  sandboxPaymentsPort: number;
}

/** The port after that of the sandbox, or a free one where that one is in use. */
async function pickPaymentsPort(
  { METRICS_PORT, PORT, SANDBOX_HOST }: Config,
  sandboxPort: number,
): Promise<number> {
  const port = sandboxPort + 1;
  const isUsable = port <= 65535 && port !== METRICS_PORT && port !== PORT;
  const error = isUsable ? await findListenError(port, SANDBOX_HOST) : 'EADDRINUSE';
  return error ? freePort() : port;
}

async function pickPorts(config: Config): Promise<Ports> {
  await checkPort(config, 'PORT');
  if (config.SANDBOX === 'on') await checkPort(config, 'SANDBOX_PORT');
  if (config.SANDBOX === 'on') await checkPort(config, 'SANDBOX_PAYMENTS_PORT');
  await checkPort(config, 'METRICS_PORT');
  const sandboxPort = config.SANDBOX_PORT || (await freePort());
  return {
    port: config.PORT || (await freePort()),
    sandboxPort,
    sandboxPaymentsPort:
      config.SANDBOX_PAYMENTS_PORT || (await pickPaymentsPort(config, sandboxPort)),
  };
}

async function openDataDir({ DATA_DIR, DATABASE_URL }: Config): Promise<void> {
  try {
    await createDataDir(DATA_DIR, DATABASE_URL === undefined);
    await access(DATA_DIR, constants.W_OK);
  } catch (error) {
    throw new ConfigError(`Setting DATA_DIR cannot be used: ${(error as Error).message}`);
  }
}

async function openMigratedDatabase(
  config: Config,
  shutdownSteps: ShutdownStep[],
): Promise<Database> {
  await openDataDir(config);
  let url = config.DATABASE_URL;
  let ownerUrl = config.MIGRATIONS_DATABASE_URL ?? url;
  if (!url) {
    print('Starting the database …');
    const embedded = await startEmbeddedPostgres(config.DATA_DIR, {
      report: (line) => console.error(line),
      giveUp(reason) {
        failure = new ConfigError(reason);
        interrupt.abort();
      },
    });
    shutdownSteps.unshift(() => embedded.stop());
    url = embedded.serverConnectionString;
    ownerUrl = embedded.connectionString;
  }
  const limits = {
    connections: config.DATABASE_CONNECTIONS,
    prepares: config.DATABASE_PREPARED === 'on',
    connectMs: config.DATABASE_CONNECT_SECONDS * 1000,
    queryMs: config.DATABASE_QUERY_SECONDS * 1000,
    statementMs: config.DATABASE_STATEMENT_SECONDS * 1000,
    idleTransactionMs: config.DATABASE_IDLE_TRANSACTION_SECONDS * 1000,
  };
  // The password of a file is read anew for each connection.
  const address = (name: keyof Config, known: string) =>
    config[name] ? () => readSecretNow(name, known) : known;
  const report = (line: string) => console.error(line);
  const { DATABASE_READ_URL: readUrl, DATABASE_READ_LAG_SECONDS: maximumLagSeconds } = config;
  // Where it cannot be used, the database answers, so nobody hears of its outages.
  const standby =
    readUrl && openDatabase(address('DATABASE_READ_URL', readUrl), () => undefined, limits);
  const database = openDatabase(address('DATABASE_URL', url), report, {
    ...limits,
    ...(standby ? { standby: { database: standby, maximumLagSeconds } } : {}),
  });
  if (standby) shutdownSteps.unshift(() => standby.destroy());
  shutdownSteps.unshift(() => database.destroy());
  const applied = await prepareTables(database, ownerUrl ?? url, url).catch((error: Error) => {
    if (error instanceof NewerDatabase) throw new ConfigError(error.message);
    const name = config.MIGRATIONS_DATABASE_URL ? 'MIGRATIONS_DATABASE_URL' : 'DATABASE_URL';
    throw config.DATABASE_URL
      ? new ConfigError(
          `Setting ${name} cannot be used: ${error.message || 'the server cannot be reached'}`,
        )
      : error;
  });
  if (applied.length > 0)
    print(`Migrated the database: ${applied.length} migrations, up to ${applied.at(-1)}`);
  return database;
}

// A database that was filled as a demonstration keeps its accounts when SEED is none.
async function refuseOpenDemoAccounts(config: Config, database: Database): Promise<void> {
  // Behind a proxy on the same machine, HOST alone does not say that others can connect: a portal
  // without the sandbox counts as one in use.
  if (config.SEED === 'demo' || (config.SANDBOX === 'on' && !isExposed(config))) return;
  const accounts = await findDemoAccounts(database);
  if (accounts.length > 0)
    throw new ConfigError(
      'Setting SEED cannot be used: this is no demonstration, and the database has accounts with ' +
        `the published password (${accounts.join(', ')}); change their passwords, start with an ` +
        'empty database, or set SANDBOX=on and SEED=demo for a demonstration',
    );
}

// Which parts of a demonstration are on, and who can reach them.
function describeMode(config: Config): string {
  return [
    `sandbox ${config.SANDBOX}`,
    `demo accounts ${config.SEED === 'demo' ? 'on' : 'off'}`,
    `UAE PASS ${config.UAE_PASS}`,
    isExposed(config) ? 'others can connect' : 'only this machine can connect',
  ].join(', ');
}

function printWelcome(config: Config, publicUrl: string, ports: Ports): void {
  print(`\nDiwan is ready: ${publicUrl}`);
  if (config.SANDBOX === 'on') {
    print(`Sandbox (UAE PASS, messages): http://localhost:${ports.sandboxPort}`);
    if (!config.PAYMENT_PROVIDER_URL)
      print(`Sandbox of the payment provider: http://localhost:${ports.sandboxPaymentsPort}`);
  }
  if (config.SEED === 'demo') {
    print(`Demo sign-ins, all with the password ${demoPassword}:`);
    print(`  ${demoAccounts.join('  ')}`);
  }
  print(`Mode: ${describeMode(config)}`);
  if (isExposed(config) && isDemonstration(config))
    print('WARNING: this is a demonstration that others can reach. Do not use real data.');
  print('Ctrl-C stops everything.\n');
}

// The first administrator proves access to this output.
async function printSetup(database: Database, publicUrl: string): Promise<void> {
  const code = await findSetupCode(database);
  if (code === undefined) return;
  print('There is no administrator yet. Create the first one:');
  print(`  ${publicUrl}/setup with the setup code ${code}`);
  print('  or on this machine: npm run diwan -- create-admin\n');
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
  const ports = await pickPorts(config);
  const { port, sandboxPort, sandboxPaymentsPort } = ports;
  const publicUrl = (config.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/$/, '');
  interrupt.throwIfAborted();
  const database = await openMigratedDatabase(config, shutdownSteps);
  interrupt.throwIfAborted();
  await refuseOpenDemoAccounts(config, database);
  const unlimited = withoutTimeLimits(database);
  if (config.SEED === 'demo') await seedDemo(unlimited, config, print);
  else await ensureAccountTypes(database);
  let registerDemo: () => Promise<void> = () => Promise.resolve();
  const integrations = openIntegrations(config, {
    database,
    portalUrl: publicUrl,
    sandboxPort,
    sandboxPaymentsPort,
    startPayments: async (options) => {
      // Of two programs that start at the same time, the second finds the sandbox of the first.
      const payments = await inTransaction(unlimited, async (transaction) => {
        await acquireNamedLock(transaction, 'payment sandbox');
        return spawnPaymentSandbox(options);
      });
      ports.sandboxPaymentsPort = payments.port;
      if (config.SEED === 'demo')
        registerDemo = () => registerDemoPayments(unlimited, { ...options, port: payments.port });
      return payments;
    },
    shutdownSteps,
  });
  const server = await buildApp(config, database, publicUrl, integrations);
  shutdownSteps.unshift(() => server.close());
  interrupt.throwIfAborted();
  if (config.SEED === 'demo') await seedRequests(unlimited, config, print);
  if (config.SEED === 'demo') await seedProviders(unlimited, config, print);
  await registerDemo();
  interrupt.throwIfAborted();
  await server.listen({ host: config.HOST, port });
  printWelcome(config, publicUrl, ports);
  await printSetup(database, publicUrl);
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

// Why the program cannot continue.
let failure: Error | undefined;
const shutdownSteps: ShutdownStep[] = [];
let delaySeconds = 0;
try {
  const config = readConfig(process.env);
  setFlagsFromString(`--heap-growing-percent=${config.MEMORY_GROWTH_PERCENT}`);
  delaySeconds = config.SHUTDOWN_DELAY_SECONDS;
  await start(config, shutdownSteps, interrupt.signal);
  if (!interrupt.signal.aborted) await once(interrupt.signal, 'abort');
} catch (error) {
  if (!interrupt.signal.aborted) failure = error as Error;
}
if (failure) console.error(describeFailure(failure));
await shutDown(shutdownSteps, delaySeconds);
process.exit(failure ? 1 : 0);
