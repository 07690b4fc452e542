import '../ui/theme/theme.css';
import * as React from 'react';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { cleanup } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import type { Language } from '@diwan/contract/wire/languages';
import { queryClient } from '../lib/api/query-client.ts';
import { storeToken } from '../lib/api/session.ts';
import { clearToasts } from '../lib/browser/toasts.ts';
import { loadTexts } from '../lib/i18n/load-texts.ts';
import { onLanguageChange, startTranslations } from '../lib/i18n/translate.ts';
import { answerFetchInTests } from './answer-calls.ts';
import { answerHubsInTests } from './answer-hubs.ts';
import { applyLanguage, useLanguageOfTest } from './render-page.tsx';

/** Every text is loaded once, so that no test waits for a file. */
const namespaces = Object.keys(import.meta.glob('../../public/locales/en-US/*.json')).map((path) =>
  path.replace(/^.*\/|\.json$/g, ''),
);

// Loading the page again would end the test.
vi.mock('../lib/page/reload.ts', () => ({
  reload: vi.fn(),
  reloadOnce: vi.fn(() => true),
}));

// A test is a browser with one tab. `e2e/two-tabs.journey.ts` opens several.
Reflect.deleteProperty(window, 'BroadcastChannel');

// React in development reads the stack where each element is made, for ten thousand elements a second.
// It stops at this number, which it sets to 0 again and again.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } =
  React as unknown as Record<string, object>;
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  configurable: true,
  get: () => 10_000,
  set() {
    // It stays.
  },
});

const desktop = { width: 1280, height: 800 };

// The page asks again as often as in production, but immediately.
const { queries } = queryClient.getDefaultOptions();
queryClient.setDefaultOptions({ queries: { ...queries, retryDelay: 1 } });

/** What React and the product reported as an error; refusals are objects and not collected. */
const reported: string[] = [];
const { error: printError } = console;
console.error = (...parts: unknown[]) => {
  if (typeof parts[0] === 'string') reported.push(parts.map(String).join(' '));
  printError(...parts);
};

answerFetchInTests();
answerHubsInTests();
beforeAll(async () => {
  await startTranslations('ar-EG', {
    namespaces,
    load: (language, namespace) => loadTexts(language as Language, namespace),
  });
  onLanguageChange(applyLanguage);
});
beforeEach(() => useLanguageOfTest('ar-EG'));
afterEach(async () => {
  await cleanup();
  vi.clearAllMocks();
  clearToasts();
  queryClient.clear();
  storeToken(null);
  window.sessionStorage.clear();
  window.localStorage.clear();
  if (window.innerWidth !== desktop.width) await page.viewport(desktop.width, desktop.height);
  expect(reported.splice(0), 'errors in the console').toEqual([]);
});
