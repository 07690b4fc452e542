/** Two letters of a Latin name; one of an Arabic name, because two letters would join to a word. */
export function initialsOf(fullName: string): string {
  const letters = fullName
    .trim()
    .split(/\s+/)
    .map((word) => [...word][0] ?? '');
  const first = letters[0] ?? '';
  return /\p{Script=Latin}/u.test(first)
    ? `${first}${letters.length > 1 ? (letters.at(-1) ?? '') : ''}`.toUpperCase()
    : first;
}
