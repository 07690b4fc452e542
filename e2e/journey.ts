import { test as plain } from '@playwright/test';

export { expect } from '@playwright/test';

/** Whether every page is tried, and axe at each step: the project `acceptance`. */
export const isEveryPage = () => plain.info().project.name === 'acceptance';

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
