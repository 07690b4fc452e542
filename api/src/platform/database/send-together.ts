import {
  CompiledQuery,
  DummyDriver,
  PostgresDialect,
  Transaction as KyselyTransaction,
  type ConnectionProvider,
} from 'kysely';
import type { Database, Transaction } from './database.ts';
import type { Tables } from './schema.generated.ts';

type Works = readonly ((part: Transaction) => Promise<unknown>)[];
type ResultsOf<W extends Works> = { [Index in keyof W]: Awaited<ReturnType<W[Index]>> };

// Kysely needs them to open transactions, which a part never does.
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('not a pool')) });
const unused = { config: { dialect }, dialect, driver: new DummyDriver() };

// The transactions whose commit may go with their last statements.
const committing = new WeakSet<Transaction>();

/**
 * Sends the statements of several queries over one connection without waiting between them: one
 * round trip. PostgreSQL runs them in the order of `works`, of which each executes one query.
 * Throws the first error, after all have ended.
 */
export function sendTogether<const W extends Works>(
  database: Database | Transaction,
  works: W,
): Promise<ResultsOf<W>> {
  return send(database, works, false);
}

/**
 * Runs `work` in a transaction, or as a part of the transaction that `database` is. Its statements
 * in `sendLast` go with the commit.
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
 * Like `sendTogether`, for the last statements of a transaction: the commit goes with them. Nothing
 * can be refused or undone after it.
 */
export function sendLast<const W extends Works>(
  transaction: Transaction,
  works: W,
): Promise<ResultsOf<W>> {
  return send(transaction, works, committing.has(transaction));
}

async function send<const W extends Works>(
  database: Database | Transaction,
  works: W,
  isLast: boolean,
): Promise<ResultsOf<W>> {
  const executor = database.getExecutor();
  return executor.provideConnection(async (connection) => {
    const results: Promise<unknown>[] = [];
    let [hasFailed, hasEnded] = [false, false];
    for (const work of works) {
      await new Promise<void>((resolve) => {
        const provider: ConnectionProvider = {
          async provideConnection(consumer) {
            if (hasEnded) throw new Error('A last statement comes after the commit');
            const result = consumer(connection);
            resolve();
            return result;
          },
        };
        const part = new KyselyTransaction<Tables>({
          ...unused,
          executor: executor.withConnectionProvider(provider),
        });
        const result = work(part);
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
    if (isLast) {
      // A statement that could not be sent has failed by now, and PostgreSQL does not know of it.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      hasEnded = true;
      if (!hasFailed) results.push(connection.executeQuery(CompiledQuery.raw('commit')));
    }
    const settled = await Promise.allSettled(results);
    const failed = settled.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return (await Promise.all(results.slice(0, works.length))) as ResultsOf<W>;
  });
}
