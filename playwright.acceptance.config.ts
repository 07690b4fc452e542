// Long journeys that npm test does not run, and all others with what it leaves out of them: every page
// and axe at each step. npm run acceptance.
import { defineConfig } from '@playwright/test';
import base from './playwright.config.ts';

process.env.EVERY_PAGE = 'yes';

export default defineConfig({
  ...base,
  testIgnore: [],
  timeout: 180_000,
  reporter: [['list']],
});
