const place = /\{\{(\w+)\}\}/g;
type Figures = Readonly<Record<string, string | undefined>>;

/**
 * A text of a message with its places filled, such as `{{code}}`; a place that nothing fills is
 * empty.
 */
export function fillPlaces(text: string, figures: Figures): string {
  return text.replace(place, (_, name: string) => figures[name] ?? '');
}

/** Whether there is something for every place of a text. */
export function hasAllPlaces(text: string, figures: Figures): boolean {
  return [...text.matchAll(place)].every(([, name = '']) => (figures[name] ?? '') !== '');
}

// A mail program makes a link of whatever looks like an address, and names are what their owners
// typed. Points of abbreviations stay: L.L.C., ذ.م.م.
const withoutAddresses = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/[:/@\\<>]|\.(?=[\p{L}\p{M}\p{N}_-]{2}|\p{N})/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

// What is an address whoever reads it: with a scheme, by its www, or as Windows names what another
// machine shares.
const link = /(?:[a-z][a-z0-9+.-]{0,30}:\/\/|www[.\u2024\u3002\ufe52\uff0e\uff61]|\\\\)\S+/giu;
// No country and no registry is called like these.
const endingsOfFiles =
  'pdf|docx?|xlsx?|pptx?|odt|rtf|txt|csv|xml|jpe?g|png|gif|tiff?|webp|heic|dwg';
// The dots between the labels of a host, in each form that such names know (UTS 46). One letter
// ends no name: e.g., L.L.C. and ذ.م.م stay, and so does a file at the end of its word.
const dotOfHost = new RegExp(
  String.raw`(?<=[\p{L}\p{M}\p{N}_-]\p{Cf}*)[.\u2024\u3002\ufe52\uff0e\uff61](?=\p{Cf}*\p{L}\p{Cf}*[\p{L}\p{M}\p{N}_-])(?!(?:${endingsOfFiles})(?![\p{L}\p{M}\p{N}_/@:?#-]|[.\u2024\u3002\ufe52\uff0e\uff61]\S))`,
  'giu',
);
// What is read in another order than it is written leads to another place than it seems to, and
// what is opened and not closed turns the rest of its line.
const turns = /[\u202a-\u202e\u2066-\u2069]/g;
const networkAddress = /(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?!\.?\p{N})/gu;

/**
 * What staff wrote, as a mail may carry it: a link that does not lead to the portal at `publicUrl`
 * becomes `elsewhere` (a sentence), and what a mail program would make a link of by itself,
 * such as example.com, gets a space after its dots: nothing to press, still to be read, and a full
 * stop without its space is none the worse.
 */
export function textForMessage(typed: string, publicUrl: string, elsewhere: string): string {
  const text = typed.replace(turns, '');
  const links = text.match(link) ?? [];
  const isOurs = (address: string) => address === publicUrl || address.startsWith(`${publicUrl}/`);
  return text
    .split(link)
    .map((part, index) => {
      const [plain, next = ''] = [
        part
          .replace(dotOfHost, '$& ')
          .replace(networkAddress, (address) => address.replaceAll('.', '. ')),
        links[index],
      ];
      return `${plain}${next === '' || isOurs(next) ? next : elsewhere}`;
    })
    .join('');
}

/**
 * Something in Latin signs that keeps its order within an Arabic or Urdu mail (Unicode's isolates);
 * empty for nothing.
 */
export const isolated = (text: string): string => (text === '' ? '' : `\u2066${text}\u2069`);

/** The name of a company as a message may carry it: no address, no line break, no bidi control. */
export function companyNameForMessage(name: string): string {
  return [...withoutAddresses(name)].slice(0, 120).join('').trim();
}

/** A person's name as a message may carry it: letters, marks and what stands between names. */
export function nameForMessage(name: string): string {
  return [...withoutAddresses(name.replace(/[^\p{L}\p{M}'’\s.-]/gu, ' '))]
    .slice(0, 60)
    .join('')
    .trim();
}
