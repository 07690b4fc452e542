import { classNames } from '#lib/browser/class-names.ts';
import type { ShortcutKey } from './shortcut-keys.ts';
import { useAreShortcutsOn } from './use-shortcuts.ts';

/**
 * The shortcut of a button, shown on the button where there is a keyboard. Screen readers read
 * `aria-keyshortcuts` instead.
 */
export function ShortcutHint({ of }: { of: ShortcutKey }) {
  const isOn = useAreShortcutsOn();
  if (!isOn) return null;
  return (
    <kbd
      aria-hidden
      dir="ltr"
      className={classNames(
        'mx-1.5 hidden min-w-6 rounded-sm border border-current px-1 text-center',
        'font-sans text-sm leading-5 font-medium opacity-80',
        'lg:pointer-fine:inline-block',
      )}
    >
      {of.toUpperCase()}
    </kbd>
  );
}
