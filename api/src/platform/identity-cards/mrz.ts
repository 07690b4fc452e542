import { nationalities } from '@diwan/contract/forms/answer-values';

/** The kind of document that has a machine-readable zone. */
type CardKind = 'identityCard' | 'passport';

/**
 * What a machine-readable zone says (ICAO 9303). Days are YYYY-MM-DD; `nationality` is an ISO 3166-1
 * alpha-2 code, undefined for others. Only names have no check digit. `idNumber` is the 15-digit
 * number of a card of the UAE.
 */
export interface ReadCard {
  kind: CardKind;
  documentNumber: string;
  idNumber?: string;
  name: string;
  birthDate: string;
  expiryDate: string;
  nationality?: string;
}

/** ISO 3166-1 alpha-3 codes in the order of `nationalities`. */
const alpha3Codes = (
  'ARE AND AFG ATG ALB ARM AGO ARG AUT AUS AZE BIH BRB BGD BEL BFA BGR BHR BDI BEN BRN BOL ' +
  'BRA BHS BTN BWA BLR BLZ CAN COD CAF COG CHE CIV CHL CMR CHN COL CRI CUB CPV CYP CZE DEU ' +
  'DJI DNK DMA DOM DZA ECU EST EGY ERI ESP ETH FIN FJI FSM FRA GAB GBR GRD GEO GHA GMB GIN ' +
  'GNQ GRC GTM GNB GUY HKG HND HRV HTI HUN IDN IRL IND IRQ IRN ISL ITA JAM JOR JPN KEN KGZ ' +
  'KHM KIR COM KNA PRK KOR KWT KAZ LAO LBN LCA LIE LKA LBR LSO LTU LUX LVA LBY MAR MCO MDA ' +
  'MNE MDG MHL MKD MLI MMR MNG MRT MLT MUS MDV MWI MEX MYS MOZ NAM NER NGA NIC NLD NOR NPL ' +
  'NRU NZL OMN PAN PER PNG PHL PAK POL PSE PRT PLW PRY QAT ROU SRB RUS RWA SAU SLB SYC SDN ' +
  'SWE SGP SVN SVK SLE SMR SEN SOM SUR SSD STP SLV SYR SWZ TCD TGO THA TJK TLS TKM TUN TON ' +
  'TUR TTO TUV TWN TZA UKR UGA USA URY UZB VAT VCT VEN VNM VUT WSM XKX YEM ZAF ZMB ZWE'
).split(' ');
// Codes of ICAO 9303 that ISO 3166-1 does not have.
const otherCodes = new Map([
  ['D', 'DE'],
  ['RKS', 'XK'],
  ...['GBD', 'GBN', 'GBO', 'GBP', 'GBS'].map((code) => [code, 'GB'] as const),
]);
const alpha2Of = (code: string): string | undefined =>
  otherCodes.get(code) ?? nationalities[alpha3Codes.indexOf(code)];

const weights = [7, 3, 1];
const valueOf = (letter: string): number =>
  letter === '<' ? 0 : /\d/.test(letter) ? Number(letter) : letter.charCodeAt(0) - 55;

/** The check digit of a part of the zone. */
export function checkDigit(part: string): string {
  return String(
    [...part].reduce((sum, letter, at) => sum + valueOf(letter) * (weights[at % 3] ?? 0), 0) % 10,
  );
}

// Shapes that are read for each other.
const digitFor: Record<string, string> = {
  O: '0',
  Q: '0',
  D: '0',
  U: '0',
  I: '1',
  L: '1',
  J: '1',
  Z: '2',
  A: '4',
  S: '5',
  G: '6',
  T: '7',
  B: '8',
};
const letterFor: Record<string, string> = {
  0: 'O',
  1: 'I',
  2: 'Z',
  4: 'A',
  5: 'S',
  6: 'G',
  7: 'T',
  8: 'B',
};
const digits = (part: string): string =>
  part.replace(/[A-Z]/g, (letter) => digitFor[letter] ?? letter);
const letters = (part: string): string => part.replace(/\d/g, (digit) => letterFor[digit] ?? digit);

const hasCheck = (part: string, digit: string): boolean => checkDigit(part) === digits(digit);

/**
 * The number of a document: letters are at most its first two, so that look-alike letters after
 * them are digits. Other corrections would be guesses that one check digit in ten confirms.
 */
const numberOf = (part: string): string => part.slice(0, 2) + digits(part.slice(2));

function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** The century is the last one in which the day is not after `latest`. */
function dayOf(part: string, latest: string): string | undefined {
  const [, year = '', month = '', day = ''] = /^(\d\d)(\d\d)(\d\d)$/.exec(part) ?? [];
  const found = ['20', '19']
    .map((century) => `${century}${year}-${month}-${day}`)
    .find((each) => each <= latest);
  return found !== undefined && isDay(found) ? found : undefined;
}

function nameOf(part: string): string {
  const [last = '', first = ''] = letters(part)
    .replace(/<+$/, '')
    .split('<<')
    .map((each) => each.replace(/<+/g, ' ').trim());
  return `${first} ${last}`.trim();
}

interface Parts {
  kind: CardKind;
  number: string;
  numberCheck: string;
  birth: string;
  birthCheck: string;
  expiry: string;
  expiryCheck: string;
  nationality: string;
  names: string;
  optional: string;
  issuer: string;
  /** The text of the check digit over all of them, and the digit. */
  whole: (number: string, birth: string, expiry: string) => string;
  wholeCheck: string;
}

function partsOfCard([one = '', two = '', three = '']: readonly string[]): Parts {
  return {
    kind: 'identityCard',
    issuer: letters(one.slice(2, 5)),
    number: one.slice(5, 14),
    numberCheck: one.slice(14, 15),
    optional: one.slice(15, 30),
    birth: digits(two.slice(0, 6)),
    birthCheck: two.slice(6, 7),
    expiry: digits(two.slice(8, 14)),
    expiryCheck: two.slice(14, 15),
    nationality: letters(two.slice(15, 18)),
    names: three,
    whole: (number, birth, expiry) =>
      number +
      digits(one.slice(14, 15)) +
      digits(one.slice(15, 30)) +
      birth +
      digits(two.slice(6, 7)) +
      expiry +
      digits(two.slice(14, 15)) +
      two.slice(18, 29),
    wholeCheck: two.slice(29, 30),
  };
}

function partsOfPassport([one = '', two = '']: readonly string[]): Parts {
  return {
    kind: 'passport',
    issuer: letters(one.slice(2, 5)),
    number: two.slice(0, 9),
    numberCheck: two.slice(9, 10),
    optional: '',
    birth: digits(two.slice(13, 19)),
    birthCheck: two.slice(19, 20),
    expiry: digits(two.slice(21, 27)),
    expiryCheck: two.slice(27, 28),
    nationality: letters(two.slice(10, 13)),
    names: one.slice(5),
    whole: (number, birth, expiry) =>
      number +
      digits(two.slice(9, 10)) +
      birth +
      digits(two.slice(19, 20)) +
      expiry +
      digits(two.slice(27, 28)) +
      two.slice(28, 43),
    wholeCheck: two.slice(43, 44),
  };
}

/** The card of some parts; undefined unless every check digit holds. */
function cardOf(parts: Parts, today: string): ReadCard | undefined {
  // Some countries have letters anywhere.
  const number = [parts.number, numberOf(parts.number)].find((each) =>
    hasCheck(each, parts.numberCheck),
  );
  const [birth, expiry] = [parts.birth, parts.expiry];
  if (
    number === undefined ||
    !hasCheck(birth, parts.birthCheck) ||
    !hasCheck(expiry, parts.expiryCheck) ||
    !hasCheck(parts.whole(number, birth, expiry), parts.wholeCheck)
  )
    return undefined;
  const birthDate = dayOf(birth, today);
  const expiryDate = dayOf(expiry, `${Number(today.slice(0, 4)) + 50}-12-31`);
  const name = nameOf(parts.names);
  const nationality = alpha2Of(parts.nationality.replace(/<+$/, ''));
  if (!birthDate || !expiryDate || name === '') return undefined;
  const idNumber = /^784\d{12}$/.exec(digits(parts.optional))?.[0];
  return {
    kind: parts.kind,
    documentNumber: number.replace(/<+$/, ''),
    ...(idNumber !== undefined && parts.issuer === 'ARE' ? { idNumber } : {}),
    name,
    birthDate,
    expiryDate,
    ...(nationality === undefined ? {} : { nationality }),
  };
}

/** Brings a read line to its length: the fillers at its end are read as too few or too many. */
function fitted(line: string, length: number): string {
  const filled = line.replace(/<{3}[<KLCES]*$/, (end) => '<'.repeat(end.length));
  return filled.length > length ? filled.slice(0, length) : filled.padEnd(length, '<');
}

/**
 * Finds a machine-readable zone in recognised lines. `today` is YYYY-MM-DD. Undefined: there is
 * none, or a check digit does not hold, so that it was misread.
 */
export function parseMrz(text: string, today: string): ReadCard | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.toUpperCase().replace(/[^A-Z0-9<]/g, ''))
    .filter((line) => line.length >= 24);
  for (let at = 0; at < lines.length - 1; at += 1) {
    const [one = '', two = '', three] = lines.slice(at, at + 3);
    const isPassport = /^[P][A-Z<]/.test(one) && two.length >= 42 && two.length <= 46;
    if (isPassport) {
      const card = cardOf(partsOfPassport([fitted(one, 44), two]), today);
      if (card) return card;
    }
    if (three === undefined || !/^[ACI1L]/.test(one)) continue;
    const card = cardOf(partsOfCard([fitted(one, 30), fitted(two, 30), fitted(three, 30)]), today);
    if (card) return card;
  }
  return undefined;
}
