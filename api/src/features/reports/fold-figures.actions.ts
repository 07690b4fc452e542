import { readWorkingTimes } from '#features/calendars/calendars.actions.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { factsOfRequest, factsWithout, type Fact } from './figure-facts.ts';
import * as store from './fold-figures.store.ts';

/** Requests that one transaction folds. */
const batchSize = 1000;

async function readFacts(
  database: Database | Transaction,
  ids: readonly number[],
): Promise<Fact[]> {
  const requests = await store.selectFiguredRequests(database, ids);
  const timeOf = await readWorkingTimes(
    database,
    requests.map((request) => request.calendar_id),
  );
  return requests.flatMap((request) => factsOfRequest(request, timeOf(request.calendar_id)));
}

// What is stored of these requests becomes what follows from their rows. It is the same however often
// it runs.
async function foldRequests(transaction: Transaction, ids: readonly number[]): Promise<void> {
  const facts = await readFacts(transaction, ids);
  const known = await store.selectFacts(transaction, ids);
  const added = factsWithout(facts, known);
  const removed = factsWithout(known, facts);
  const changed = new Set([...added, ...removed].map((fact) => fact.request_id));
  if (changed.size === 0) return;
  await store.replaceFacts(
    transaction,
    [...changed],
    facts.filter((fact) => changed.has(fact.request_id)),
  );
  await store.addToFigures(transaction, { added, removed });
  const withoutTimes = removed.filter(({ seconds }) => seconds !== null);
  if (withoutTimes.length > 0) await store.refillTimes(transaction, withoutTimes);
}

/**
 * Folds announced changes into the figures, at most a batch, and returns how many. One process folds at
 * a time; the changes are taken in the transaction that adds them.
 */
export async function foldFigures(database: Database): Promise<number> {
  if (!(await store.hasChanges(database))) return 0;
  return inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, 'figures');
    const ids = await store.takeChanges(transaction, batchSize);
    if (ids.length > 0) await foldRequests(transaction, [...new Set(ids)]);
    return ids.length;
  });
}

/** Folds all changes that are announced. */
export async function foldAllFigures(database: Database): Promise<void> {
  while ((await foldFigures(database)) > 0);
}

/** Makes all figures from nothing; until it commits, readers see the ones before. */
export async function rebuildFigures(database: Database): Promise<number> {
  return inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, 'figures');
    await store.deleteFigures(transaction);
    let count = 0;
    for (let last = 0; ;) {
      const ids = await store.selectIdsAfter(transaction, last, batchSize);
      if (ids.length === 0) return count;
      await foldRequests(transaction, ids);
      count += ids.length;
      last = ids.at(-1) ?? last;
    }
  });
}

/** Where the figures are not those that follow from the requests, after all changes are folded. */
export async function findFigureProblems(database: Database): Promise<string[]> {
  await foldAllFigures(database);
  const problems: string[] = [];
  for (let last = 0; ;) {
    const ids = await store.selectIdsAfter(database, last, batchSize);
    if (ids.length === 0) break;
    const facts = await readFacts(database, ids);
    const known = await store.selectFacts(database, ids);
    const wrong = [...factsWithout(facts, known), ...factsWithout(known, facts)];
    for (const id of new Set(wrong.map((fact) => fact.request_id)))
      problems.push(`figures count request ${id} otherwise than its rows say`);
    last = ids.at(-1) ?? last;
  }
  return [...problems, ...(await store.findWrongSums(database))];
}
