import { expect, it } from 'vitest';
import { killWhileSending } from '../testing/load/kill-while-sending.ts';
import { cloneProgramData } from '../testing/programs/clone-program-data.ts';

// The short form of bench/trials/kill-messages.ts.
it(
  'no message is lost or sent twice when the program is killed while it sends',
  { timeout: 180_000 },
  async () => {
    const place = await cloneProgramData();
    const report = await killWhileSending(place, 1);
    expect(report).toMatchObject({ rounds: 1, twice: [], lost: [] });
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.written).toBeGreaterThanOrEqual(report.acknowledged);
    await place.close();
  },
);
