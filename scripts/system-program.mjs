import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { giveUp, run } from './install.mjs';

/**
 * The first of these paths that exists; as root on Debian the program is installed from the
 * system's packages if necessary, otherwise the run ends with `missing`.
 */
export function ensureProgram({ paths, name, aptPackage, missing }) {
  const find = () => paths.find((path) => path && existsSync(path));
  const found = find();
  if (found) return found;
  const hasApt = spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
  if (process.getuid?.() === 0 && hasApt) {
    console.error(`Installing ${name} …`);
    const quiet = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    run('apt-get', ['-qq', 'update'], quiet);
    run('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', aptPackage], quiet);
  }
  return find() ?? giveUp(missing);
}
