const endings: Record<string, readonly string[]> = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
};
const longestStem = 250;

// Controls and bidi marks make a name look like another one; the joiners alone (U+200C, U+200D) are
// letters' business in Urdu.
const hidden = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu;

/**
 * A file's name as it is kept and shown: nothing hidden, no folders, and at its end what the
 * content is, so that a PDF called invoice.html opens as a PDF.
 */
export function safeFileName(typed: string, mediaType: string): string {
  const name = typed.replace(hidden, '').replace(/[/\\]/g, '_').trim();
  const right = endings[mediaType] ?? [];
  const isRight = right.some((ending) => name.toLowerCase().endsWith(`.${ending}`));
  const [stem, ending] = isRight
    ? [name.slice(0, name.lastIndexOf('.')), name.slice(name.lastIndexOf('.') + 1)]
    : [name, right[0]];
  const whole = Array.from(stem).slice(0, longestStem).join('').trim() || 'document';
  return ending ? `${whole}.${ending}` : whole;
}

/** A name as the header Content-Disposition takes it (RFC 8187). */
export function headerFileName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
