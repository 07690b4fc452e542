import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import { render } from 'vitest-browser-react';
import type { Locator } from 'vitest/browser';
import type { SessionClaims } from '@diwan/contract/people/users';
import type { Role } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { queryClient } from '../lib/api/query-client.ts';
import { storeToken } from '../lib/api/session.ts';
import { setRouter } from '../lib/browser/navigation.ts';
import { localeOf } from '../lib/i18n/language.ts';
import { currentLanguage, setLanguage } from '../lib/i18n/language.ts';
import { setReactAriaLocale } from '../lib/i18n/react-aria-locale.ts';
import { applyToDocument } from '../lib/i18n/stored-language.ts';
import { formatPath } from '../lib/router/location.ts';
import { Outlet, RouterProvider } from '../lib/router/router-provider.tsx';
import { createRouter, type Router } from '../lib/router/router.ts';
import { Pages, createPortalRouter } from '../routes.tsx';
import { ErrorPage } from '../shell/error-page.tsx';
import { createMemoryHistory } from './memory-history.ts';

/** Shows what follows in another language; Arabic is the default of each test. */
export async function useLanguageOfTest(language: Language): Promise<void> {
  await setLanguage(language);
  applyLanguage();
}

/** As `portal.tsx` does after each change of the language. */
export function applyLanguage(): void {
  applyToDocument(currentLanguage());
  setReactAriaLocale(localeOf(currentLanguage()));
}

function textOf(node: Node): string {
  if (node instanceof Element && node.ariaHidden === 'true') return '';
  if (node instanceof Element && node.ariaLabel !== null) return node.ariaLabel;
  return node.childNodes.length > 0
    ? [...node.childNodes].map(textOf).join(' ')
    : (node.textContent ?? '');
}

/** The names of controls as screen readers read them, in the order of the page. */
export const namesOf = (controls: Locator): string[] =>
  controls.elements().map((element) => textOf(element).replaceAll(/\s+/g, ' ').trim());

const encode = (value: unknown) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
    .replaceAll('+', '-')
    .replaceAll('/', '_');

/** The token of a made-up person. It is not signed: no server reads it in these tests. */
export function tokenOf(role: Role, person: Partial<SessionClaims & { iat: number }> = {}): string {
  const fullName = person.fullName ?? 'Salem Al Ketbi';
  return `${encode({ alg: 'none' })}.${encode({
    ssid: 'session',
    displayName: fullName,
    fullName,
    isServiceProvider: role === 'ServiceProvider',
    exp: Math.floor(Date.now() / 1000) + 600,
    ...(role === 'Client' ? {} : { role }),
    ...person,
  })}.x`;
}

export function signInAs(role: Role, person?: Partial<SessionClaims>): void {
  storeToken(tokenOf(role, person));
}

/** The code of a page is loaded: this takes seconds when it is the first test that opens it. */
const waitForPage = (router: Router) =>
  vi.waitUntil(() => router.state.initialized, { timeout: 10_000, interval: 5 });

/** Renders a component with what the portal's root gives to every page, at `/` of a memory router. */
export async function renderComponent(element: ReactNode, path = '/') {
  const history = createMemoryHistory(path);
  const router = createRouter({ history, routes: [{ path: '*', Component: () => element }] });
  setRouter(router);
  await waitForPage(router);
  return render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} ErrorPage={ErrorPage}>
        <Outlet />
      </RouterProvider>
    </QueryClientProvider>,
  );
}

/** Opens a path of the portal as the browser would: its guard, its page and the shell around it. */
export async function renderPage(path: string, state?: unknown) {
  const router = createPortalRouter(createMemoryHistory(path, state));
  setRouter(router);
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <Pages router={router} />
    </QueryClientProvider>,
  );
  await waitForPage(router);
  return { ...screen, router, address: () => formatPath(router.state.location) };
}
