import { useEffect, useRef } from 'react';
import { createStore, useStore } from '../../../../lib/browser/create-store.ts';
import { removeItem, loadItem, storeItem } from '../../../../lib/browser/storage.ts';
import { findShortcut, type ShortcutKey } from './shortcut-keys.ts';

const key = 'shortcuts-off';
const areShortcutsOn = createStore(loadItem('local', key) === null);

/** Whether shortcuts are on. Users can switch them off. Source: WCAG 2.1.4. */
export function useAreShortcutsOn(): boolean {
  return useStore(areShortcutsOn);
}

export function setAreShortcutsOn(isOn: boolean): void {
  if (isOn) removeItem('local', key);
  else storeItem('local', key, 'true');
  areShortcutsOn.set(isOn);
}

// Controls in which keys have another meaning.
const controlsWithKeys = [
  'input:not([type=checkbox], [type=radio])',
  'textarea',
  'select',
  '[contenteditable=true]',
  '[role=dialog]',
  '[role=alertdialog]',
  '[role=menu]',
  '[role=listbox]',
  '[role=separator]',
].join(', ');
const isInOtherControl = ({ target }: KeyboardEvent) =>
  (target instanceof Element && target.closest(controlsWithKeys) !== null) ||
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;

// The shortcuts that repeat while the key is held down.
const repeats: readonly ShortcutKey[] = ['j', 'k', 'ArrowDown', 'ArrowUp'];

type Shortcuts = Partial<Record<ShortcutKey, (() => unknown) | undefined>>;

/**
 * Handles shortcuts while the component is mounted. When a handler returns false, the browser
 * handles the key.
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
        isInOtherControl(event)
      )
        return;
      const pressed = findShortcut(event);
      const act = pressed && current.current[pressed];
      if (!act || (event.repeat && !repeats.includes(pressed))) return;
      if (act() !== false) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isOn]);
}
