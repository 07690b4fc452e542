// Runs at the end of an install: remembers what was installed and sets the git hook, where this is
// a checkout.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { markInstalled, root } from './install.mjs';

markInstalled();
if (existsSync(join(root, '.git')))
  spawnSync('git', ['config', 'core.hooksPath', 'scripts/hooks'], { cwd: root });
