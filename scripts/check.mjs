// npm run check: types, lint, translation keys. All are run; the first that fails decides the exit
// code.
import { spawnSync } from 'node:child_process';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const checks = [
  ['types of the contract', 'tsc', ['-p', 'contract']],
  ['types of the api', 'tsc', ['-p', 'api']],
  ['types of the web', 'tsc', ['-p', 'web']],
  ['types of the journeys', 'tsc', ['-p', 'e2e']],
  ['layout (npm run format)', 'oxfmt', ['--check']],
  ['lint', 'oxlint', ['--deny-warnings', '--quiet']],
  ['the house', process.execPath, ['scripts/check-house.mjs']],
  ['translations', process.execPath, ['scripts/check-locales.mjs']],
];
const failed = [];
for (const [name, command, args] of checks) {
  const { status, stdout, stderr } = spawnSync(
    command === process.execPath ? command : `node_modules/.bin/${command}`,
    args,
    { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
  );
  if (status === 0) continue;
  failed.push(name);
  console.error(`${name}:\n${stdout}${stderr}`);
}
console.log(failed.length === 0 ? 'check: all well' : `check: ${failed.join(', ')} failed`);
process.exit(failed.length === 0 ? 0 : 1);
