// Long journeys that npm test does not run, and those over all pages, of which npm test tries a part:
// npm run acceptance.
import { defineConfig } from '@playwright/test';
import base from './playwright.config.ts';

process.env.EVERY_PAGE = 'yes';

export default defineConfig({
  ...base,
  testMatch: ['acceptance/*.journey.ts', '{access,pages,two-tabs}.journey.ts'],
  testIgnore: [],
  timeout: 180_000,
  reporter: [['list']],
});
