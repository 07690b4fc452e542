import { existsSync } from 'node:fs';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, mergeConfig } from 'vitest/config';
import portal from './vite.config.ts';

const chromium = [process.env.CHROMIUM, '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
);

// Tests of components and pages, in the browser that the journeys use. Each file has an own page.
export default mergeConfig(
  portal,
  defineConfig({
    test: {
      name: 'browser',
      include: ['src/**/*.test.tsx'],
      setupFiles: ['src/testing/browser-setup.ts'],
      testTimeout: 15_000,
      // React Router says so in development before it has loaded a page.
      onConsoleLog: (text) => !text.includes('Matched leaf route'),
      expect: { poll: { timeout: 5000 } },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        viewport: { width: 1280, height: 800 },
        provider: playwright({
          actionTimeout: 5000,
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
