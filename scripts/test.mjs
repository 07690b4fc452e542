// npm test: the checks, the tests beside the code, and the journeys in a real browser, from a fresh
// clone. With `--crashes`, as .ci/run calls it, the crash tests follow.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './install.mjs';
import { ensureProgram } from './programs.mjs';

ensureInstalled();
const chromium = ensureProgram('chromium');
ensureBuilt();

const results = mkdtempSync(join(tmpdir(), 'diwan-results-'));
const began = Date.now();
const total = { passed: 0, failed: 0 };
/** The parts that failed; the runners say what failed in them. */
const failedParts = [];

const secondsSince = (start) => Math.round((Date.now() - start) / 1000);
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Runs one part of the tests. `count` reads the passed and failed tests from its result file. */
function run(name, { command, args, env = {}, count }) {
  const started = Date.now();
  const file = join(results, `${name}.json`);
  console.log(`\n== ${name}`);
  const { status } = spawnSync(command, args(file), {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CHROMIUM: chromium, ...env, JOURNEYS_RESULT: file },
  });
  let [passed, failed] = [0, 0];
  try {
    [passed, failed] = count(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    console.error(`${name} left no result`);
  }
  // A runner that fails without a failed test, for example because a file could not be loaded, is a
  // failure.
  if (status !== 0) failed = Math.max(failed, 1);
  if (failed > 0) failedParts.push(name);
  total.passed += passed;
  total.failed += failed;
  console.log(`== ${name}: ${secondsSince(started)} s`);
}

const runVitest = (name, ...projects) =>
  run(name, {
    command: bin('vitest'),
    args: (file) => [
      'run',
      ...projects.map((project) => `--project=${project}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    count: ({ numPassedTests, numFailedTests }) => [numPassedTests, numFailedTests],
  });

// The product of the journeys starts while the tests wait; alone it would use one of two cores for
// half a minute. Playwright starts it again when it is gone. The default is that of e2e/server.ts.
const journeysPort = process.env.JOURNEYS_PORT ?? '3900';
function startProduct() {
  const product = spawn(process.execPath, ['e2e/serve-journeys.mjs', journeysPort], {
    cwd: root,
    stdio: 'ignore',
  });
  const ended = once(product, 'exit');
  return async () => {
    product.kill('SIGINT');
    await ended;
  };
}

const { status } = spawnSync(process.execPath, ['scripts/check.mjs'], {
  cwd: root,
  stdio: 'inherit',
});
total[status === 0 ? 'passed' : 'failed'] += 1;
if (status !== 0) failedParts.push('check');
const stopProduct = startProduct();
runVitest('tests', 'api', 'web', 'browser');
run('journeys', {
  command: bin('playwright'),
  args: () => ['test'],
  env: { JOURNEYS_PORT: journeysPort, JOURNEYS_STARTED: 'on' },
  count: ({ stats }) => [stats.expected, stats.unexpected],
});
await stopProduct();
console.log(`\nTime of npm test: ${secondsSince(began)} s`);
if (process.argv.includes('--crashes')) {
  runVitest('crashes', 'crashes');
  console.log(`\nTime with the crash tests: ${secondsSince(began)} s`);
}

rmSync(results, { recursive: true, force: true });
if (failedParts.length > 0) console.log(`Failed: ${failedParts.join(', ')}. See above.`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
