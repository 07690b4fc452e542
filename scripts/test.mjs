// npm test: the checks, the tests beside the code, and the journeys in a real browser, from a fresh
// clone. With `--all`, as .ci/run calls it, the tests of every call and of every page, the crash tests
// and the check of deploy/ follow.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { ensureBuilt, ensureInstalled, root } from './install.mjs';
import { ensureProgram } from './programs.mjs';

await ensureInstalled();
const chromium = ensureProgram('chromium');
await ensureBuilt();

const results = mkdtempSync(join(tmpdir(), 'diwan-results-'));
const began = Date.now();
let passed = 0;
/** What failed, a line each. They are printed again at the end, where a shortened log still has them. */
const failures = [];
/** What passed only at the second try: a defect of the test or of the product. */
const unsteady = [];

const secondsSince = (start) => Math.round((Date.now() - start) / 1000);
const bin = (name) => join(root, 'node_modules', '.bin', name);

/**
 * Runs one part of the tests. `read` takes what passed and what failed from its result file. The name
 * is before each line that the part prints, because another part may print beside it.
 */
async function run(name, { command, args, read }) {
  const started = Date.now();
  const file = join(results, `${name}.json`);
  console.log(`== ${name}`);
  const part = spawn(command, args(file), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CHROMIUM: chromium, JOURNEYS_RESULT: file },
  });
  for (const stream of [part.stdout, part.stderr])
    createInterface(stream).on('line', (line) => console.log(`${name.padEnd(10)} ${line}`));
  const [status] = await once(part, 'close').catch((error) => [error.message]);
  let result = { passed: 0, failed: [], unsteady: [] };
  try {
    result = read(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    console.error(`${name} left no result`);
  }
  // A runner that fails without a failed test, for example because a file could not be loaded, is a
  // failure.
  if (status !== 0 && result.failed.length === 0) result.failed.push('the runner itself');
  failures.push(...result.failed.map((failure) => `${name}: ${failure}`));
  unsteady.push(...result.unsteady.map((test) => `${name}: ${test}`));
  passed += result.passed;
  console.log(`== ${name}: ${secondsSince(started)} s`);
}

/** A failure in one line: where, what, and the first line of why. */
const lineOf = (file, test, message = '') =>
  stripVTControlCharacters(
    `${relative(root, file)} > ${test}: ${message.trim().split('\n', 1)[0]}`,
  );

/** The journeys of a file, or of a group in it, that ended so. */
const journeysThat = (status, { file, specs = [], suites = [] }) => [
  ...specs
    .filter(({ tests }) => tests.some((test) => test.status === status))
    .map(({ title, tests }) => {
      const { error } = tests[0].results[0];
      return lineOf(join(root, 'e2e', file), title, error?.message);
    }),
  ...suites.flatMap((suite) => journeysThat(status, suite)),
];

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
    read: ({ numPassedTests, testResults }) => ({
      passed: numPassedTests,
      failed: testResults.flatMap((file) => {
        const tests = file.assertionResults.filter((test) => test.status === 'failed');
        if (file.status === 'failed' && tests.length === 0)
          return [lineOf(file.name, 'the file', file.message)];
        return tests.map((test) => lineOf(file.name, test.fullName, test.failureMessages[0]));
      }),
      unsteady: testResults.flatMap((file) =>
        file.assertionResults
          .filter((test) => test.status === 'passed' && test.failureMessages.length > 0)
          .map((test) => lineOf(file.name, test.fullName, test.failureMessages[0])),
      ),
    }),
  });

const runJourneys = (project) =>
  run(project, {
    command: bin('playwright'),
    args: () => ['test', `--project=${project}`],
    read: ({ suites, stats }) => ({
      passed: stats.expected + stats.flaky,
      failed: suites.flatMap((file) => journeysThat('unexpected', file)),
      unsteady: suites.flatMap((file) => journeysThat('flaky', file)),
    }),
  });

/** A script that counts as one test. */
function runScript(name, script) {
  const { status } = spawnSync(process.execPath, [script], { cwd: root, stdio: 'inherit' });
  if (status === 0) passed += 1;
  else failures.push(`${name}: see above`);
}

runScript('check', 'scripts/check.mjs');
// Two at a time: each waits for timers, pages and the database much of its time, and would use one of
// two cores. What needs a browser takes about as long as what needs none.
async function runBrowser() {
  await runVitest('browser', 'browser');
  await runJourneys('journeys');
}
await Promise.all([runVitest('server', 'api', 'web'), runBrowser()]);
console.log(`\nTime of npm test: ${secondsSince(began)} s`);
if (process.argv.includes('--all')) {
  await Promise.all([runVitest('every-call', 'every-call'), runJourneys('every-page')]);
  await runVitest('crashes', 'crashes');
  runScript('deploy', 'tools/deploy/check-deploy.mjs');
  console.log(`\nTime of all: ${secondsSince(began)} s`);
}

rmSync(results, { recursive: true, force: true });
if (unsteady.length > 0) console.log(`Passed at the second try:\n  ${unsteady.join('\n  ')}`);
if (failures.length > 0) console.log(`Failed:\n  ${failures.join('\n  ')}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 && passed > 0 ? 0 : 1);
