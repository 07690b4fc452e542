/** Replaces Arabic-Indic and Urdu digits, which inputs accept, by Latin ones for the server. */
export function toLatinDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replaceAll('\u066B', '.')
    .replaceAll('\u066C', '');
}
