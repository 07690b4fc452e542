import { useEffect, useRef, useSyncExternalStore } from 'react';
import { forget, recall, remember } from '../../../lib/browser/browser-memory.ts';
import { shortcutOf, type ShortcutKey } from './shortcut-keys.ts';

const key = 'shortcuts-off';
const listeners = new Set<() => void>();

/** Single keys can be switched off. Source: WCAG 2.1.4. */
export function useAreShortcutsOn(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    () => recall('local', key) === null,
  );
}

export function switchShortcuts(isOn: boolean): void {
  if (isOn) forget('local', key);
  else remember('local', key, 'true');
  for (const listener of listeners) listener();
}

// Whoever types, or is in something that has keys of its own, presses no shortcut.
const ownKeys =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true], [role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=separator]';
const isElsewhere = ({ target }: KeyboardEvent) =>
  (target instanceof Element && target.closest(ownKeys) !== null) ||
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;

// Held down, these go on; everything else happens once.
const repeats: readonly ShortcutKey[] = ['j', 'k', 'ArrowDown', 'ArrowUp'];

export type Shortcuts = Partial<Record<ShortcutKey, (() => unknown) | undefined>>;

/**
 * Answers single keys while the part is on the page. What returns false has not been answered, and
 * the browser does its own.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const isOn = useAreShortcutsOn();
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        event.defaultPrevented ||
        event.isComposing ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isElsewhere(event)
      )
        return;
      const pressed = shortcutOf(event);
      const act = pressed && current.current[pressed];
      if (!act || (event.repeat && !repeats.includes(pressed))) return;
      if (act() !== false) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isOn]);
}
