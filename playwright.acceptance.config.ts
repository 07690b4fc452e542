// Long journeys that npm test does not run: npm run acceptance.
import { defineConfig } from '@playwright/test';
import base from './playwright.config.ts';

export default defineConfig({
  ...base,
  testDir: 'e2e/acceptance',
  testIgnore: [],
  timeout: 180_000,
  reporter: [['list']],
});
