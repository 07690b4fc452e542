import {
  staffActions,
  staffUseOf,
  type ActionKey,
  type StaffAction,
} from '@diwan/contract/requests/actions';

/** The key of each action on a request. */
export const actionKeys = Object.fromEntries(
  staffActions.map((action) => [action, staffUseOf(action).key]),
) as Record<StaffAction, ActionKey>;

/**
 * The shortcuts of the staff pages beside those of actions. On keyboard layouts without Latin letters the physical key
 * counts.
 */
const otherKeys = [
  'j',
  'k',
  'ArrowDown',
  'ArrowUp',
  'x',
  'm',
  'f',
  'o',
  'n',
  'p',
  'b',
  'z',
  '[',
  ']',
  '/',
  '?',
] as const;
export type ShortcutKey = (typeof otherKeys)[number] | ActionKey;
const shortcutKeys: readonly ShortcutKey[] = [...otherKeys, ...Object.values(actionKeys)];

const isShortcut = (key: string): key is ShortcutKey => shortcutKeys.some((each) => each === key);

const byCode: Record<string, ShortcutKey> = { BracketLeft: '[', BracketRight: ']' };

/**
 * The shortcut of a key press. A Latin letter counts as typed; on Arabic and Urdu keyboards the
 * physical key counts.
 */
export function findShortcut({
  key,
  code,
  shiftKey,
}: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): ShortcutKey | undefined {
  if (key === '?' || key === '؟') return '?';
  if (/^[\u0020-\u007e]$/.test(key) || key.startsWith('Arrow')) {
    return shiftKey ? undefined : [key.toLowerCase(), key].find(isShortcut);
  }
  if (code === 'Slash') return shiftKey ? '?' : '/';
  if (shiftKey) return undefined;
  const letter = /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? '';
  return byCode[code] ?? (isShortcut(letter) ? letter : undefined);
}
