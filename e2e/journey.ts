import { test as plain } from '@playwright/test';

export { expect } from '@playwright/test';

/**
 * A journey that leaves no page open: what one leaves would go on asking, turning and playing
 * beside all that follow.
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
