import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { giveUp, run } from './install.mjs';

const places = [process.env.CLAMD_PROGRAM, '/usr/sbin/clamd', '/usr/local/sbin/clamd', '/opt/homebrew/sbin/clamd'];
const find = () => places.find((place) => place && existsSync(place));

/** The program clamd of this machine; as root on Debian it is installed from the system's packages when there is none. */
export function ensureClamd() {
  const found = find();
  if (found) return found;
  const hasApt = spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
  if (process.getuid?.() === 0 && hasApt) {
    console.error('Installing clamd …');
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    run('apt-get', ['-qq', 'update'], quiet);
    run('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', 'clamav-daemon'], quiet);
  }
  return find() ?? giveUp('The test of the scanner needs clamd: install it (Debian: sudo apt-get install clamav-daemon) or set CLAMD_PROGRAM to its path');
}

// Run by itself it prints where the program is.
if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(ensureClamd());
