// npm test: the checks, the tests beside the code, and the journeys in a real browser, from a fresh
// clone.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { ensureBuilt, ensureInstalled, root } from './install.mjs';

ensureInstalled();
const chromium = ensureChromium();
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
  const failed = status !== 0 && result.failed === 0 ? 1 : result.failed;
  if (failed !== result.failed) failures.push(`failed: ${name}, status ${status}`);
  total.passed += result.passed;
  total.failed += failed;
  console.log(`== ${name}: ${secondsSince(started)} s`);
}

const readJson = (file) => JSON.parse(readFileSync(join(results, file), 'utf8'));
const bin = (name) => join(root, 'node_modules', '.bin', name);

function readVitest() {
  const { numPassedTests, numFailedTests, testResults } = readJson('vitest.json');
  const pathOf = (name) => relative(root, name);
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    failures: testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName }) => `failed: ${pathOf(name)}: ${fullName}`),
    ),
    durations: testResults.map(({ name, startTime, endTime }) => ({
      file: pathOf(name),
      seconds: (endTime - startTime) / 1000,
    })),
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
  args: [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(results, 'vitest.json')}`,
  ],
  // `npm run test:crashes` runs the others.
  env: { CHROMIUM: chromium, SKIP_CRASH_TESTS: 'on' },
  read: readVitest,
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
