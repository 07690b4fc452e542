// Plain Node without dependencies: this runs before they are installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
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

/**
 * Runs a program of this machine, which may take minutes, under a title that says how long it has
 * run, and how far it is where `findState` says so. A failure of it ends this program.
 */
async function runLong(title, command, args, findState = () => '') {
  const began = Date.now();
  console.log(`${title} …`);
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - began) / 1000);
    console.log(`${title} … ${findState()}${seconds} s`);
  }, 10_000);
  const program = spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const [status] = await once(program, 'close').catch((error) => [error.message]);
  clearInterval(timer);
  if (status !== 0) giveUp(`${command} ${args.join(' ')} failed: ${status}`);
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

// A changed test builds nothing again.
function sourcesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort();
}

/** Records the lock file of the installed packages. */
export function markInstalled() {
  if (existsSync(dirname(stamp))) writeFileSync(stamp, hashOf(['package-lock.json']));
}

/** How many packages of the lock file, without those of other systems, npm has written. */
function describeInstalled() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const libc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  const fits = (list, own) => !list || list.includes(own);
  const names = Object.entries(packages)
    .filter(([name, { link }]) => name.includes('node_modules/') && !link)
    .filter(([, each]) => fits(each.os, process.platform) && fits(each.cpu, process.arch))
    .filter(([, each]) => process.platform !== 'linux' || fits(each.libc, libc))
    .map(([name]) => name);
  const written = names.filter((name) => existsSync(join(root, name, 'package.json')));
  return `${written.length} of ${names.length} packages, `;
}

/** Installs the dependencies when they are missing or the lock file has changed. */
export async function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    giveUp(`Diwan needs Node 20.19 or newer; this is ${process.versions.node}`);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(['package-lock.json'])) return;
  const options = ['--no-progress', '--no-audit', '--no-fund', '--loglevel=error'];
  await runLong('Installing dependencies', 'npm', ['ci', ...options], describeInstalled);
  markInstalled();
}

/** Builds a part of the product into a folder when its sources changed since the last build. */
async function ensurePartBuilt(part, folder, { sources, commands }) {
  const built = join(folder, '.built-from');
  const hash = hashOf(sources);
  if (existsSync(built) && readFileSync(built, 'utf8') === hash) return;
  for (const [index, command] of commands.entries()) {
    const count = commands.length > 1 ? ` (${index + 1} of ${commands.length})` : '';
    await runLong(`Building the ${part}${count}`, process.execPath, command);
  }
  writeFileSync(built, hash);
}

/** Builds the server and the portal when their sources changed since the last build. */
export async function ensureBuilt() {
  await ensureServerBuilt();
  await ensurePartBuilt('portal', process.env.PORTAL_DIR || join(root, 'web', 'dist'), {
    sources: [
      'package-lock.json',
      'package.json',
      'web/index.html',
      'web/vite.config.ts',
      'web/vite.server.config.ts',
      ...sourcesBelow('web/build'),
      ...sourcesBelow('web/src'),
      ...sourcesBelow('web/public'),
      ...sourcesBelow('contract/src'),
    ],
    // The second one writes the first screens for the server: decision 0048.
    commands: [
      [vite, 'build', 'web', '--logLevel', 'warn'],
      [vite, 'build', 'web', '--config', 'web/vite.server.config.ts', '--logLevel', 'warn'],
    ],
  });
}

/** Builds the server when its sources changed since the last build. */
export async function ensureServerBuilt() {
  await ensurePartBuilt('server', join(root, 'api', 'dist'), {
    sources: [
      'package-lock.json',
      'scripts/build-server.mjs',
      ...sourcesBelow('api/src'),
      ...sourcesBelow('contract/src'),
    ],
    commands: [['scripts/build-server.mjs']],
  });
}
