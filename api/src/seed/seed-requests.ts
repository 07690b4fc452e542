import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { Config } from '../config.ts';
import { openCalendars } from '../features/calendars/calendars.actions.ts';
import { silentNotifier } from '../features/messages/notifications.actions.ts';
import { chargeRates } from '../features/requests/actions/charges.ts';
import { openCatalogue, type Catalogue } from '../features/services/services.actions.ts';
import { openWorkflows } from '../features/workflow/workflows.actions.ts';
import type { Caller } from '../platform/auth/caller.ts';
import { createFileReferences } from '../platform/auth/file-references.ts';
import { openKey } from '../platform/auth/secrets.ts';
import type { Database } from '../platform/database/database.ts';
import { acquireNamedLock } from '../platform/database/named-lock.ts';
import { openDocuments } from '../platform/files/document-intake.ts';
import { findDemoCallers } from './demo-callers.ts';
import { readDemoRequests, type DemoRequests } from './seed-request-files.ts';
import { simulateRequest } from './simulate-request.ts';

/**
 * Sends the requests of the demo through the product's own actions, in one transaction, so that an
 * interrupted start leaves none of them. A database that has a request, or that lacks the demo's
 * accounts, is not changed. Of several processes at the same time, one does the work and the others
 * wait.
 * `report` receives a line after the work.
 */
export async function seedRequests(
  database: Database,
  config: Config,
  report: (line: string) => void,
): Promise<void> {
  const demo = await readDemoRequests();
  await inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, 'seed of requests');
    const isEmpty =
      (await transaction.selectFrom('requests').select('id').limit(1).executeTakeFirst()) ===
      undefined;
    const callers = isEmpty ? await findDemoCallers(transaction) : undefined;
    if (!callers) return;
    // The transactions of the actions are parts of this one.
    await simulateAll(transaction, config, {
      catalogue: await openCatalogue(database),
      callers,
      demo,
    });
    report(`Seeded the demo: ${demo.requests.length} requests`);
  });
}

async function simulateAll(
  database: Database,
  config: Config,
  demo: {
    catalogue: Catalogue;
    callers: ReadonlyMap<string, Caller>;
    demo: DemoRequests;
  },
): Promise<void> {
  const clock = { at: new Date() };
  const context = {
    ...demo,
    clock,
    database,
    workflow: await openWorkflows(database, config),
    calendars: await openCalendars(database),
    rates: chargeRates(config),
    ...(await openDocuments(database, config)),
    maximumFiles: config.DOCUMENTS_PER_REQUEST,
    maximumPerDay: config.REQUESTS_PER_DAY,
    fourEyes: true,
    undoSeconds: 0,
    // The seed has one admin.
    refundApprovalAbove: Infinity,
    chargeApprovalAbove: Infinity,
    unsentMegabytes: config.DOCUMENTS_UNSENT_MEGABYTES,
    unsentInHour: config.DOCUMENTS_UNSENT_PER_HOUR,
    references: createFileReferences(
      await openKey(database, 'file-references'),
      config.FILE_REFERENCE_SECONDS,
    ),
    notifier: silentNotifier,
    // The requests of the demo owe no fines.
    fines: {
      database,
      register: { find: async () => [], settle: async () => 'settled' as const },
      warn: () => undefined,
    },
    // Legal texts are published at the start, after the past of the demo.
    legal: { inForce: () => undefined },
    notifyInfected: async () => undefined,
    now: () => clock.at,
    // There are no listeners for events in the past.
    announce: () => undefined,
  };
  const startedAt = Date.now();
  for (const request of demo.demo.requests) await simulateRequest(context, request, startedAt);
}
