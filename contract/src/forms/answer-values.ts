import { resolveDateLimit, isRealDay } from '../wire/days.ts';
import type { ValidationIssue } from '../wire/errors.ts';
import { cleanIdentifier, withLatinDigits, withoutMarks } from '../wire/typed-text.ts';
import { emirates } from './emirates.ts';
import { fineNumberPattern, maximumChosenFines, type FormField } from './forms.ts';

/** The problem of one value. */
export type ValueProblem = Omit<ValidationIssue, 'field'>;
/**
 * The result of reading one value: a valid value in its stored spelling, a problem, or no value.
 */
export type ValueResult =
  | { value: string | number | boolean | string[] }
  | { wrong: ValueProblem }
  | 'nothing';

/** The ISO 3166-1 alpha-2 codes that the kind `nationality` accepts. */
export const nationalities: readonly string[] = (
  'AE AD AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA ' +
  'CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM ' +
  'FR GA GB GD GE GH GM GN GQ GR GT GW GY HK HN HR HT HU ID IE IN IQ IR IS IT JM JO JP KE ' +
  'KG KH KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM ' +
  'MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PS PT PW PY ' +
  'QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM ' +
  'TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VN VU WS XK YE ZA ZM ZW'
).split(' ');

const defaultMaximumLength: Partial<Record<FormField['kind'], number>> = {
  text: 200,
  longText: 2000,
  email: 254,
  number: 30,
  money: 30,
  choice: 100,
  choices: 100,
};
/** No real answer is longer, and a pattern of a deployment never runs on longer texts. */
const absoluteMaximumLength = 10_000;

const isFreeText = (field: FormField): boolean =>
  field.kind === 'text' || field.kind === 'longText';

/** The longest answer of a field, in characters. Only free text can set its own length. */
export function getMaximumLength(field: FormField): number {
  const own = isFreeText(field) ? field.maxLength : undefined;
  return Math.min(own ?? defaultMaximumLength[field.kind] ?? 40, absoluteMaximumLength);
}

/**
 * Replaces digits of other scripts with Latin ones, and the Arabic decimal and thousands
 * separators.
 */
const withLatinNumbers = (text: string): string =>
  withLatinDigits(text).replaceAll('٫', '.').replaceAll('٬', ',');

/** Whether the last of some digits is their Luhn check digit. */
export function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function passesMod97(iban: string): boolean {
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/** Removes control characters and invisible marks, which change how a text is shown. */
export function cleanText(raw: string, isLong: boolean): string {
  const lines = withoutMarks(raw).replace(/\r\n?/g, '\n');
  const oneLine = isLong ? lines : lines.replace(/[\n\t]+/g, ' ');
  return oneLine
    .replace(/[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g, '')
    .normalize('NFC')
    .trim();
}

/**
 * Removes spaces, dashes, slashes and brackets and uses Latin digits, to compare codes and phone
 * numbers.
 */
export const withoutSeparators = (text: string): string =>
  withLatinNumbers(cleanIdentifier(text.normalize('NFKC'))).replace(/[\s\p{Pd}\u2212_/().]/gu, '');
/** Removes a label that was copied with a number: `IBAN:`, `TRN`, `tel:`. */
const withoutLabel = (text: string): string =>
  withoutSeparators(text).replace(/^(?:IBAN|TRN|tel|mobile):?/i, '');
// Commas group thousands: 1,5 may mean 1.5 or 15, and is neither.
const groupedNumber = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;

function readNumber(value: number): ValueResult {
  if (!Number.isFinite(value)) return { wrong: { code: 'wrongType' } };
  if (!Number.isInteger(value)) return { wrong: { code: 'notAWholeNumber' } };
  // JSON turns -0 into 0.
  return Number.isSafeInteger(value)
    ? { value: value + 0 }
    : { wrong: { code: 'tooLarge', params: { maximum: Number.MAX_SAFE_INTEGER } } };
}

const matchers = new Map<string, RegExp | null>();

function getMatcher(pattern: string): RegExp | null {
  const known = matchers.get(pattern);
  if (known !== undefined) return known;
  for (const flags of ['u', '']) {
    try {
      const matcher = new RegExp(`^(?:${pattern})$`, flags);
      matchers.set(pattern, matcher);
      return matcher;
    } catch {
      // Patterns that are invalid with the `u` flag are tried without it.
    }
  }
  matchers.set(pattern, null);
  return null;
}

// Plates show one code in both scripts. Only letters with one Latin counterpart are here:
// docs/unknowns.md.
const plateLetters = new Map(
  Object.entries({
    A: '\u0623\u0627',
    B: '\u0628',
    D: '\u062F',
    F: '\u0641',
    H: '\u0647\u06C1',
    K: '\u0643\u06A9',
    L: '\u0644',
    M: '\u0645',
    N: '\u0646',
    Q: '\u0642',
    R: '\u0631',
    S: '\u0633',
    T: '\u062A',
    W: '\u0648',
    Y: '\u064A\u06CC',
    Z: '\u0632',
  }).flatMap(([latin, arabic]) => [...arabic].map((letter) => [letter, latin] as const)),
);
const withLatinPlateLetters = (text: string): string =>
  [...text.replace(/\u0640/g, '')].map((letter) => plateLetters.get(letter) ?? letter).join('');

/**
 * Digits of other scripts and lower-case letters are accepted; the answer is stored in the spelling
 * that the pattern wants.
 */
function readPattern(field: FormField, text: string): ValueResult {
  const matcher = field.pattern === undefined ? null : getMatcher(field.pattern);
  if (matcher === null) return { value: text };
  const digits = withLatinNumbers(cleanIdentifier(text));
  const latin = field.format === 'vehiclePlate' ? withLatinPlateLetters(digits) : digits;
  const fitting = [text, latin, latin.toUpperCase()].find(
    (candidate) => candidate.length <= text.length && matcher.test(candidate),
  );
  return fitting === undefined
    ? { wrong: { code: 'pattern', message: field.patternMessage } }
    : { value: fitting };
}

const domainLabel = String.raw`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`;
const topLevelDomain = String.raw`\p{L}[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]`;
const localPart = String.raw`(?!\.)(?!.*\.\.)[^\s@<>()[\]\\,;:"]{1,64}(?<!\.)`;
const email = new RegExp(`^${localPart}@(?:${domainLabel}\\.)+${topLevelDomain}$`, 'u');

// An Arabic keyboard types its own digits, which no address has.
function readEmail(text: string): ValueResult {
  const latin = withLatinNumbers(text);
  return email.test(latin) ? { value: latin } : problem('email');
}

const problem = (code: ValidationIssue['code']): ValueResult => ({ wrong: { code } });

function readTypedNumber(text: string): ValueResult {
  const digits = withLatinNumbers(cleanIdentifier(text)).replace(/[\s_]/g, '');
  return groupedNumber.test(digits)
    ? readNumber(Number(digits.replaceAll(',', '')))
    : problem('wrongType');
}

function readDate(text: string): ValueResult {
  const day = withLatinNumbers(cleanIdentifier(text));
  return isRealDay(day) ? { value: day } : problem('date');
}

function readEmiratesId(text: string): ValueResult {
  const digits = withoutSeparators(text);
  return /^784\d{12}$/.test(digits) && passesLuhn(digits)
    ? { value: digits.replace(/^(\d{3})(\d{4})(\d{7})(\d)$/, '$1-$2-$3-$4') }
    : problem('emiratesId');
}

function readMobile(text: string): ValueResult {
  // In text written from right to left, the plus can be at the end.
  const found = /^(?:(?:\+|00)?9710?|0)?(5[02-68]\d{7})$/.exec(
    withoutLabel(text).replace(/^(\d+)\+$/, '+$1'),
  );
  return found ? { value: `+971${found[1]}` } : problem('mobile');
}

function readIban(text: string): ValueResult {
  const iban = withoutLabel(text)
    .toUpperCase()
    .replace(/^(?=\d{21}$)/, 'AE');
  return /^AE\d{21}$/.test(iban) && passesMod97(iban) ? { value: iban } : problem('iban');
}

function readTrn(text: string): ValueResult {
  const digits = withoutLabel(text);
  return /^1\d{14}$/.test(digits) ? { value: digits } : problem('trn');
}

const readOneOf = (options: readonly string[], text: string): ValueResult =>
  options.includes(text) ? { value: text } : problem('notAllowed');

/** The readers of texts by kind; the other kinds check the pattern of their field. */
const textReaders: Partial<
  Record<FormField['kind'], (text: string, field: FormField) => ValueResult>
> = {
  number: readTypedNumber,
  money: readTypedNumber,
  date: readDate,
  emiratesId: readEmiratesId,
  mobile: readMobile,
  iban: readIban,
  trn: readTrn,
  email: readEmail,
  choice: (text, field) =>
    readOneOf(
      (field.oneOf ?? []).map((option) => option.const),
      text,
    ),
  emirate: (text) => readOneOf(emirates, text),
  nationality: (text) => readOneOf(nationalities, text),
  yesNo: () => problem('wrongType'),
  choices: () => problem('wrongType'),
  fines: () => problem('wrongType'),
};

const readText = (field: FormField, text: string): ValueResult =>
  textReaders[field.kind]?.(text, field) ?? readPattern(field, text);

function readString(field: FormField, raw: string): ValueResult {
  if (raw === '') return 'nothing';
  const maximum = getMaximumLength(field);
  const tooLong: ValueResult = { wrong: { code: 'tooLong', params: { maximum } } };
  // Refuses long texts before any work on them; the margin allows for characters that cleaning
  // removes.
  if (raw.length > maximum * 4 + 100) return tooLong;
  if (/[\0\p{Cs}]/u.test(raw)) return { wrong: { code: 'unreadableText' } };
  const text = cleanText(raw, field.kind === 'longText');
  if (/^[\s\p{Cf}\u115F\u3164\u2800]*$/u.test(text)) return { wrong: { code: 'whitespace' } };
  const length = [...text].length;
  if (length > maximum) return tooLong;
  if (isFreeText(field) && field.minLength !== undefined && length < field.minLength)
    return { wrong: { code: 'tooShort', params: { minimum: field.minLength } } };
  return readText(field, text);
}

function readChoices(field: FormField, raw: readonly unknown[]): ValueResult {
  if (raw.length === 0) return 'nothing';
  const options = (field.oneOf ?? []).map((option) => option.const);
  if (!raw.every((item) => typeof item === 'string' && options.includes(item)))
    return { wrong: { code: 'notAllowed' } };
  return { value: options.filter((option) => raw.includes(option)) };
}

/** The chosen fines; only the register knows whether they are due. */
function readFines(raw: readonly unknown[]): ValueResult {
  if (raw.length === 0) return 'nothing';
  if (raw.length > maximumChosenFines)
    return { wrong: { code: 'tooManyFines', params: { maximum: maximumChosenFines } } };
  const numbers = raw.filter(
    (number): number is string => typeof number === 'string' && fineNumberPattern.test(number),
  );
  return numbers.length < raw.length ? problem('notAllowed') : { value: [...new Set(numbers)] };
}

/** Reads one value by the kind of its field, without the limits that depend on the day. */
function readByKind(field: FormField, raw: unknown): ValueResult {
  if (raw === undefined || raw === null) return 'nothing';
  if (typeof raw === 'string') return readString(field, raw);
  if (field.kind === 'choices' && Array.isArray(raw)) return readChoices(field, raw);
  if (field.kind === 'fines' && Array.isArray(raw)) return readFines(raw);
  if (field.kind === 'yesNo' && typeof raw === 'boolean') return { value: raw };
  if ((field.kind === 'number' || field.kind === 'money') && typeof raw === 'number')
    return readNumber(raw);
  return { wrong: { code: 'wrongType' } };
}

/**
 * Checks the limits of numbers and dates. Money limits are named in dirhams, the unit that the user
 * sees.
 */
function findLimitProblem(
  field: FormField,
  value: unknown,
  today: string,
): ValueProblem | undefined {
  if (typeof value === 'number') {
    const unit = field.kind === 'money' ? 100 : 1;
    if (field.minimum !== undefined && value < field.minimum)
      return { code: 'tooSmall', params: { minimum: field.minimum / unit } };
    if (field.maximum !== undefined && value > field.maximum)
      return { code: 'tooLarge', params: { maximum: field.maximum / unit } };
  }
  if (field.kind === 'date' && typeof value === 'string') {
    const minimum =
      field.formatMinimum === undefined ? undefined : resolveDateLimit(field.formatMinimum, today);
    const maximum =
      field.formatMaximum === undefined ? undefined : resolveDateLimit(field.formatMaximum, today);
    if (minimum !== undefined && value < minimum)
      return { code: 'dateTooEarly', params: { minimum } };
    if (maximum !== undefined && value > maximum)
      return { code: 'dateTooLate', params: { maximum } };
  }
  return undefined;
}

/**
 * Reads one value of a field that is neither a group nor an address, and checks the limits of its
 * field. `today` is YYYY-MM-DD in Asia/Dubai. Never throws.
 */
export function readValue(field: FormField, raw: unknown, today: string): ValueResult {
  const found = readByKind(field, raw);
  if (found === 'nothing' || 'wrong' in found) return found;
  const wrong = findLimitProblem(field, found.value, today);
  return wrong ? { wrong } : found;
}
