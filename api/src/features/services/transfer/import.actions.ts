import type { Database, Transaction } from '#platform/database/database.ts';
import { record, type Import, type ImportOptions } from './import-context.ts';
import { importAccountTypes, importGroups, importSynonyms } from './import-groups.actions.ts';
import { importServices, type References } from './import-services.actions.ts';
import { selectMissingServices, selectPartnerIds } from './import.store.ts';
import type { JobPlan } from './jobs.store.ts';
import type { StoredSummary } from './stored-summary.ts';

async function addMissing(imported: Import): Promise<void> {
  const { plan, scope, transaction } = imported;
  const names = plan.file.services.map(({ replacedName }) => replacedName);
  const missing = await selectMissingServices(transaction, names, scope);
  for (const { replaced_name: replacedName } of missing) {
    plan.file.services.push({ replacedName, isRetired: true });
    plan.rows.services.push(0);
  }
}

/**
 * Imports a checked file, or with `isDryRun` finds out what would change and what is wrong with it
 * in this portal. Without a dry run it is a part of one transaction, so that all or nothing of it is
 * kept; the plan must have been found to be without problems on the same version of the catalogue.
 */
export async function importFile(
  transaction: Database | Transaction,
  plan: JobPlan,
  options: ImportOptions,
): Promise<StoredSummary> {
  const summary: StoredSummary = {
    counts: {},
    changes: [],
    changesCount: 0,
    problems: [],
    problemsCount: 0,
    warnings: [],
    warningsCount: 0,
  };
  const imported: Import = { ...options, transaction, plan, summary };
  await importAccountTypes(imported);
  const references: References = {
    agencies: await importGroups(imported, 'agencies'),
    categories: await importGroups(imported, 'categories'),
    partners: await selectPartnerIds(transaction),
  };
  if (plan.retiresMissing) await addMissing(imported);
  await importServices(imported, references);
  await importSynonyms(imported);
  if (summary.problemsCount === 0 && summary.changesCount > 0)
    await record(imported, [
      {
        entity: 'catalogue',
        entityId: 'import',
        action: 'imported',
        after: Object.fromEntries(
          Object.entries(summary.counts).map(([list, counts]) => [list, JSON.stringify(counts)]),
        ),
      },
    ]);
  return summary;
}
