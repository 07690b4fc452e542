// npm test: the checks, the tests beside the code, and the journeys in a real browser, from a fresh
// clone.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ensureBuilt, ensureInstalled, root } from './install.mjs';
import { ensureProgram } from './programs.mjs';

ensureInstalled();
const chromium = ensureProgram('chromium');
ensureBuilt();

const results = mkdtempSync(join(tmpdir(), 'diwan-results-'));
const began = Date.now();
const total = { passed: 0, failed: 0 };
/** Printed at the very end. */
const failures = [];
/** The seconds of each test file: {file, seconds}. */
const durations = [];

const secondsSince = (start) => Math.round((Date.now() - start) / 1000);

/**
 * Runs one part of the tests. `read` returns its counts, the names of its failures and the
 * durations of its files, from its exit status.
 */
function run(name, { command, args, env = {}, read }) {
  const started = Date.now();
  console.log(`\n== ${name}`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  let result = { passed: 0, failed: 0 };
  try {
    result = read(status);
    failures.push(...(result.failures ?? []));
    durations.push(...(result.durations ?? []));
  } catch {
    console.error(`${name} left no result`);
  }
  // A runner that fails without a failed test (for example because it did not start) counts as a
  // failure.
  const isBroken = status !== 0 && !result.isLoadedAgain && result.failed === 0;
  const failed = isBroken ? 1 : result.failed;
  if (isBroken) failures.push(`failed: ${name}, status ${status}`);
  total.passed += result.passed;
  total.failed += failed;
  console.log(`== ${name}: ${secondsSince(started)} s`);
}

const readJson = (file) => JSON.parse(readFileSync(join(results, file), 'utf8'));
const bin = (name) => join(root, 'node_modules', '.bin', name);

const vitestArguments = (resultFile, files = []) => [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${join(results, resultFile)}`,
  ...files,
];
// `npm run test:crashes` runs the others.
const vitestEnvironment = { CHROMIUM: chromium, SKIP_CRASH_TESTS: 'on' };

const pathOf = (name) => relative(root, name);
const isFailed = ({ status }) => status === 'failed';
/** Whether a test file failed without a failed test: it could not be loaded, or a hook failed. */
const hasNoFailedTest = (testFile) =>
  isFailed(testFile) && !testFile.assertionResults.some(isFailed);

function readVitest(resultFile) {
  const { numPassedTests, testResults } = readJson(resultFile);
  const failures = testResults.flatMap(({ name, ...testFile }) => [
    ...testFile.assertionResults
      .filter(isFailed)
      .map(({ fullName }) => `failed: ${pathOf(name)}: ${fullName}`),
    ...(hasNoFailedTest(testFile) ? [`failed: ${pathOf(name)}: ${testFile.message}`] : []),
  ]);
  return {
    passed: numPassedTests,
    failed: failures.length,
    failures,
    durations: testResults.map(({ name, startTime, endTime }) => ({
      file: pathOf(name),
      seconds: (endTime - startTime) / 1000,
    })),
  };
}

/**
 * Runs test files once more that had no test because they could not be loaded: a browser loses a
 * module of the development server now and then. A failed test never runs again.
 */
function loadAgain(status) {
  const first = readVitest('vitest.json');
  const unloaded = readJson('vitest.json').testResults.filter(
    (testFile) => hasNoFailedTest(testFile) && testFile.assertionResults.length === 0,
  );
  if (status === 0 || unloaded.length === 0) return first;
  for (const { name, message } of unloaded)
    console.log(`\n== ${pathOf(name)} is loaded again: ${message}`);
  spawnSync(
    bin('vitest'),
    vitestArguments(
      'again.json',
      unloaded.map(({ name }) => pathOf(name)),
    ),
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...vitestEnvironment },
    },
  );
  const again = readVitest('again.json');
  const paths = unloaded.map(({ name }) => `failed: ${pathOf(name)}: `);
  const kept = first.failures.filter((line) => !paths.some((path) => line.startsWith(path)));
  return {
    isLoadedAgain: true,
    passed: first.passed + again.passed,
    failed: kept.length + again.failed,
    failures: [...kept, ...again.failures],
    durations: [...first.durations, ...again.durations],
  };
}

function readJourneys() {
  const { stats, suites } = readJson('journeys.json');
  const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
  const specs = suites.flatMap(specsOf);
  const seconds = new Map();
  for (const { file, tests } of specs) {
    const milliseconds = tests
      .flatMap((test) => test.results)
      .reduce((sum, { duration }) => sum + duration, 0);
    seconds.set(file, (seconds.get(file) ?? 0) + milliseconds / 1000);
  }
  return {
    passed: stats.expected,
    failed: stats.unexpected,
    failures: specs.flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected')
        .map(() => `failed: e2e/${file}: ${title}`),
    ),
    durations: [...seconds].map(([file, sum]) => ({ file: `e2e/${file}`, seconds: sum })),
  };
}

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

run('checks', {
  command: process.execPath,
  args: ['scripts/check.mjs'],
  read: (status) => ({ passed: Number(status === 0), failed: Number(status !== 0) }),
});
const stopProduct = startProduct();
run('tests', {
  command: bin('vitest'),
  args: vitestArguments('vitest.json'),
  env: vitestEnvironment,
  read: loadAgain,
});
run('journeys', {
  command: bin('playwright'),
  args: ['test'],
  env: {
    CHROMIUM: chromium,
    JOURNEYS_PORT: journeysPort,
    JOURNEYS_STARTED: 'on',
    JOURNEYS_RESULT: join(results, 'journeys.json'),
  },
  read: readJourneys,
});
await stopProduct();

rmSync(results, { recursive: true, force: true });
console.log('\nThe slowest test files:');
for (const { file, seconds } of durations.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
console.log(`\n${failures.join('\n')}\nTotal time: ${secondsSince(began)} s`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
