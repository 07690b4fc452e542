import { afterAll, expect, it } from 'vitest';
import { endPrograms } from './testing/running-program.ts';
import { killRounds } from './testing/kill-rounds.ts';

afterAll(endPrograms);

// Fifty rounds: node --import tsx bench/kill-actions.ts 50
it('loses no step of a request that it has answered, and leaves none half done, when it is killed three times', { timeout: 180_000 }, async () => {
  const { faults, cut, actions } = await killRounds(3);
  expect(faults).toEqual([]);
  expect(cut).toBe(3);
  expect(Object.keys(actions)).toEqual(expect.arrayContaining(['create', 'receive', 'approve']));
});
