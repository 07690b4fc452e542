/**
 * How one item of a bulk action ended: done, somebody was faster, not allowed, or not carried out
 * and worth another try.
 */
export type BulkState = 'waiting' | 'running' | 'done' | 'late' | 'refused' | 'failed';
export interface BulkResult {
  state: BulkState;
  /** Why, in the person's language; empty while there is nothing to say. */
  text: string;
}

/** What an error means for one item, by its name and HTTP status. */
export function stateOfError({ name, status }: { name: string; status: number }): BulkState {
  if (name === 'VersionHasChanged' || name === 'ActionNotAllowed') return 'late';
  return status >= 400 && status < 500 && status !== 429 ? 'refused' : 'failed';
}

/**
 * Does one thing to many items, some at once. Each has its own result, so that one failure neither
 * stops nor hides another.
 */
export async function runEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<BulkResult>,
  onResult: (item: Item, result: BulkResult) => void,
  atOnce = 4,
): Promise<void> {
  const rest = [...items];
  const work = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      onResult(item, { state: 'running', text: '' });
      onResult(item, await act(item));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
}
