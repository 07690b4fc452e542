const longest = 80;

/**
 * What somebody typed, fit to be quoted in a sentence: no line breaks, no controls that turn the
 * direction of what follows, and not longer than a
 * person reads. The joiners of Urdu stay: without them letters take another form.
 */
export function quotableText(text: string): string {
  const plain = text
    .slice(0, 4 * longest)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/(?![\u200C\u200D])\p{Cf}/gu, '')
    .replace(/\p{M}{3,}/gu, '')
    .trim();
  const letters = Array.from(plain);
  return letters.length > longest || text.length > 4 * longest
    ? `${letters.slice(0, longest).join('').trimEnd()}…`
    : plain;
}

/** Nothing that a person could see. */
export function isBlank(text: string): boolean {
  return text.replace(/[\s\p{Cf}\p{Cc}]/gu, '') === '';
}
