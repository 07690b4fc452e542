import { test as plain } from '@playwright/test';

export { expect } from '@playwright/test';

/**
 * Closes all pages at the end of a journey: an open page would send calls and play videos during
 * the next ones.
 */
export const test = plain.extend<{ closesPages: undefined }>({
  closesPages: [
    async ({ browser }, use) => {
      await use(undefined);
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
});
