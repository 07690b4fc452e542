import { useEffect, useRef } from 'react';
import { createStore, useStore } from '#lib/browser/create-store.ts';
import { removeItem, loadItem, storeItem } from '#lib/browser/storage.ts';
import { getAction, plainActions } from '@diwan/contract/requests/actions';
import { actionKeys, findShortcut, type ShortcutKey } from './shortcut-keys.ts';

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

const isForOthers = (event: KeyboardEvent) =>
  event.defaultPrevented ||
  event.isComposing ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  isInOtherControl(event);

// The shortcuts that repeat while the key is held down.
const repeats: readonly ShortcutKey[] = ['j', 'k', 'ArrowDown', 'ArrowUp'];

type Shortcuts = Partial<Record<ShortcutKey, (() => unknown) | undefined>>;

// A key that was pressed too early waits for the page, except for those that decide on a request
// without a dialog: its user has not seen it yet.
const unkept: readonly ShortcutKey[] = plainActions
  .filter((action) => getAction(action).isGranting || getAction(action).isUndoable)
  .map((action) => actionKeys[action]);
const keptMs = 3000;
let kept: { key: ShortcutKey; at: number } | undefined;

function takeKept(): ShortcutKey | undefined {
  const key = kept && performance.now() - kept.at < keptMs ? kept.key : undefined;
  kept = undefined;
  return key;
}

/**
 * Handles shortcuts while the component is mounted. When a handler returns false, the browser
 * handles the key. Before `isReady` one of these keys (without `shortcuts` any key) is stored, and
 * handled then, also by the next page.
 */
export function useShortcuts(shortcuts: Shortcuts, isReady = true): void {
  const isOn = useAreShortcutsOn();
  const current = useRef({ shortcuts, isReady });
  useEffect(() => {
    current.current = { shortcuts, isReady };
  });
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (isForOthers(event)) return;
      const pressed = findShortcut(event);
      const { shortcuts: known, isReady: isNow } = current.current;
      if (pressed && !isNow) {
        const isOurs = pressed in known || Object.keys(known).length === 0;
        if (isOurs && !event.repeat && !unkept.includes(pressed))
          kept = { key: pressed, at: performance.now() };
        return;
      }
      const act = pressed && known[pressed];
      if (!act || (event.repeat && !repeats.includes(pressed))) return;
      if (act() !== false) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isOn]);
  useEffect(() => {
    const key =
      isOn && isReady && kept && current.current.shortcuts[kept.key] ? takeKept() : undefined;
    if (key) current.current.shortcuts[key]?.();
  }, [isOn, isReady]);
}
