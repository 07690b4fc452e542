const place = /\{\{(\w+)\}\}/g;
type Figures = Readonly<Record<string, string | undefined>>;

/** A text of a message with its places filled, such as `{{code}}`; a place that nothing fills is empty. */
export function fillPlaces(text: string, figures: Figures): string {
  return text.replace(place, (_, name: string) => figures[name] ?? '');
}

/** Whether there is something for every place of a text. */
export function hasAllPlaces(text: string, figures: Figures): boolean {
  return [...text.matchAll(place)].every(([, name = '']) => (figures[name] ?? '') !== '');
}

// A mail program makes a link of whatever looks like an address, and names are what their owners typed. Points of abbreviations stay: L.L.C., ذ.م.م.
const withoutAddresses = (name: string) => name.normalize('NFC').replace(/[\p{Cc}\p{Cf}]/gu, ' ').replace(/[:/@\\<>]|\.(?=[\p{L}\p{M}\p{N}_-]{2}|\p{N})/gu, ' ').replace(/\s+/g, ' ').trim();

/** The name of a company as a message may carry it: no address, no line break, no bidi control. */
export function companyNameForMessage(name: string): string {
  return [...withoutAddresses(name)].slice(0, 120).join('').trim();
}

/** A person's name as a message may carry it: letters, marks and what stands between names. */
export function nameForMessage(name: string): string {
  return [...withoutAddresses(name.replace(/[^\p{L}\p{M}'’\s.-]/gu, ' '))].slice(0, 60).join('').trim();
}
