import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

/** What a piece of work asked of the database. */
interface Counted<Result> {
  result: Result;
  /** The texts in the order in which they were sent. */
  statements: string[];
  /** How often a connection had sent everything and waited for the answers. */
  trips: number;
}

const counting = new AsyncLocalStorage<object>();

/**
 * Counts the round trips to the database of a piece of work: statements that a connection sends
 * while others are on their way belong to one trip. Other work of this process does not count.
 */
export async function countRoundTrips<Result>(
  work: () => Promise<Result>,
): Promise<Counted<Result>> {
  const statements: string[] = [];
  const waiting = new Map<unknown, number>();
  let trips = 0;
  const mine = {};
  const original = pg.Client.prototype.query as (...sent: unknown[]) => unknown;
  pg.Client.prototype.query = function query(this: unknown, ...sent: unknown[]) {
    const answer = original.apply(this, sent);
    if (counting.getStore() !== mine || !(answer instanceof Promise)) return answer;
    statements.push((sent as [{ text: string }])[0].text.trim());
    const count = waiting.get(this) ?? 0;
    if (count === 0) trips += 1;
    waiting.set(this, count + 1);
    const end = () => waiting.set(this, (waiting.get(this) ?? 1) - 1);
    answer.then(end, end);
    return answer;
  } as never;
  try {
    return { result: await counting.run(mine, work), statements, trips };
  } finally {
    pg.Client.prototype.query = original as never;
  }
}
