import { expect, it, vi } from 'vitest';
import { openSharedStatement } from './shared-statement.ts';

/** A reader whose calls are answered one by one. */
function openReader() {
  const calls: { keys: readonly number[]; answer: (isOk?: boolean) => void }[] = [];
  const read = openSharedStatement<number, string>(
    (keys) =>
      new Promise((resolve, reject) =>
        calls.push({
          keys,
          answer: (isOk = true) =>
            isOk ? resolve(keys.map((key) => `read ${key}`)) : reject(new Error('no answer')),
        }),
      ),
  );
  const untilCalled = (count: number) => vi.waitFor(() => expect(calls).toHaveLength(count));
  return { read, calls, untilCalled };
}

it('reads together what is asked for together, and what waits while two reads are under way', async () => {
  const { read, calls, untilCalled } = openReader();
  const first = [read(1), read(2)];
  await untilCalled(1);
  const second = read(3);
  await untilCalled(2);
  const waiting = [read(4)];
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  waiting.push(read(5));
  expect(calls.map(({ keys }) => keys)).toEqual([[1, 2], [3]]);
  calls[0]?.answer();
  await untilCalled(3);
  expect(calls[2]?.keys).toEqual([4, 5]);
  // Begins a separate read: the result must be as new as the question.
  const last = read(4);
  calls[1]?.answer();
  await untilCalled(4);
  calls[2]?.answer();
  calls[3]?.answer();
  expect(await Promise.all([...first, second, ...waiting, last])).toEqual(
    [1, 2, 3, 4, 5, 4].map((key) => `read ${key}`),
  );
});

it('continues after reads that fail', async () => {
  const { read, calls, untilCalled } = openReader();
  for (let count = 1; count <= 4; count += 1) {
    const failing = read(count);
    await untilCalled(count);
    calls.at(-1)?.answer(false);
    await expect(failing).rejects.toThrow('no answer');
  }
});
