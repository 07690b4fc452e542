import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type Project } from '@playwright/test';
import { portalUrl, runningProduct, startJourneys } from './e2e/server.ts';

const isRoot = process.getuid?.() === 0;

// Playwright's own list (1.65, chromiumSwitches), which this argument replaces, and the popups of
// the address bar: Chromium creates each as a page for every window, which costs 0.7 s of processor
// time.
const withoutFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

// The shell is Chromium without windows: it needs half the processor time. `npm test` installs it.
const executablePath =
  process.env.CHROMIUM ??
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'].find((path) =>
    existsSync(path),
  );
const sandbox = isRoot ? ['--no-sandbox'] : [];

// Without --project only the journeys run.
const onlyByName = process.argv.some((argument) => argument.startsWith('--project'))
  ? {}
  : { testIgnore: '**' };

const measurement = (name: string, own: Partial<Project> = {}): Project => ({
  name,
  testMatch: `measure/${name}.measure.ts`,
  ...onlyByName,
  ...own,
});

/** Times and bytes: one page at a time, in a browser as Playwright starts it. */
const alone: Partial<Project> = {
  workers: 1,
  timeout: 30 * 60_000,
  use: { launchOptions: { executablePath, args: sandbox }, screenshot: 'off' },
};

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  timeout: 90_000,
  // `npm test` runs the tests of the server beside the journeys.
  expect: { timeout: 20_000 },
  // Journeys wait for the network and for animations: beside those tests, three workers use two cores.
  workers: Math.max(3, Math.ceil(availableParallelism() / 2)),
  retries: 0,
  fullyParallel: true,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.JOURNEYS_RESULT ?? 'test-results/journeys.json' }],
    ['./e2e/measure/reporter.ts'],
    ['./e2e/stored-names-reporter.ts'],
  ],
  projects: [
    {
      name: 'journeys',
      // `npm test` names what passed at the second try.
      retries: 1,
      testMatch: '*.journey.ts',
      testIgnore: ['acceptance/**', 'every-page/**'],
      grepInvert: /@acceptance/,
    },
    // A third of the time of all journeys, so .ci/run runs them after npm test.
    { name: 'every-page', retries: 1, testMatch: 'every-page/*.journey.ts', ...onlyByName },
    // All journeys, with every page and axe at each step, and long ones. What some of them try is also
    // tried by tests of components and by the project `accessibility`.
    { name: 'acceptance', testMatch: '*.journey.ts', timeout: 180_000, ...onlyByName },
    measurement('screenshots', { use: { screenshot: 'off' } }),
    measurement('accessibility'),
    // The product counts, not the speed of the machine.
    measurement('count-steps', { expect: { timeout: 20_000 } }),
    measurement('first-view', alone),
    measurement('download', alone),
    measurement('lighthouse', alone),
  ],
  webServer: runningProduct
    ? undefined
    : {
        command: startJourneys,
        // The journeys add users and a service; the service is the last of them: serve-journeys.mjs.
        url: `${portalUrl}/api/Service/GetServiceIdByServiceName?serviceName=every-kind-of-field`,
        timeout: 240_000,
        gracefulShutdown: { signal: 'SIGINT', timeout: 15_000 },
        stdout: 'ignore',
      },
  use: {
    baseURL: portalUrl,
    // Recording every step costs a quarter of the time; use TRACE=on to analyse a failure.
    trace: process.env.TRACE === 'on' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      args: [
        ...sandbox,
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${withoutFeatures.join(',')}`,
      ],
    },
  },
});
