import {
  CompiledQuery,
  DummyDriver,
  PostgresDialect,
  Transaction as KyselyTransaction,
  type ConnectionProvider,
} from 'kysely';
import type { Database, Transaction } from './database.ts';
import type { Tables } from './schema.generated.ts';

type Queries = readonly ((part: Transaction) => Promise<unknown>)[];
/** What each of the queries returns. */
type ResultsOf<Q extends Queries> = { [Index in keyof Q]: Awaited<ReturnType<Q[Index]>> };

// Kysely needs these to open transactions, which a single query never does.
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('not a pool')) });
const unused = { config: { dialect }, dialect, driver: new DummyDriver() };

// The outermost transactions: their commit may be sent with their last statements.
const committing = new WeakSet<Transaction>();

/**
 * Sends several queries over one connection without waiting between them: one round trip.
 * PostgreSQL runs them in the order of `queries`, each of which executes one statement. Throws the
 * first error, after all have ended.
 */
export function sendTogether<const Q extends Queries>(
  database: Database | Transaction,
  queries: Q,
): Promise<ResultsOf<Q>> {
  return send(database, queries, false);
}

/**
 * Runs `work` in a transaction, or as a part of the transaction that `database` is. The
 * outermost transaction commits with the statements of `sendWithCommit`.
 */
export async function inTransaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute((transaction) => {
    // The seed runs actions as parts of its own transaction.
    if (!database.isTransaction) committing.add(transaction);
    return work(transaction);
  });
}

/**
 * Sends the last queries of a transaction together with its commit, in one round trip. Nothing
 * can be refused or undone after it.
 */
export function sendWithCommit<const Q extends Queries>(
  transaction: Transaction,
  queries: Q,
): Promise<ResultsOf<Q>> {
  return send(transaction, queries, committing.has(transaction));
}

async function send<const Q extends Queries>(
  database: Database | Transaction,
  queries: Q,
  commits: boolean,
): Promise<ResultsOf<Q>> {
  const executor = database.getExecutor();
  return executor.provideConnection(async (connection) => {
    const results: Promise<unknown>[] = [];
    let [hasFailed, isComplete] = [false, false];
    for (const query of queries) {
      await new Promise<void>((resolve) => {
        const provider: ConnectionProvider = {
          async provideConnection(consumer) {
            if (isComplete) throw new Error('A last statement comes after the commit');
            const result = consumer(connection);
            resolve();
            return result;
          },
        };
        const part = new KyselyTransaction<Tables>({
          ...unused,
          executor: executor.withConnectionProvider(provider),
        });
        const result = query(part);
        results.push(result);
        result.then(
          () => resolve(),
          () => {
            hasFailed = true;
            resolve();
          },
        );
      });
    }
    if (commits) {
      // A statement that could not be sent has failed by now, and PostgreSQL does not know of it.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      isComplete = true;
      if (!hasFailed) results.push(connection.executeQuery(CompiledQuery.raw('commit')));
    }
    const settled = await Promise.allSettled(results);
    const failed = settled.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return (await Promise.all(results.slice(0, queries.length))) as ResultsOf<Q>;
  });
}
