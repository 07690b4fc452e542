/** Latin names give two letters; Arabic letters would join and read as a word, so they give one. */
export function initialsOf(fullName: string): string {
  const words = fullName
    .trim()
    .split(/\s+/)
    .map((word) => [...word][0] ?? '');
  const first = words[0] ?? '';
  return /\p{Script=Latin}/u.test(first)
    ? `${first}${words.length > 1 ? (words.at(-1) ?? '') : ''}`.toUpperCase()
    : first;
}
