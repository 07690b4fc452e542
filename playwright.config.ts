import { defineConfig } from '@playwright/test';
import { journeysPort, journeysSandboxPort, startJourneys } from './e2e/server.ts';

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

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.journey.ts',
  // What these three try is also tried by tests of components and by `npm run accessibility`: only
  // `npm run acceptance` runs them.
  testIgnore: ['acceptance/**', '{dashboards,forms,suggestions}.journey.ts'],
  outputDir: 'test-results',
  timeout: 90_000,
  expect: { timeout: 10_000 },
  // Journeys wait for the network and for animations: four workers use two cores better than two.
  workers: 4,
  retries: 0,
  fullyParallel: true,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.JOURNEYS_RESULT ?? 'test-results/journeys.json' }],
  ],
  webServer: {
    command: startJourneys,
    // The journeys add users and a service; the service is the last of them: serve-journeys.mjs.
    url: `http://localhost:${journeysPort}/api/Service/GetServiceIdByServiceName?serviceName=every-kind-of-field`,
    timeout: 240_000,
    // `npm test` starts it beside the tests.
    reuseExistingServer: process.env.JOURNEYS_STARTED === 'on',
    gracefulShutdown: { signal: 'SIGINT', timeout: 15_000 },
    stdout: 'ignore',
  },
  use: {
    baseURL: `http://localhost:${journeysPort}`,
    // Recording every step costs a quarter of the time; use TRACE=on to analyse a failure.
    trace: process.env.TRACE === 'on' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
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
  metadata: { sandbox: journeysSandboxPort },
});
