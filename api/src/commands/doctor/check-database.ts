import type { Config } from '#config.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { listMigrations } from '#platform/database/migrations.ts';
import { findEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres.ts';
import {
  readMigrations,
  readRestore,
  readRoleState,
  readServerState,
} from './database-state.store.ts';
import { causeOf, ok, problem, skipped, warning, type Finding } from './finding.ts';

const rest = ['migrations', 'roles', 'clock', 'restore'] as const;
// Codes of authenticator apps and tokens accept a few seconds.
const clockWarningMs = 2000;
const clockProblemMs = 30_000;

async function checkClock(database: Database, now: () => number): Promise<Finding> {
  const before = now();
  const state = await readServerState(database);
  const after = now();
  // The server read its clock between the two moments.
  const late = Math.max(before - state.now.getTime(), state.now.getTime() - after, 0);
  const advice = 'Synchronise both machines with the same time servers (NTP, chrony)';
  const detail = `the clocks of the database and of this machine differ by ${(late / 1000).toFixed(1)} s`;
  if (late > clockProblemMs) return problem('clock', detail, advice);
  return late > clockWarningMs ? warning('clock', detail, advice) : ok('clock', detail);
}

async function checkRestore(database: Database): Promise<Finding> {
  const state = await readRestore(database);
  if (!state) return ok('restore', 'the database was not restored to an earlier time');
  const what = `the database was restored to ${state.restoredTo.toISOString()}`;
  if (!state.isReconciled)
    return warning(
      'restore',
      `${what}, and the payment providers are still asked what came after`,
      'Start the product; its log says which provider does not answer',
    );
  return state.paused > 0
    ? warning(
        'restore',
        `${what}, and ${state.paused} messages are paused`,
        'Send or stop them at /dashboard/messages, State "Paused"',
      )
    : ok('restore', `${what}, and what came after is reconciled`);
}

async function checkMigrations(database: Database): Promise<Finding> {
  const known = await listMigrations();
  const applied = await readMigrations(database);
  if (!applied) return warning('migrations', 'the database is empty', 'Start the product once');
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return problem(
      'migrations',
      `the database is of a newer version (${unknown.at(-1)})`,
      'Start that version, or restore a backup from before the upgrade',
    );
  const missing = known.length - applied.length;
  return missing > 0
    ? warning(
        'migrations',
        `${missing} are not applied`,
        'Make a backup; the next start applies them',
      )
    : ok('migrations', `all ${known.length} are applied`);
}

async function checkRoles(database: Database, config: Config): Promise<Finding> {
  const state = await readRoleState(database);
  const advice =
    'Set MIGRATIONS_DATABASE_URL to the owner of the tables, and DATABASE_URL to a role that owns ' +
    'nothing: docs/operations/install.md, "Roles of the database"';
  if (state.isSuperuser)
    return problem('roles', `${state.role} is a superuser and can switch every guard off`, advice);
  if (state.ownedTables > 0 || state.maySwitchOwner)
    return warning(
      'roles',
      `${state.role} owns tables, and can change the audit log and the ledger`,
      advice,
    );
  if (state.changeable.length > 0)
    return problem(
      'roles',
      `${state.role} may change append-only tables: ${state.changeable.join(', ')}`,
      config.MIGRATIONS_DATABASE_URL
        ? 'Restart the product: the start takes these rights back'
        : advice,
    );
  if (state.closed.length > 0)
    return problem(
      'roles',
      `${state.role} may not read or add rows in ${state.closed.length} tables, such as ${state.closed[0]}`,
      'Set MIGRATIONS_DATABASE_URL and restart: the start gives the rights',
    );
  return state.mayCreate
    ? warning(
        'roles',
        `${state.role} may create tables`,
        `As the owner: revoke create on schema public from public, ${state.role}`,
      )
    : ok('roles', `${state.role} owns nothing, and only adds to append-only tables`);
}

async function checkOwner({ MIGRATIONS_DATABASE_URL: url }: Config): Promise<Finding | undefined> {
  if (url === undefined) return undefined;
  const owner = openDatabase(url, () => undefined);
  try {
    await readServerState(owner);
    return undefined;
  } catch (error) {
    return problem(
      'roles',
      `the owner of the tables cannot connect (${causeOf(error)})`,
      'Correct MIGRATIONS_DATABASE_URL: the next start needs it',
    );
  } finally {
    await owner.destroy();
  }
}

async function findAddress(config: Config): Promise<string | Finding> {
  if (config.DATABASE_URL !== undefined) return config.DATABASE_URL;
  const running = await findEmbeddedPostgres(config.DATA_DIR).catch(() => undefined);
  return (
    running ??
    skipped('database', `the embedded one of ${config.DATA_DIR} does not run; start the product`)
  );
}

/** Checks the database, its version and migrations, the rights of its roles, and its clock. */
export async function checkDatabase(config: Config, now: () => number): Promise<Finding[]> {
  const unchecked = () => rest.map((check) => skipped(check, 'the database cannot be asked'));
  const address = await findAddress(config);
  if (typeof address !== 'string') return [address, ...unchecked()];
  const database = openDatabase(address, () => undefined);
  try {
    const { version, versionText } = await readServerState(database);
    if (version < 150_000)
      return [
        problem(
          'database',
          `PostgreSQL ${versionText} is too old`,
          'Upgrade it to version 15 or newer',
        ),
        ...unchecked(),
      ];
    const isOwn = config.DATABASE_URL !== undefined;
    return [
      ok('database', `PostgreSQL ${versionText}`),
      await checkMigrations(database),
      isOwn
        ? ((await checkOwner(config)) ?? (await checkRoles(database, config)))
        : skipped('roles', 'the embedded database has its own two roles'),
      await checkClock(database, now),
      await checkRestore(database),
    ];
  } catch (error) {
    return [
      problem(
        'database',
        `it does not answer (${causeOf(error)})`,
        'Look whether it runs and accepts this machine; correct DATABASE_URL',
      ),
      ...unchecked(),
    ];
  } finally {
    await database.destroy();
  }
}
