// npm test: the rules, the tests beside the code, and the journeys in a real browser, from a fresh
// clone.
import { spawnSync } from 'node:child_process';
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
const counts = { passed: 0, failed: 0 };
// Named again at the very end, where somebody who sees only the last lines finds them.
const named = [];

function step(name, command, args, env, read) {
  const started = Date.now();
  console.log(`\n== ${name}`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  let counted = { passed: 0, failed: 0 };
  try {
    const { names = [], ...numbers } = read(status);
    counted = numbers;
    named.push(...names);
  } catch {
    console.error(`${name} left no result`);
  }
  // A runner that fails without a failed test (it could not start, say) is a failure all the same.
  if (status !== 0 && counted.failed === 0) {
    counted = { ...counted, failed: 1 };
    named.push(`failed: ${name}, status ${status}`);
  }
  counts.passed += counted.passed;
  counts.failed += counted.failed;
  console.log(`== ${name}: ${Math.round((Date.now() - started) / 1000)} s`);
}

const readJson = (file) => JSON.parse(readFileSync(join(results, file), 'utf8'));
const bin = (name) => join(root, 'node_modules', '.bin', name);

step('rules', process.execPath, ['scripts/check.mjs'], {}, (status) => ({
  passed: status === 0 ? 1 : 0,
  failed: status === 0 ? 0 : 1,
}));
step(
  'tests',
  bin('vitest'),
  [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(results, 'vitest.json')}`,
  ],
  {},
  () => {
    const { numPassedTests, numFailedTests, testResults } = readJson('vitest.json');
    const names = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName }) => `failed: ${relative(root, name)}: ${fullName}`),
    );
    return { passed: numPassedTests, failed: numFailedTests, names };
  },
);
step(
  'journeys',
  bin('playwright'),
  ['test'],
  { CHROMIUM: chromium, JOURNEYS_RESULT: join(results, 'journeys.json') },
  () => {
    const { stats, suites } = readJson('journeys.json');
    const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
    const words = { unexpected: 'failed', flaky: 'passed at the second try' };
    const names = suites
      .flatMap(specsOf)
      .flatMap((spec) =>
        spec.tests.flatMap(({ status }) =>
          words[status] ? [`${words[status]}: ${spec.file}: ${spec.title}`] : [],
        ),
      );
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected, names };
  },
);

rmSync(results, { recursive: true, force: true });
console.log(`\n${named.join('\n')}\nAll of it took ${Math.round((Date.now() - began) / 1000)} s`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);
