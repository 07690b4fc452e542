const placeholder = /\{\{(\w+)\}\}/g;
type Values = Readonly<Record<string, string | undefined>>;

/**
 * Fills the placeholders of a text, such as `{{code}}`. A placeholder without a value becomes empty.
 */
export function fillTemplate(text: string, values: Values): string {
  return text.replace(placeholder, (_, name: string) => values[name] ?? '');
}

/** Whether every placeholder of a text has a value that is not empty. */
export function hasAllPlaceholders(text: string, values: Values): boolean {
  return [...text.matchAll(placeholder)].every(([, name = '']) => (values[name] ?? '') !== '');
}

// Mail programs turn text that looks like an address into a link, and users type names freely. The
// dots of abbreviations stay: L.L.C., ذ.م.م.
const withoutAddresses = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/[:/@\\<>]|\.(?=[\p{L}\p{M}\p{N}_-]{2}|\p{N})/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

// Explicit links: with a scheme, with www, or as a Windows network path.
const link = /(?:[a-z][a-z0-9+.-]{0,30}:\/\/|www[.\u2024\u3002\ufe52\uff0e\uff61]|\\\\)\S+/giu;
// File extensions that are not top-level domains.
const fileExtensions =
  'pdf|docx?|xlsx?|pptx?|odt|rtf|txt|csv|xml|jpe?g|png|gif|tiff?|webp|heic|dwg';
const dot = String.raw`[.\u2024\u3002\ufe52\uff0e\uff61]`;
const nameCharacter = String.raw`[\p{L}\p{M}\p{N}_-]`;
// The dots between the labels of a host name, in every form that host names allow (UTS 46). A last
// label of one letter is not a domain, so e.g., L.L.C. and ذ.م.م stay. A file name at the end of a word
// stays too.
const hostNameDot = new RegExp(
  String.raw`(?<=${nameCharacter}\p{Cf}*)${dot}(?=\p{Cf}*\p{L}\p{Cf}*${nameCharacter})` +
    String.raw`(?!(?:${fileExtensions})(?![\p{L}\p{M}\p{N}_/@:?#-]|${dot}\S))`,
  'giu',
);
// Bidi controls can make a link look like another one, and an unclosed one reorders the rest of the
// line.
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;
const ipv4Address = /(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?!\.?\p{N})/gu;

/**
 * Makes a text by staff safe for a mail. A link that does not lead to the portal at `publicUrl` is
 * replaced by the sentence `elsewhere`. A host name such as example.com gets a space after its dots,
 * so that mail programs do not turn it into a link and it stays readable.
 */
export function sanitizeMessageText(typed: string, publicUrl: string, elsewhere: string): string {
  const text = typed.replace(bidiControls, '');
  const links = text.match(link) ?? [];
  const isOurs = (address: string) => address === publicUrl || address.startsWith(`${publicUrl}/`);
  return text
    .split(link)
    .map((part, index) => {
      const plain = part
        .replace(hostNameDot, '$& ')
        .replace(ipv4Address, (address) => address.replaceAll('.', '. '));
      const next = links[index] ?? '';
      return `${plain}${next === '' || isOurs(next) ? next : elsewhere}`;
    })
    .join('');
}

/**
 * Wraps a left-to-right text in Unicode's isolates, so that it keeps its order within an Arabic or
 * Urdu mail. An empty text stays empty.
 */
export const isolateLeftToRight = (text: string): string =>
  text === '' ? '' : `\u2066${text}\u2069`;

/** Removes addresses, line breaks and bidi controls from the name of a company for a message. */
export function sanitizeCompanyName(name: string): string {
  return [...withoutAddresses(name)].slice(0, 120).join('').trim();
}

/** Keeps only letters, marks and separators of names in a person's name for a message. */
export function sanitizePersonName(name: string): string {
  return [...withoutAddresses(name.replace(/[^\p{L}\p{M}'’\s.-]/gu, ' '))]
    .slice(0, 60)
    .join('')
    .trim();
}
