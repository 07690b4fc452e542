import type { Config } from '../config.ts';
import { silentNotices } from '../features/messages/notices.actions.ts';
import { chargeRates } from '../features/requests/actions/charge-request.ts';
import { openWorkflow } from '../features/requests/workflow/workflows.actions.ts';
import { openCatalogue, type Catalogue } from '../features/services/services.actions.ts';
import type { Database, Transaction } from '../platform/database/database.ts';
import { openDocuments } from '../platform/files/document-intake.ts';
import { lockName } from '../platform/database/name-lock.ts';
import { ownSecret } from '../platform/auth/secrets.ts';
import type { Caller } from '../platform/auth/session.ts';
import { signedReferences } from '../platform/auth/signed-references.ts';
import { findDemoCallers } from './demo-callers.ts';
import { playRequest } from './play-request.ts';
import { readDemoRequests, type DemoRequests } from './seed-request-files.ts';

/**
 * Sends the demo's requests through the product's own actions, once and all of them or none, so
 * that a start that was killed leaves no half of the demo. A database
 * that has a request, or lacks the demo's accounts, is left alone, and of two processes one waits
 * for the other. `report` gets a line when something was done.
 */
export async function seedRequests(
  database: Database,
  config: Config,
  report: (line: string) => void,
): Promise<void> {
  const demo = await readDemoRequests();
  await database.transaction().execute(async (transaction) => {
    await lockName(transaction, 'seed of requests');
    const isEmpty =
      (await transaction.selectFrom('requests').select('id').limit(1).executeTakeFirst()) ===
      undefined;
    const callers = isEmpty ? await findDemoCallers(transaction) : undefined;
    if (!callers) return;
    // The actions begin transactions of their own; here each is a part of this one.
    const whole: Database = Object.assign(transaction, {
      transaction: () => ({
        execute: <Result>(work: (part: Transaction) => Promise<Result>) => work(transaction),
      }),
    });
    await playAll(whole, await openCatalogue(database), config, callers, demo);
    report(`Seeded the demo: ${demo.requests.length} requests`);
  });
}

async function playAll(
  database: Database,
  catalogue: Catalogue,
  config: Config,
  callers: ReadonlyMap<string, Caller>,
  demo: DemoRequests,
): Promise<void> {
  const clock = { at: new Date() };
  const stage = {
    demo,
    callers,
    clock,
    database,
    catalogue,
    workflow: await openWorkflow(database, config),
    rates: chargeRates(config),
    ...(await openDocuments(database, config)),
    mostFiles: config.DOCUMENTS_PER_REQUEST,
    mostInDay: config.REQUESTS_PER_DAY,
    fourEyes: true,
    unsentMegabytes: config.DOCUMENTS_UNSENT_MEGABYTES,
    unsentInHour: config.DOCUMENTS_UNSENT_PER_HOUR,
    references: signedReferences(
      await ownSecret(database, 'file-references'),
      config.FILE_REFERENCE_SECONDS,
    ),
    notices: silentNotices,
    tellInfected: async () => undefined,
    now: () => clock.at,
    // Nobody has been watching for what the demo's past holds.
    announce: () => undefined,
  };
  const startedAt = Date.now();
  for (const request of demo.requests) await playRequest(stage, request, startedAt);
}
