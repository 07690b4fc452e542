import { join } from 'node:path';
import { sql } from 'kysely';
import type { Config } from './config.ts';
import { openWorkflow } from './features/requests/requests.actions.ts';
import { openCatalogue } from './features/services/services.actions.ts';
import type { Database } from './platform/database.ts';
import { openFileStore } from './platform/files.ts';
import { ownSecret } from './platform/secrets.ts';
import { signedReferences } from './platform/signed-references.ts';
import { findDemoCallers } from './seed/demo-callers.ts';
import { playRequest } from './seed/play-request.ts';
import { readDemoRequests } from './seed/seed-request-files.ts';

// Any number that no other advisory lock of the product uses.
const seedLock = 20_261_122;

/**
 * Sends the demo's requests through the product's own actions, once: a database that has a request, or lacks the demo's accounts, is left alone, and of two processes
 * one waits for the other. `report` gets a line when something was done.
 */
export async function seedRequests(database: Database, config: Config, report: (line: string) => void): Promise<void> {
  await database.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${seedLock})`.execute(connection);
    try {
      const isEmpty = (await database.selectFrom('requests').select('id').limit(1).executeTakeFirst()) === undefined;
      const callers = isEmpty ? await findDemoCallers(database) : undefined;
      if (callers) await playAll(database, config, callers, report);
    } finally {
      await sql`select pg_advisory_unlock(${seedLock})`.execute(connection);
    }
  });
}

async function playAll(database: Database, config: Config, callers: NonNullable<Awaited<ReturnType<typeof findDemoCallers>>>, report: (line: string) => void): Promise<void> {
  const demo = await readDemoRequests();
  const catalogue = await openCatalogue(database);
  const clock = { at: new Date() };
  const stage = {
    demo, callers, clock, database, catalogue,
    workflow: await openWorkflow(database, config),
    files: openFileStore(join(config.DATA_DIR, 'files')),
    references: signedReferences(await ownSecret(database, 'file-references'), config.FILE_REFERENCE_SECONDS),
    now: () => clock.at,
  };
  const startedAt = Date.now();
  for (const request of demo.requests) await playRequest(stage, request, startedAt);
  report(`Seeded the demo: ${demo.requests.length} requests`);
}
