// Plain Node without dependencies: this runs before they are installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vite = join('node_modules', 'vite', 'bin', 'vite.js');
const stamp = join(root, 'node_modules', '.installed-from');

/** Prints one line and ends the program with an error. */
export function giveUp(line) {
  console.error(line);
  process.exit(1);
}

/** Runs a program of this machine; a failure of it ends this program. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  });
  if (error || status !== 0)
    giveUp(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort();
}

/** Records the lock file of the installed packages. */
export function markInstalled() {
  if (existsSync(dirname(stamp))) writeFileSync(stamp, hashOf(['package-lock.json']));
}

/** Installs the dependencies when they are missing or the lock file has changed. */
export function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    giveUp(`Diwan needs Node 20.19 or newer; this is ${process.versions.node}`);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(['package-lock.json'])) return;
  console.log('Installing dependencies …');
  run('npm', ['ci', '--no-progress', '--loglevel=error']);
  markInstalled();
}

/** Builds a part of the product into a folder when its sources changed since the last build. */
function ensurePartBuilt(part, folder, { sources, commands }) {
  const built = join(folder, '.built-from');
  const hash = hashOf(sources);
  if (existsSync(built) && readFileSync(built, 'utf8') === hash) return;
  console.log(`Building the ${part} …`);
  for (const command of commands) run(process.execPath, command);
  writeFileSync(built, hash);
}

/** Builds the server and the portal when their sources changed since the last build. */
export function ensureBuilt() {
  ensureServerBuilt();
  ensurePartBuilt('portal', process.env.PORTAL_DIR || join(root, 'web', 'dist'), {
    sources: [
      'package-lock.json',
      'package.json',
      'web/index.html',
      'web/vite.config.ts',
      'web/vite.server.config.ts',
      ...filesBelow('web/build'),
      ...filesBelow('web/src'),
      ...filesBelow('web/public'),
      ...filesBelow('contract/src'),
    ],
    // The second one writes the first screens for the server: decision 0048.
    commands: [
      [vite, 'build', 'web', '--logLevel', 'warn'],
      [vite, 'build', 'web', '--config', 'web/vite.server.config.ts', '--logLevel', 'warn'],
    ],
  });
}

/** Builds the server when its sources changed since the last build. */
export function ensureServerBuilt() {
  ensurePartBuilt('server', join(root, 'api', 'dist'), {
    sources: [
      'package-lock.json',
      'scripts/build-server.mjs',
      ...filesBelow('api/src'),
      ...filesBelow('contract/src'),
    ],
    commands: [['scripts/build-server.mjs']],
  });
}
