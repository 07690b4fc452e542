import { afterAll, expect, it, vi } from 'vitest';
import { killWhileSaving } from '#testing/load/kill-while-saving.ts';
import { cloneProgramData } from '#testing/programs/clone-program-data.ts';
import { endPrograms } from '#testing/programs/running-program.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
afterAll(endPrograms);

// Fifty times: npm run trial -- kill-drafts
it('keeps every acknowledged save complete when it is killed twice', async () => {
  const place = await cloneProgramData();
  const { acknowledged, interrupted: cut, lost } = await killWhileSaving(place, 2);
  expect(lost).toEqual([]);
  // Fewer would mean that no save was running when the server was killed.
  expect(acknowledged).toBeGreaterThan(10);
  expect(cut).toBe(16);
  await place.close();
});
