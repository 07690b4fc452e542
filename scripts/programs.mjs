// Programs of the system that tests need. `node scripts/programs.mjs redis` prints the path of one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { giveUp } from './install.mjs';

/**
 * `paths` are those that a run prefers, `otherPaths` those that it takes when nothing can be
 * installed. `packages` are those of Debian, the preferred one first.
 */
const programs = {
  chromium: {
    setting: 'CHROMIUM',
    // The headless shell is Chromium without windows: the browser process needs half the processor
    // time.
    paths: ['/usr/lib/chromium/chromium-headless-shell'],
    otherPaths: [
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/usr/bin/google-chrome-stable',
      '/snap/bin/chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    ],
    packages: ['chromium-headless-shell', 'chromium'],
  },
  redis: {
    setting: 'REDIS_SERVER',
    paths: [
      '/usr/bin/redis-server',
      '/usr/local/bin/redis-server',
      '/opt/homebrew/bin/redis-server',
    ],
    otherPaths: [],
    packages: ['redis-server'],
  },
  clamd: {
    setting: 'CLAMD_PROGRAM',
    paths: ['/usr/sbin/clamd', '/usr/local/sbin/clamd', '/opt/homebrew/sbin/clamd'],
    otherPaths: [],
    packages: ['clamav-daemon'],
  },
  openssl: {
    setting: 'OPENSSL',
    paths: ['/opt/homebrew/bin/openssl', '/usr/local/bin/openssl', '/usr/bin/openssl'],
    otherPaths: [],
    packages: ['openssl'],
  },
  poppler: {
    setting: 'PDFSIG',
    paths: ['/usr/bin/pdfsig', '/usr/local/bin/pdfsig', '/opt/homebrew/bin/pdfsig'],
    otherPaths: [],
    packages: ['poppler-utils'],
  },
  haproxy: {
    setting: 'HAPROXY',
    paths: ['/usr/sbin/haproxy'],
    otherPaths: [],
    packages: ['haproxy'],
  },
  etcd: {
    setting: 'ETCD',
    paths: ['/usr/bin/etcd'],
    otherPaths: [],
    packages: ['etcd-server'],
  },
  postgres: {
    setting: 'POSTGRES_15',
    paths: ['/usr/lib/postgresql/15/bin/postgres'],
    otherPaths: [],
    packages: ['postgresql-15'],
  },
  patroni: {
    setting: 'PATRONI',
    paths: ['/usr/bin/patroni'],
    otherPaths: [],
    packages: ['patroni'],
  },
  pgbackrest: {
    setting: 'PGBACKREST',
    paths: ['/usr/bin/pgbackrest'],
    otherPaths: [],
    packages: ['pgbackrest'],
  },
  ip: {
    setting: 'IP_PROGRAM',
    paths: ['/usr/sbin/ip', '/sbin/ip'],
    otherPaths: [],
    packages: ['iproute2'],
  },
  nginx: {
    setting: 'NGINX',
    paths: ['/usr/sbin/nginx'],
    otherPaths: [],
    packages: ['nginx-core'],
  },
  'systemd-analyze': {
    setting: 'SYSTEMD_ANALYZE',
    paths: ['/usr/bin/systemd-analyze'],
    otherPaths: [],
    packages: ['systemd'],
  },
  promtool: {
    setting: 'PROMTOOL',
    paths: ['/usr/bin/promtool'],
    otherPaths: [],
    packages: ['prometheus'],
  },
  'docker-compose': {
    setting: 'DOCKER_COMPOSE',
    paths: ['/usr/bin/docker-compose'],
    otherPaths: [],
    packages: ['docker-compose'],
  },
};

/**
 * The path of a program: that of its setting, else a usual one. As root on Debian it is installed
 * when it is missing; without it the run ends with one line.
 */
export function ensureProgram(name) {
  const { setting, paths, otherPaths, packages } = programs[name];
  const find = (candidates) => candidates.find((path) => path && existsSync(path));
  const preferred = [process.env[setting], ...paths];
  if (!find(preferred)) install(name, packages);
  return (
    find([...preferred, ...otherPaths]) ??
    giveUp(
      `The tests need ${name}: install it (Debian: sudo apt-get install ${packages.at(-1)}) ` +
        `or set ${setting} to its path`,
    )
  );
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

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(ensureProgram(process.argv[2]));
