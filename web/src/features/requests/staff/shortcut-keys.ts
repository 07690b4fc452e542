/**
 * Every key that does something on the pages of staff; letters mean the key at that place where the
 * layout has no Latin ones.
 */
const shortcutKeys = [
  'j',
  'k',
  'ArrowDown',
  'ArrowUp',
  'x',
  'm',
  'e',
  'l',
  'a',
  'o',
  'r',
  'c',
  'd',
  'n',
  'p',
  'b',
  '[',
  ']',
  '/',
  '?',
] as const;
export type ShortcutKey = (typeof shortcutKeys)[number];

const isShortcut = (key: string): key is ShortcutKey => shortcutKeys.some((each) => each === key);

const byCode: Record<string, ShortcutKey> = { BracketLeft: '[', BracketRight: ']' };

/**
 * What was pressed. A Latin letter counts as it is printed; Arabic and Urdu keyboards are read by
 * the place of the key.
 */
export function shortcutOf({
  key,
  code,
  shiftKey,
}: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): ShortcutKey | undefined {
  if (key === '?' || key === '؟') return '?';
  if (/^[\u0020-\u007e]$/.test(key) || key.startsWith('Arrow')) {
    const plain = key.toLowerCase();
    return isShortcut(plain) && !shiftKey ? plain : isShortcut(key) && !shiftKey ? key : undefined;
  }
  if (code === 'Slash') return shiftKey ? '?' : '/';
  if (shiftKey) return undefined;
  const letter = /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? '';
  return byCode[code] ?? (isShortcut(letter) ? letter : undefined);
}
