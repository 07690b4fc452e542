const extensions: Record<string, readonly string[]> = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
};
const maximumStemLength = 250;

// Control characters and bidi marks make a name look like another one. The joiners U+200C and U+200D
// stay, because Urdu needs them.
const hidden = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu;

/**
 * The name under which a file is stored and shown: without hidden characters and folders, and with
 * an extension of its media type, so that a PDF called invoice.html opens as a PDF.
 */
export function safeFileName(typed: string, mediaType: string): string {
  const name = typed.replace(hidden, '').replace(/[/\\]/g, '_').trim();
  const accepted = extensions[mediaType] ?? [];
  const isAccepted = accepted.some((extension) => name.toLowerCase().endsWith(`.${extension}`));
  const [stem, extension] = isAccepted
    ? [name.slice(0, name.lastIndexOf('.')), name.slice(name.lastIndexOf('.') + 1)]
    : [name, accepted[0]];
  const base = Array.from(stem).slice(0, maximumStemLength).join('').trim() || 'document';
  return extension ? `${base}.${extension}` : base;
}

/** Encodes a name for the header Content-Disposition (RFC 8187). */
export function headerFileName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
