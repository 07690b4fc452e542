import type { ValidationIssue } from '../wire/errors.ts';
import { dayOfLimit, isRealDay } from '../wire/days.ts';
import type { FormField } from './forms.ts';

/** What is wrong with one value. */
export type Wrong = Omit<ValidationIssue, 'field'>;
/**
 * What came of reading one value: a good value in the one spelling that is kept, what is wrong with
 * it, or that there is none.
 */
export type Read = { value: string | number | boolean | string[] } | { wrong: Wrong } | 'nothing';

/** The seven emirates as the kind `emirate` keeps them. */
export const emirates = [
  'abuDhabi',
  'dubai',
  'sharjah',
  'ajman',
  'ummAlQuwain',
  'rasAlKhaimah',
  'fujairah',
] as const;

/** ISO 3166-1 alpha-2 codes that the kind `nationality` takes. */
export const nationalities: readonly string[] = (
  'AE AD AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY ' +
  'HK HN HR HT HU ID IE IN IQ IR IS IT JM JO JP KE KG KH KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PS PT PW PY ' +
  'QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VN VU WS XK YE ZA ZM ZW'
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
/** Nobody writes more, and a deployer's pattern is never run over more. */
const absoluteMaximumLength = 10_000;

const isFreeText = (field: FormField): boolean =>
  field.kind === 'text' || field.kind === 'longText';

/**
 * The most characters that a field takes. Only free text has lengths of its own; the other kinds
 * have a form that decides.
 */
export function maximumLengthOf(field: FormField): number {
  const own = isFreeText(field) ? field.maxLength : undefined;
  return Math.min(own ?? defaultMaximumLength[field.kind] ?? 40, absoluteMaximumLength);
}

/** Digits of every set as Latin ones; the Arabic decimal and thousands signs too. */
function withLatinDigits(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replaceAll('٫', '.')
    .replaceAll('٬', ',');
}

function passesLuhn(digits: string): boolean {
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

/**
 * Control and bidi characters change how a text is shown without being seen; people bring them in
 * by copying.
 */
export function cleanText(raw: string, isLong: boolean): string {
  const marksGone = raw
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/\r\n?/g, '\n');
  const oneLine = isLong ? marksGone : marksGone.replace(/[\n\t]+/g, ' ');
  return oneLine
    .replace(/[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g, '')
    .normalize('NFC')
    .trim();
}

/**
 * Without spaces, dashes, strokes and brackets, in Latin digits: how codes and phone numbers are
 * compared.
 */
export const compact = (text: string): string =>
  withLatinDigits(text.normalize('NFKC')).replace(/[\s\p{Pd}\u2212_/().\u200B-\u200D\uFEFF]/gu, '');
/** What stands before a number where people copy it from: `IBAN:`, `TRN`, `tel:`. */
const withoutName = (text: string): string =>
  compact(text).replace(/^(?:IBAN|TRN|tel|mobile):?/i, '');
const whole = (text: string): string => withLatinDigits(text).replace(/[\s,_\u200B-\u200D]/g, '');

function readNumber(value: number): Read {
  if (!Number.isFinite(value)) return { wrong: { code: 'wrongType' } };
  if (!Number.isInteger(value)) return { wrong: { code: 'notAWholeNumber' } };
  // -0 would come back from JSON as 0.
  return Number.isSafeInteger(value)
    ? { value: value + 0 }
    : { wrong: { code: 'tooLarge', params: { maximum: Number.MAX_SAFE_INTEGER } } };
}

const matchers = new Map<string, RegExp | null>();

function matcherOf(pattern: string): RegExp | null {
  const known = matchers.get(pattern);
  if (known !== undefined) return known;
  for (const flags of ['u', '']) {
    try {
      const matcher = new RegExp(`^(?:${pattern})$`, flags);
      matchers.set(pattern, matcher);
      return matcher;
    } catch {
      // A pattern written before the `u` flag is still a pattern.
    }
  }
  matchers.set(pattern, null);
  return null;
}

/**
 * Digits of another set or small letters are the person's way of writing the same; they are kept as
 * the pattern wants them.
 */
function readPattern(field: FormField, text: string): Read {
  const matcher = field.pattern === undefined ? null : matcherOf(field.pattern);
  if (matcher === null) return { value: text };
  const latin = withLatinDigits(text);
  const fitting = [text, latin, latin.toUpperCase()].find(
    (candidate) => candidate.length <= text.length && matcher.test(candidate),
  );
  return fitting === undefined
    ? { wrong: { code: 'pattern', message: field.patternMessage } }
    : { value: fitting };
}

const email =
  /^(?!\.)(?!.*\.\.)[^\s@<>()[\]\\,;:"]{1,64}(?<!\.)@(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]$/u;

function readText(field: FormField, text: string): Read {
  const wrong = (code: ValidationIssue['code']): Read => ({ wrong: { code } });
  switch (field.kind) {
    case 'number':
    case 'money': {
      const digits = whole(text);
      return /^[+-]?\d+(\.\d+)?$/.test(digits) ? readNumber(Number(digits)) : wrong('wrongType');
    }
    case 'date': {
      const day = withLatinDigits(text);
      return isRealDay(day) ? { value: day } : wrong('date');
    }
    case 'emiratesId': {
      const digits = compact(text);
      return /^784\d{12}$/.test(digits) && passesLuhn(digits)
        ? { value: digits.replace(/^(\d{3})(\d{4})(\d{7})(\d)$/, '$1-$2-$3-$4') }
        : wrong('emiratesId');
    }
    case 'mobile': {
      // Written from right to left, the plus ends up on the other side.
      const found = /^(?:(?:\+|00)?9710?|0)?(5[02-68]\d{7})$/.exec(
        withoutName(text).replace(/^(\d+)\+$/, '+$1'),
      );
      return found ? { value: `+971${found[1]}` } : wrong('mobile');
    }
    case 'iban': {
      const iban = withoutName(text)
        .toUpperCase()
        .replace(/^(?=\d{21}$)/, 'AE');
      return /^AE\d{21}$/.test(iban) && passesMod97(iban) ? { value: iban } : wrong('iban');
    }
    case 'trn': {
      const digits = withoutName(text);
      return /^1\d{14}$/.test(digits) ? { value: digits } : wrong('trn');
    }
    case 'email':
      return email.test(text) ? { value: text } : wrong('email');
    case 'choice':
      return field.oneOf?.some((option) => option.const === text)
        ? { value: text }
        : wrong('notAllowed');
    case 'emirate':
      return emirates.some((name) => name === text) ? { value: text } : wrong('notAllowed');
    case 'nationality':
      return nationalities.includes(text) ? { value: text } : wrong('notAllowed');
    case 'yesNo':
    case 'choices':
      return wrong('wrongType');
    default:
      return readPattern(field, text);
  }
}

function readString(field: FormField, raw: string): Read {
  if (raw === '') return 'nothing';
  const maximum = maximumLengthOf(field);
  const tooLong: Read = { wrong: { code: 'tooLong', params: { maximum } } };
  // Judged before any work is done on it; marks that cleaning takes away are allowed for.
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

function readChoices(field: FormField, raw: readonly unknown[]): Read {
  if (raw.length === 0) return 'nothing';
  const options = (field.oneOf ?? []).map((option) => option.const);
  if (!raw.every((item) => typeof item === 'string' && options.includes(item)))
    return { wrong: { code: 'notAllowed' } };
  return { value: options.filter((option) => raw.includes(option)) };
}

/** One value as the kind of its field keeps it, without the limits that depend on the day. */
function read(field: FormField, raw: unknown): Read {
  if (raw === undefined || raw === null) return 'nothing';
  if (typeof raw === 'string') return readString(field, raw);
  if (field.kind === 'choices' && Array.isArray(raw)) return readChoices(field, raw);
  if (field.kind === 'yesNo' && typeof raw === 'boolean') return { value: raw };
  if ((field.kind === 'number' || field.kind === 'money') && typeof raw === 'number')
    return readNumber(raw);
  return { wrong: { code: 'wrongType' } };
}

/**
 * Limits of numbers and dates. A limit of money is named in dirhams, because that is what the
 * person sees.
 */
function exceeds(field: FormField, value: unknown, today: string): Wrong | undefined {
  if (typeof value === 'number') {
    const unit = field.kind === 'money' ? 100 : 1;
    if (field.minimum !== undefined && value < field.minimum)
      return { code: 'tooSmall', params: { minimum: field.minimum / unit } };
    if (field.maximum !== undefined && value > field.maximum)
      return { code: 'tooLarge', params: { maximum: field.maximum / unit } };
  }
  if (field.kind === 'date' && typeof value === 'string') {
    const minimum =
      field.formatMinimum === undefined ? undefined : dayOfLimit(field.formatMinimum, today);
    const maximum =
      field.formatMaximum === undefined ? undefined : dayOfLimit(field.formatMaximum, today);
    if (minimum !== undefined && value < minimum)
      return { code: 'dateTooEarly', params: { minimum } };
    if (maximum !== undefined && value > maximum)
      return { code: 'dateTooLate', params: { maximum } };
  }
  return undefined;
}

/**
 * One value of a field, neither group nor address, judged with the limits of its field. `today` is
 * YYYY-MM-DD in Asia/Dubai. Never throws.
 */
export function readValue(field: FormField, raw: unknown, today: string): Read {
  const found = read(field, raw);
  if (found === 'nothing' || 'wrong' in found) return found;
  const wrong = exceeds(field, found.value, today);
  return wrong ? { wrong } : found;
}
