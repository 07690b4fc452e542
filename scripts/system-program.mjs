import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { giveUp, run } from './install.mjs';

/**
 * The first of these places that there is; as root on Debian the program is installed from the
 * system's packages when there is none, else the run ends with `missing`.
 */
export function ensureProgram({ places, name, aptPackage, missing }) {
  const find = () => places.find((place) => place && existsSync(place));
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
