// npm run check: types, layout, lint, structure, sources, translations. All checks run, as many at
// a time as there are processors; one that fails decides the exit code.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { ensureInstalled, root } from './install.mjs';

await ensureInstalled();
const cache = 'node_modules/.cache/tsc';
/**
 * The command that checks types; results of unchanged files come from a cache. Several threads
 * would work out the same types again: twice the processor time.
 */
const typesOf = (project) => [
  'tsc',
  [
    '-p',
    project,
    '--singleThreaded',
    '--incremental',
    '--tsBuildInfoFile',
    `${cache}/${project}.tsbuildinfo`,
  ],
];
// The slowest first.
const checks = [
  ['types of the api and the benchmarks', ...typesOf('bench')],
  ['types of the journeys', ...typesOf('e2e')],
  ['types of the web', ...typesOf('web')],
  [
    'lint',
    'oxlint',
    ['--deny-warnings', '--quiet', '--threads=1', '--report-unused-disable-directives'],
  ],
  ['texts beside other content', process.execPath, ['tools/check/loose-texts.mjs']],
  ['structure', process.execPath, ['tools/check/structure.mjs']],
  ['layout (npm run format)', 'oxfmt', ['--check']],
  ['types of the contract', ...typesOf('contract')],
  ['sources', process.execPath, ['tools/check/sources.mjs']],
  ['migrations', process.execPath, ['tools/check/migrations.mjs']],
  ['database schema', process.execPath, ['tools/check/database-schema.mjs']],
  ['database types', process.execPath, ['tools/check/database-types.mjs', '--check']],
  ['service forms', process.execPath, ['--import', 'tsx', 'tools/check/service-forms.ts']],
  ['translations', process.execPath, ['tools/check/locales.mjs']],
];
const failed = [];

function run([name, command, args]) {
  return new Promise((resolve) => {
    const started = spawn(
      command === process.execPath ? command : `node_modules/.bin/${command}`,
      args,
      { cwd: root, shell: process.platform === 'win32' },
    );
    let output = '';
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk) => (output += chunk));
    started.on('error', (error) => (output += error.message));
    started.on('close', (status) => {
      if (status !== 0) {
        failed.push(name);
        console.error(`${name}:\n${output}`);
      }
      resolve();
    });
  });
}

async function runNext() {
  for (let check = checks.shift(); check; check = checks.shift()) await run(check);
}
await Promise.all(Array.from({ length: availableParallelism() }, runNext));
console.log(failed.length === 0 ? 'check: passed' : `check: ${failed.join(', ')} failed`);
process.exit(failed.length === 0 ? 0 : 1);
