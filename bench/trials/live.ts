// npm run trial -- live [redis]: the property test of live counts and lists, for long. STEPS (1000)
// and SEED repeat a run; the seed is printed with the result.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/install.mjs';

const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'vitest'),
  ['run', 'api/src/system-tests/live-counts.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      LIVE_STEPS: process.env.STEPS ?? '1000',
      ...(process.env.SEED ? { LIVE_SEED: process.env.SEED } : {}),
      ...(process.argv.includes('redis') ? { LIVE_REDIS: 'on' } : {}),
    },
  },
);
process.exitCode = status ?? 1;
