// Runs at the end of an install: records the installed lock file and configures git in a checkout.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { markInstalled, root } from './install.mjs';

markInstalled();
if (existsSync(join(root, '.git'))) {
  const configure = (name, value) => spawnSync('git', ['config', name, value], { cwd: root });
  configure('core.hooksPath', 'scripts/hooks');
  // Blame skips the commits that only format the code.
  configure('blame.ignoreRevsFile', '.git-blame-ignore-revs');
}
