import type { AgencyScope } from '#platform/auth/caller.ts';
import { recordChanges, type ChangeAuthor, type ChangeEntry } from '#platform/auth/changes.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { FeeRule } from '@diwan/contract/catalogue/fees';
import type { CatalogueList } from '@diwan/contract/catalogue/transfer';
import type { FileProblem } from './files/sheets.ts';
import type { JobPlan } from './jobs.store.ts';
import type { StoredSummary } from './stored-summary.ts';

const maximumShownChanges = 200;
/** Every change of a price is to be seen, as far as a page can show them. */
const maximumShownPrices = 1000;
const maximumShownProblems = 100;

/** Carries out a plan, or with `isDryRun` only finds out what it would do. */
export interface ImportOptions {
  isDryRun: boolean;
  author: ChangeAuthor;
  /** The agencies whose services may change; what all agencies share changes for `all` only. */
  scope: AgencyScope;
  /**
   * By how much, in fils, the fees of a service may differ from those from which is counted; the designer
   * asks a second person. `countedFees`: by the ids of services and their fees of today.
   */
  feeApprovalAbove?: number | undefined;
  countedFees?: (
    database: Database | Transaction,
    services: ReadonlyMap<number, readonly FeeRule[]>,
  ) => Promise<ReadonlyMap<number, readonly FeeRule[]>>;
  /** The services that stay as they are, by `replacedName`. */
  leftOut?: ReadonlySet<string>;
  /** Called with the ids of stored services before and after a batch changes them. */
  onChange?: (when: 'before' | 'after', serviceIds: readonly number[]) => Promise<void>;
  /** Called after each batch; it throws to stop the import. */
  onProgress?: (done: number) => Promise<void>;
}

/** An import with what it has found so far. */
export interface Import extends ImportOptions {
  transaction: Database | Transaction;
  plan: JobPlan;
  summary: StoredSummary;
}

const noCounts = (): NonNullable<StoredSummary['counts']['services']> => ({
  created: 0,
  changed: 0,
  retired: 0,
  restored: 0,
  unchanged: 0,
});

/** Counts a change, and keeps the first ones for the admin. */
export function addChange(
  { summary }: Import,
  change: StoredSummary['changes'][number] | { list: CatalogueList; action: 'unchanged' },
): void {
  const counts = (summary.counts[change.list] ??= noCounts());
  counts[change.action] += 1;
  if (change.action === 'unchanged') return;
  summary.changesCount += 1;
  const isPrice = change.fields.some(({ field }) => field === 'fees');
  const maximum = isPrice ? maximumShownPrices : maximumShownChanges;
  if (summary.changes.length < maximum) summary.changes.push(change);
}

/** Counts a problem, and keeps the first ones for the admin. */
export function addProblem({ summary }: Import, problem: FileProblem): void {
  summary.problemsCount += 1;
  if (summary.problems.length < maximumShownProblems) summary.problems.push(problem);
}

/** Counts what somebody should look at twice, and keeps the first ones for the admin. */
export function addWarning({ summary }: Import, warning: FileProblem): void {
  summary.warningsCount += 1;
  if (summary.warnings.length < maximumShownProblems) summary.warnings.push(warning);
}

/**
 * Refuses a change of what all agencies share, such as a category, where only some agencies' services
 * may change. Returns whether it did.
 */
export function refusesShared(
  imported: Import,
  place: Pick<FileProblem, 'list' | 'row' | 'column'>,
): boolean {
  // guard: what agencies share, in the file of an agency administrator (transfer) => true
  if (imported.scope === 'all') return false;
  addProblem(imported, { ...place, code: 'sharedByAgencies' });
  return true;
}

/** What happens to a record with an id, none, or another state. */
export function actionOf(id: unknown, wasRetired: boolean, isRetired: boolean | undefined) {
  if (id === undefined || id === null) return 'created';
  if (isRetired === undefined || wasRetired === isRetired) return 'changed';
  return isRetired ? 'retired' : 'restored';
}

/** The entity of the change log of each list. */
export const entities = {
  agencies: 'agency',
  categories: 'category',
  accountTypes: 'accountType',
  services: 'service',
} as const;

/** Whether changes may be stored: a dry run has no transaction to write in. */
export const isTransaction = (database: Database | Transaction): database is Transaction =>
  database.isTransaction;

/** Writes the change log. */
export async function record(imported: Import, entries: readonly ChangeEntry[]): Promise<void> {
  if (!imported.isDryRun && isTransaction(imported.transaction))
    await recordChanges(imported.transaction, imported.author, entries);
}
