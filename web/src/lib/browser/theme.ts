import { useSyncExternalStore } from 'react';
import { createStore } from './create-store.ts';
import { storeCookie } from './storage.ts';

/** `system`: the mode of the device, which the page follows when it changes. */
export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** The colour of the browser around the page; those of `server/document.tsx`. */
const frames = { light: '#ffffff', dark: '#15171b' };

function findStored(): Theme {
  const stored = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
  return themes.find((theme) => theme === stored) ?? 'system';
}

const store = createStore<Theme>('system');

function apply(theme: Theme): void {
  store.set(theme);
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const frame of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]'))
    frame.content =
      theme === 'system' ? (frame.media === '' ? frames.light : frames.dark) : frames[theme];
}

/** Applies the stored choice. The server has done so where it sent the page. */
export function startTheme(): void {
  apply(findStored());
}

/** Stores the choice in a cookie, so that the server sends the next page in its colours. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') storeCookie('theme', '', 0);
  else storeCookie('theme', theme);
  apply(theme);
}

/** The choice; pages of the server say `system` until the portal runs. */
export function useTheme(): Theme {
  return useSyncExternalStore(store.subscribe, store.get, () => 'system');
}
