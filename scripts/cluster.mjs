// npm run cluster, npm run test:cluster: installs and builds what is missing, then opens several
// machines on this one (docs/operations/cluster.md).
import { ensureBuilt, ensureInstalled, giveUp } from './install.mjs';

if (process.platform !== 'linux' || process.getuid?.() !== 0)
  giveUp('The cluster needs root on Debian: it installs packages and opens networks of its own');
await ensureInstalled();
await ensureBuilt();
const { register } = await import('tsx/esm/api');
register();
const program = process.argv.includes('--faults-under-load') ? 'test-cluster' : 'start-cluster';
await import(`../bench/cluster/${program}.ts`);
