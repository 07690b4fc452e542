/**
 * Two letters of a Latin name, which a page in Arabic or Urdu does not show; one of an Arabic name,
 * because two letters would join to a word.
 */
export function initialsOf(fullName: string, direction: 'ltr' | 'rtl'): string | undefined {
  const letters = fullName
    .trim()
    .split(/\s+/)
    .map((word) => [...word][0] ?? '');
  const first = letters[0] ?? '';
  if (!/\p{Script=Latin}/u.test(first)) return first;
  return direction === 'rtl'
    ? undefined
    : `${first}${letters.length > 1 ? (letters.at(-1) ?? '') : ''}`.toUpperCase();
}
