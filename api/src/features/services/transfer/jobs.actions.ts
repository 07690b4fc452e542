import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import type { AgencyScope, Caller } from '#platform/auth/caller.ts';
import type { ChangeAuthor } from '#platform/auth/changes.ts';
import { createTranslator, validationText } from '#platform/core/locale-texts.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { afterCall } from '#platform/database/calls/call-connection.ts';
import { withoutTimeLimits, type Database, type Transaction } from '#platform/database/database.ts';
import { inSnapshot, inTransaction } from '#platform/database/unit-of-work.ts';
import {
  catalogueLists,
  type CatalogueFormat,
  type CatalogueJob,
  type JobState,
  type runCatalogueJob,
} from '@diwan/contract/catalogue/transfer';
import type { BodyOf, EveryField } from '@diwan/contract/wire/call';
import type { ValidationCode } from '@diwan/contract/wire/errors';
import type { Language } from '@diwan/contract/wire/languages';
import type { Catalogue } from '../services.actions.ts';
import { readCatalogueVersion } from '../services.store.ts';
import { readCatalogueFile } from './files/read-file.ts';
import { headingOf, isKnownKey, type FileProblem } from './files/sheets.ts';
import type { ImportOptions } from './import-context.ts';
import { importFile } from './import.actions.ts';
import { lockCatalogueVersion } from './import.store.ts';
import {
  cancelJob,
  endJob,
  findJob,
  insertJob,
  reportProgress,
  startJob,
  type JobPlan,
} from './jobs.store.ts';
import type { ShownValue, StoredSummary } from './stored-summary.ts';

/**
 * Appends what services are now to their versions, from which the designer publishes again.
 * `publishedBy` made them so; null for nobody that is known.
 */
export type KeepVersions = (
  transaction: Transaction,
  serviceIds: readonly number[],
  publishedBy: string | null,
) => Promise<unknown>;

/** The fees from which a change of services by one person is counted (decision 0136). */
export type CountedFees = NonNullable<ImportOptions['countedFees']>;

/** What imports and bulk changes need. `report` logs a failure. */
export interface JobContext {
  database: Database;
  catalogue: Catalogue;
  keepVersions: KeepVersions;
  countedFees: CountedFees;
  /** `FEE_APPROVAL_ABOVE`, in fils. */
  feeApprovalAbove: number | undefined;
  report: (error: Error) => void;
}

/** What preparing a job needs. */
export type FeeContext = Pick<JobContext, 'database' | 'countedFees' | 'feeApprovalAbove'>;

const texts = createTranslator('catalogue');
/** The problems that are not those of a validation; each is a key under `transfer.problems`. */
const ownProblems = new Set([
  'unknownSheet',
  'unknownColumn',
  'unknownReference',
  'otherAgency',
  'sharedByAgencies',
  'retiredReference',
  'twice',
  'json',
  'format',
  'form',
  'empty',
  'tooManyRows',
  'unclearAmount',
  'unknownVat',
  'unknownEmirate',
  'tenfold',
  'feeTooLarge',
  'feesNeedSecondPerson',
]);

/** The text of a problem in a language. */
export const problemText = ({ code, params }: FileProblem, language: Language): string =>
  ownProblems.has(code)
    ? texts(`transfer.problems.${code}`, language, params)
    : validationText(
        { field: '', code: code as ValidationCode, ...(params ? { params } : {}) },
        language,
      );

/** The heading of the column of a problem; the path within an entry of a JSON file stays as it is. */
function headingOfProblem({ list, column }: FileProblem, language: Language): string {
  const known = catalogueLists.find((each) => each === list);
  return known && isKnownKey(known, column) ? headingOf(known, column, language) : column;
}

function shownText(value: ShownValue, language: Language): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object') return localize(value, language);
  return typeof value === 'boolean' ? texts(value ? 'yes' : 'no', language) : String(value);
}

const describeChange = (
  { name, fields, ...change }: StoredSummary['changes'][number],
  language: Language,
) => ({
  ...change,
  name: typeof name === 'string' ? name : localize(name, language),
  fields: fields.map(({ field, before, after }) => ({
    field,
    before: shownText(before, language),
    after: shownText(after, language),
  })),
});

/** A job as an admin sees it. Throws NotFound. */
export async function describeJob(
  database: Database,
  id: string,
  language: Language,
): Promise<CatalogueJob> {
  const row = await findJob(database, id);
  if (!row) throw new Refusal('NotFound');
  const { counts, changes, changesCount, problems, problemsCount } = row.summary;
  // Jobs of earlier versions have none.
  const { warnings = [], warningsCount = 0 } = row.summary as Partial<StoredSummary>;
  const describe = (problem: FileProblem) => ({
    list: problem.list,
    row: problem.row,
    column: problem.column,
    heading: headingOfProblem(problem, language),
    message: problemText(problem, language),
  });
  const state: JobState = row.state === 'running' && !row.is_active ? 'interrupted' : row.state;
  const described: EveryField<CatalogueJob> = {
    jobId: row.id,
    kind: row.kind,
    state,
    total: row.total,
    done: row.done,
    counts,
    changes: changes.map((change) => describeChange(change, language)),
    changesCount,
    problems: problems.map(describe),
    problemsCount,
    warnings: warnings.map(describe),
    warningsCount,
  };
  return described;
}

/** Finds out what a plan would change, and stores it as a job. Returns the id of the job. */
export async function prepareJob(
  { database, countedFees, feeApprovalAbove }: FeeContext,
  caller: Caller,
  {
    kind,
    plan,
    found = { problems: [], problemsCount: 0 },
  }: {
    kind: CatalogueJob['kind'];
    plan: JobPlan;
    found?: Pick<StoredSummary, 'problems' | 'problemsCount'>;
  },
): Promise<string> {
  const unlimited = withoutTimeLimits(database);
  const scope = administeredAgencies(caller);
  // One snapshot, so that the version is that of the rows.
  const { version, summary } = await inSnapshot(unlimited, async (transaction) => ({
    version: await readCatalogueVersion(transaction),
    summary: await importFile(transaction, plan, {
      isDryRun: true,
      author: { caller },
      scope,
      countedFees,
      feeApprovalAbove,
    }),
  }));
  // What is wrong in a cell is missing in the database too.
  const isNamed = ({ list, row, column }: FileProblem) =>
    found.problems.some(
      (each) => each.list === list && each.row === row && each.column.startsWith(column),
    );
  const others = summary.problems.filter((problem) => !isNamed(problem));
  const all: StoredSummary = {
    ...summary,
    problems: [...found.problems, ...others].slice(0, 100),
    problemsCount: found.problemsCount + others.length,
  };
  return insertJob(unlimited, {
    kind,
    userId: caller.userId,
    scope,
    version,
    total: Math.max(1, plan.file.services.length),
    plan: all.problemsCount === 0 ? plan : undefined,
    summary: all,
  });
}

/** Reads a file and prepares its import. Throws CatalogueFileTooLarge, CatalogueFileUnreadable. */
export async function prepareImport(
  context: FeeContext,
  caller: Caller,
  content: Uint8Array,
  { format, retiresMissing }: { format: CatalogueFormat; retiresMissing: boolean },
): Promise<string> {
  const { file, rows, problems, problemsCount } = await readCatalogueFile(content, format);
  // Without its list of services, a file does not show which services exist.
  const retires = retiresMissing && file.services.length > 0 && problemsCount === 0;
  return prepareJob(context, caller, {
    kind: 'import',
    plan: { file, rows, retiresMissing: retires },
    found: { problems, problemsCount },
  });
}

class ImportProblems extends Error {}

/**
 * Imports the content of a file immediately, for a command. With problems, or with `isDryRun`,
 * nothing is changed. Throws CatalogueFileTooLarge, CatalogueFileUnreadable.
 */
export async function importContent(
  database: Database,
  content: Uint8Array,
  {
    format,
    retiresMissing,
    isDryRun,
    authorName,
  }: { format: CatalogueFormat; retiresMissing: boolean; isDryRun: boolean; authorName: string },
): Promise<StoredSummary> {
  const { file, rows, ...found } = await readCatalogueFile(content, format);
  if (found.problemsCount > 0)
    return {
      counts: {},
      changes: [],
      changesCount: 0,
      warnings: [],
      warningsCount: 0,
      ...found,
    };
  const plan = () =>
    structuredClone({ file, rows, retiresMissing: retiresMissing && file.services.length > 0 });
  let summary: StoredSummary | undefined;
  try {
    await inTransaction(database, async (transaction) => {
      await lockCatalogueVersion(transaction);
      const by = { author: { authorName }, scope: 'all' } as const;
      summary = await importFile(transaction, plan(), { isDryRun: true, ...by });
      if (summary.problemsCount > 0) throw new ImportProblems();
      if (!isDryRun) await importFile(transaction, plan(), { isDryRun, ...by });
    });
  } catch (error) {
    if (!(error instanceof ImportProblems)) throw error;
  }
  if (!summary) throw new Error('The import has no summary');
  return summary;
}

class JobCancelled extends Error {}

type JobAuthor = ChangeAuthor & { caller: Caller };

interface StartedJob {
  id: string;
  kind: CatalogueJob['kind'];
  version: number;
  scope: AgencyScope;
  plan: JobPlan;
  leftOut: ReadonlySet<string>;
}

/** Carries out a job as one transaction; its progress is written beside it. */
async function carryOut(
  { database, catalogue, keepVersions, feeApprovalAbove, report }: JobContext,
  author: JobAuthor,
  { id, kind, version, scope, plan, leftOut }: StartedJob,
): Promise<void> {
  const unlimited = withoutTimeLimits(database);
  try {
    await inTransaction(unlimited, async (transaction) => {
      if ((await lockCatalogueVersion(transaction)) !== version)
        throw new Refusal('CatalogueHasChanged');
      const summary = await importFile(transaction, plan, {
        isDryRun: false,
        author,
        scope,
        leftOut,
        // The version before a bulk change can be published again, and changes of fees are counted by
        // versions.
        onChange: async (when, serviceIds) => {
          if (kind === 'bulk' || feeApprovalAbove !== undefined)
            await keepVersions(
              transaction,
              serviceIds,
              when === 'before' ? null : author.caller.userId,
            );
        },
        onProgress: async (done) => {
          if (await reportProgress(unlimited, id, done)) throw new JobCancelled();
        },
      });
      await endJob(transaction, id, 'done', summary);
    });
  } catch (error) {
    if (!(error instanceof JobCancelled)) report(error as Error);
    await endJob(unlimited, id, error instanceof JobCancelled ? 'cancelled' : 'failed');
    return;
  }
  await afterCall(() => catalogue.refresh());
}

/**
 * Starts a prepared job in the background. Returns the promise of its end, which never rejects.
 * Throws NotFound, CatalogueHasChanged, CatalogueJobRuns.
 */
export async function runJob(
  context: JobContext,
  author: JobAuthor,
  { jobId: id, leftOut }: BodyOf<typeof runCatalogueJob>,
): Promise<{ ended: Promise<void> }> {
  const { database } = context;
  const job = await findJob(database, id);
  if (!job) throw new Refusal('NotFound');
  const version = job.catalogue_version;
  if (job.state === 'ready' && (await readCatalogueVersion(database)) !== version)
    throw new Refusal('CatalogueHasChanged');
  const plan = await startJob(withoutTimeLimits(database), id);
  if (!plan) throw new Refusal('CatalogueJobRuns');
  const ended = carryOut(context, author, {
    id,
    kind: job.kind,
    version,
    scope: job.agency_ids ?? 'all',
    plan,
    leftOut: new Set(leftOut),
  }).catch(context.report);
  return { ended };
}

/** Stops a job; nothing of it is stored. Throws NotFound. */
export async function stopJob(database: Database, id: string): Promise<void> {
  if (!(await findJob(database, id))) throw new Refusal('NotFound');
  await cancelJob(database, id);
}
