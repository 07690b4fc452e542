import { afterAll, expect, it } from 'vitest';
import { killWhileOnHold } from '../testing/load/kill-while-on-hold.ts';
import { cloneProgramData } from '../testing/programs/clone-program-data.ts';
import { endPrograms } from '../testing/programs/running-program.ts';

afterAll(endPrograms);

/** `HOLD_KILLS=20` kills more often: every second kill waits for the job of the day, ten seconds. */
const kills = Number(process.env.HOLD_KILLS ?? 2);

it(
  'requests are on hold or not, with all that belongs to it, though the program is killed',
  { timeout: 60_000 + kills * 30_000 },
  async () => {
    const data = await cloneProgramData();
    const lines: string[] = [];
    const { problems, actions, endedByDay, interrupted, output } = await killWhileOnHold(
      data,
      kills,
      (line) => void lines.push(line),
    );
    if (process.env.HOLD_KILLS) console.log(lines.join('\n'));
    expect(problems, output).toEqual([]);
    expect(interrupted, output).toBe(kills);
    expect(Math.min(actions.hold, actions.resume, endedByDay)).toBeGreaterThan(0);
    await data.close();
  },
);
