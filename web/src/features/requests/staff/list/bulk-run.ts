import { isConflict } from '../../data/conflict.ts';

/**
 * The result of a bulk action for one item: `late` after a conflict with another user, `refused`
 * when a retry is useless, `failed` when a retry may succeed.
 */
export type BulkState = 'waiting' | 'running' | 'done' | 'late' | 'refused' | 'failed';
export interface BulkResult {
  state: BulkState;
  /** The error message in the user's language; empty without an error. */
  text: string;
}

/** The state of an item after an error, by the error's name and HTTP status. */
export function toBulkState({ name, status }: { name: string; status: number }): BulkState {
  if (isConflict({ name })) return 'late';
  return status >= 400 && status < 500 && status !== 429 ? 'refused' : 'failed';
}

/**
 * Runs a task for each item, at most `concurrency` at once. A failed item does not stop the others.
 */
export async function runEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<BulkResult>,
  onResult: (item: Item, result: BulkResult) => void,
  concurrency = 4,
): Promise<void> {
  const rest = [...items];
  const work = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      onResult(item, { state: 'running', text: '' });
      onResult(item, await act(item));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
}
