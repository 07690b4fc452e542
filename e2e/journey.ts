import { expect, test as plain } from '@playwright/test';
import { compareStored } from './stored-names.ts';

export { expect } from '@playwright/test';

/** Whether every page is tried, and axe at each step: the project `acceptance`. */
export const isEveryPage = () => plain.info().project.name === 'acceptance';

/**
 * Compares what the browsers of a journey hold with the page about storage, and closes all pages: an
 * open page would send calls and play videos during the next journeys.
 */
export const test = plain.extend<{ closesPages: undefined }>({
  closesPages: [
    async ({ browser }, use) => {
      await use(undefined);
      const { seen, unlisted } = await compareStored(browser);
      plain.info().annotations.push({ type: 'stored', description: seen.join(', ') });
      await Promise.all(browser.contexts().map((context) => context.close()));
      expect(unlisted, 'what contract/src/portal/browser-storage.ts does not list').toEqual([]);
    },
    { auto: true },
  ],
});
