import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveUp } from './install.mjs';

/**
 * The first of `paths` that exists; as root on Debian the first of `aptPackages` that can be
 * installed is installed if necessary. Otherwise the first of `otherPaths`; without one the run ends
 * with `missing`.
 */
export function ensureProgram({ paths, otherPaths = [], name, aptPackages, missing }) {
  const find = (candidates) => candidates.find((path) => path && existsSync(path));
  if (!find(paths)) install(name, aptPackages);
  return find([...paths, ...otherPaths]) ?? giveUp(missing);
}

function install(name, packages) {
  // Test files install programs at the same time; apt-get would fail. RUNLEVEL keeps the package of
  // a server from starting it.
  const lock = join(tmpdir(), 'diwan-apt.lock');
  const aptGet = (...args) =>
    spawnSync('flock', [lock, 'apt-get', '-qq', '-o', 'Acquire::http::Timeout=10', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    }).status === 0;
  if (process.getuid?.() !== 0 || !aptGet('--version')) return;
  console.error(`Installing ${name} …`);
  aptGet('update');
  packages.some((each) => aptGet('-y', '--no-install-recommends', 'install', each));
}
