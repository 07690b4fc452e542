import type { ShortcutKey } from './shortcut-keys.ts';
import { useAreShortcutsOn } from './use-shortcuts.ts';

/**
 * The key of a button, on it; `aria-keyshortcuts` tells those who do not see it. Only where there
 * is a keyboard.
 */
export function ShortcutHint({ of, isTight = false }: { of: ShortcutKey; isTight?: boolean }) {
  const isOn = useAreShortcutsOn();
  if (!isOn) return null;
  return (
    <kbd
      aria-hidden
      dir="ltr"
      className={`mx-1.5 hidden min-w-6 rounded-sm border border-current px-1 text-center font-sans text-sm leading-5 font-medium opacity-80 ${isTight ? '2xl:pointer-fine:inline-block' : 'lg:pointer-fine:inline-block'}`}
    >
      {of.toUpperCase()}
    </kbd>
  );
}
