import { existsSync } from 'node:fs';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, mergeConfig } from 'vitest/config';
import portal from './vite.config.ts';

const chromium = [process.env.CHROMIUM, '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
);

// Tests of components and pages, in the browser that the journeys use.
export default mergeConfig(
  portal,
  defineConfig({
    // All packages are prepared before the first test: a package that is found later reloads the page
    // in the middle of a test.
    optimizeDeps: {
      entries: ['src/**/*.{ts,tsx}', '!src/entry-server.tsx'],
      // React in development describes every element and update to the browser's profiler, if it has
      // these functions: a twelfth of the processor time of these tests.
      rolldownOptions: {
        transform: {
          define: { 'console.createTask': 'undefined', 'console.timeStamp': 'undefined' },
        },
      },
    },
    test: {
      name: 'browser',
      include: ['src/**/*.test.tsx'],
      setupFiles: ['src/testing/browser-setup.ts'],
      // The files share a page, which loads each module once. The setup restores all state after
      // each test.
      isolate: false,
      // After the tests in Node, where one run has both. The tests wait for the page much of the time.
      sequence: { groupOrder: 1 },
      maxWorkers: 3,
      testTimeout: 60_000,
      // `npm test` names what passed at the second try.
      retry: 1,
      expect: { poll: { timeout: 15_000 } },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        viewport: { width: 1280, height: 800 },
        provider: playwright({
          actionTimeout: 15_000,
          launchOptions: {
            executablePath: chromium,
            args: [
              ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
              '--disable-gpu',
              '--disable-background-networking',
            ],
          },
          contextOptions: { reducedMotion: 'reduce', locale: 'ar-AE', timezoneId: 'Asia/Dubai' },
        }),
        instances: [{ browser: 'chromium' }],
      },
    },
  }),
);
