import { afterAll, expect, it, vi } from 'vitest';
import { clonedPlace } from '../../testing/cloned-place.ts';
import { killDuringSaves } from '../../testing/killed-saves.ts';
import { endPrograms } from '../../testing/running-program.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
afterAll(endPrograms);

// Fifty times: node --import tsx bench/kill-drafts.ts
it('has every save that it acknowledged, whole, when it is killed twice in the middle of them', async () => {
  const place = await clonedPlace();
  const { acknowledged, cut, lost } = await killDuringSaves(place, 2);
  expect(lost).toEqual([]);
  // Fewer would mean that nothing was under way when it was killed.
  expect(acknowledged).toBeGreaterThan(10);
  expect(cut).toBe(16);
  await place.close();
});
