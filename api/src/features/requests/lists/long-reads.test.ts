import { expect, it } from 'vitest';
import { createLongReads } from './long-reads.ts';

it('runs few at the same time, and refuses what one user or all have too many of', async () => {
  const read = createLongReads(1, 2, 2);
  const ends: (() => void)[] = [];
  let running = 0;
  const start = (userId: string) =>
    read(userId, async () => {
      running += 1;
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      return userId;
    });
  const accepted = [start('one'), start('one'), start('two')];
  await expect(start('one')).rejects.toThrow('ServerBusy');
  await expect(start('three')).rejects.toThrow('ServerBusy');
  for (const [index, each] of accepted.entries()) {
    await expect.poll(() => ends.length).toBe(index + 1);
    expect(running).toBe(1);
    ends[index]?.();
    await each;
  }
  const failed = read('one', () => Promise.reject(new Error('lost')));
  await expect(failed).rejects.toThrow('lost');
  expect(await read('one', async () => 'again')).toBe('again');
});
