import type { ValidationIssue } from './errors.ts';
import type { Answers, FormField, ServiceForm } from './forms.ts';

type Answer = Answers[string];
type Wrong = Omit<ValidationIssue, 'field'>;
type Read = { value: Answer } | { wrong: Wrong } | 'nothing';

/** The seven emirates as the kind `emirate` keeps them. */
export const emirates = ['abuDhabi', 'dubai', 'sharjah', 'ajman', 'ummAlQuwain', 'rasAlKhaimah', 'fujairah'] as const;

/** ISO 3166-1 alpha-2 codes that the kind `nationality` takes. */
export const nationalities: readonly string[] = (
  'AE AD AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY ' +
  'HK HN HR HT HU ID IE IN IQ IR IS IT JM JO JP KE KG KH KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PS PT PW PY ' +
  'QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VN VU WS XK YE ZA ZM ZW'
).split(' ');

const defaultMaximumLength: Partial<Record<FormField['kind'], number>> = { text: 200, longText: 2000, email: 254, number: 30, money: 30, choice: 100, choices: 100 };
/** Nobody writes more, and a deployer's pattern is never run over more. */
const absoluteMaximumLength = 10_000;
const mostUnknownFields = 20;

const isFreeText = (field: FormField): boolean => field.kind === 'text' || field.kind === 'longText';

/** The most characters that a field takes. Only free text has lengths of its own; the other kinds have a form that decides. */
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

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The day that a date limit such as `today-30` stands for. `today` is YYYY-MM-DD in Asia/Dubai. */
export function dayOfLimit(limit: string, today: string): string {
  return limit.startsWith('today') ? dayAfter(today, Number(limit.slice('today'.length) || 0)) : limit;
}

function isRealDay(day: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return false;
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) && day >= '1000';
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function passesMod97(iban: string): boolean {
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/** Control and bidi characters change how a text is shown without being seen; people bring them in by copying. */
export function cleanText(raw: string, isLong: boolean): string {
  const marksGone = raw.replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '').replace(/\r\n?/g, '\n');
  const oneLine = isLong ? marksGone : marksGone.replace(/[\n\t]+/g, ' ');
  return oneLine.replace(/[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g, '').normalize('NFC').trim();
}

const compact = (text: string): string => withLatinDigits(text).replace(/[\s\-‐-–—().\u200B-\u200D]/g, '');
const whole = (text: string): string => withLatinDigits(text).replace(/[\s,_\u200B-\u200D]/g, '');

function readNumber(value: number): Read {
  if (!Number.isFinite(value)) return { wrong: { code: 'wrongType' } };
  if (!Number.isInteger(value)) return { wrong: { code: 'notAWholeNumber' } };
  // -0 would come back from JSON as 0.
  return Number.isSafeInteger(value) ? { value: value + 0 } : { wrong: { code: 'tooLarge', params: { maximum: Number.MAX_SAFE_INTEGER } } };
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

/** Digits of another set or small letters are the person's way of writing the same; they are kept as the pattern wants them. */
function readPattern(field: FormField, text: string): Read {
  const matcher = field.pattern === undefined ? null : matcherOf(field.pattern);
  if (matcher === null) return { value: text };
  const latin = withLatinDigits(text);
  const fitting = [text, latin, latin.toUpperCase()].find((candidate) => candidate.length <= text.length && matcher.test(candidate));
  return fitting === undefined ? { wrong: { code: 'pattern', message: field.patternMessage } } : { value: fitting };
}

const email = /^(?!\.)(?!.*\.\.)[^\s@<>()[\]\\,;:"]{1,64}(?<!\.)@(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]$/u;

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
      return /^784\d{12}$/.test(digits) && passesLuhn(digits) ? { value: digits.replace(/^(\d{3})(\d{4})(\d{7})(\d)$/, '$1-$2-$3-$4') } : wrong('emiratesId');
    }
    case 'mobile': {
      const found = /^(?:(?:\+|00)?9710?|0)?(5[02-68]\d{7})$/.exec(compact(text));
      return found ? { value: `+971${found[1]}` } : wrong('mobile');
    }
    case 'iban': {
      const iban = compact(text).toUpperCase();
      return /^AE\d{21}$/.test(iban) && passesMod97(iban) ? { value: iban } : wrong('iban');
    }
    case 'trn': {
      const digits = compact(text);
      return /^1\d{14}$/.test(digits) ? { value: digits } : wrong('trn');
    }
    case 'email':
      return email.test(text) ? { value: text } : wrong('email');
    case 'choice':
      return field.oneOf?.some((option) => option.const === text) ? { value: text } : wrong('notAllowed');
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
  if (isFreeText(field) && field.minLength !== undefined && length < field.minLength) return { wrong: { code: 'tooShort', params: { minimum: field.minLength } } };
  return readText(field, text);
}

function readChoices(field: FormField, raw: readonly unknown[]): Read {
  if (raw.length === 0) return 'nothing';
  const options = (field.oneOf ?? []).map((option) => option.const);
  if (!raw.every((item) => typeof item === 'string' && options.includes(item))) return { wrong: { code: 'notAllowed' } };
  return { value: options.filter((option) => raw.includes(option)) };
}

/** One value as the kind of its field keeps it, without the limits that depend on the day. */
function read(field: FormField, raw: unknown): Read {
  if (raw === undefined || raw === null) return 'nothing';
  if (typeof raw === 'string') return readString(field, raw);
  if (field.kind === 'choices' && Array.isArray(raw)) return readChoices(field, raw);
  if (field.kind === 'yesNo' && typeof raw === 'boolean') return { value: raw };
  if ((field.kind === 'number' || field.kind === 'money') && typeof raw === 'number') return readNumber(raw);
  return { wrong: { code: 'wrongType' } };
}

/** Limits of numbers and dates. A limit of money is named in dirhams, because that is what the person sees. */
function exceeds(field: FormField, value: Answer, today: string): Wrong | undefined {
  if (typeof value === 'number') {
    const unit = field.kind === 'money' ? 100 : 1;
    if (field.minimum !== undefined && value < field.minimum) return { code: 'tooSmall', params: { minimum: field.minimum / unit } };
    if (field.maximum !== undefined && value > field.maximum) return { code: 'tooLarge', params: { maximum: field.maximum / unit } };
  }
  if (field.kind === 'date' && typeof value === 'string') {
    const minimum = field.formatMinimum === undefined ? undefined : dayOfLimit(field.formatMinimum, today);
    const maximum = field.formatMaximum === undefined ? undefined : dayOfLimit(field.formatMaximum, today);
    if (minimum !== undefined && value < minimum) return { code: 'dateTooEarly', params: { minimum } };
    if (maximum !== undefined && value > maximum) return { code: 'dateTooLate', params: { maximum } };
  }
  return undefined;
}

function readWithin(field: FormField, raw: unknown, today: string): Read {
  const found = read(field, raw);
  if (found === 'nothing' || 'wrong' in found) return found;
  const wrong = exceeds(field, found.value, today);
  return wrong ? { wrong } : found;
}

function fieldsOf(form: ServiceForm): FormField[] {
  return form.steps.flatMap((step) => step.fields);
}

/** A field hangs on another that may hang on a third; one that hangs on itself is never shown. */
function isShown(fields: readonly FormField[], field: FormField, valueOf: (field: FormField) => Answer | undefined, asked: readonly string[] = []): boolean {
  const condition = field.showWhen;
  if (condition === undefined) return true;
  const parent = fields.find((other) => other.name === condition.field);
  if (parent === undefined || asked.includes(parent.name)) return false;
  const value = valueOf(parent);
  const holds = Array.isArray(value) ? value.some((item) => condition.in.includes(item)) : value !== undefined && condition.in.some((allowed) => allowed === value);
  return holds && isShown(fields, parent, valueOf, [...asked, parent.name]);
}

function ownValue(answers: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(answers, name) ? answers[name] : undefined;
}

/** Whether a field is asked, given what was answered so far. */
export function isFieldShown(form: ServiceForm, field: FormField, answers: Record<string, unknown>): boolean {
  const valueOf = (other: FormField): Answer | undefined => {
    const found = read(other, ownValue(answers, other.name));
    return found === 'nothing' || 'wrong' in found ? undefined : found.value;
  };
  return isShown(fieldsOf(form), field, valueOf);
}

function unknownFields(fields: readonly FormField[], answers: Record<string, unknown>): ValidationIssue[] {
  const names = new Set(fields.map((field) => field.name));
  return Object.keys(answers).filter((name) => !names.has(name)).slice(0, mostUnknownFields)
    .map((name) => ({ field: `answers.${name.slice(0, 40).replace(/[\0\p{Cs}]/gu, '')}`, code: 'unknownField' }));
}

/**
 * Judges and cleans what a person answered; the browser and the server both do it, so that they never disagree. `today` is YYYY-MM-DD in Asia/Dubai.
 * `answers` holds the good values of the fields that are shown; `issues` name the field as `answers.<name>`, in the order of the form. Never throws.
 */
export function checkAnswers(form: ServiceForm, answers: Record<string, unknown>, today: string): { answers: Answers; issues: ValidationIssue[] } {
  const fields = fieldsOf(form);
  const found = new Map(fields.map((field) => [field.name, readWithin(field, ownValue(answers, field.name), today)]));
  const valueOf = (field: FormField): Answer | undefined => {
    const one = found.get(field.name);
    return one === undefined || one === 'nothing' || 'wrong' in one ? undefined : one.value;
  };
  const kept: [string, Answer][] = [];
  const issues: ValidationIssue[] = [];
  for (const field of fields) {
    if (!isShown(fields, field, valueOf)) continue;
    const one = found.get(field.name) ?? 'nothing';
    const name = `answers.${field.name}`;
    if (one === 'nothing') {
      if (field.required) issues.push({ field: name, code: 'required' });
    } else if ('wrong' in one) issues.push({ field: name, ...one.wrong });
    else kept.push([field.name, one.value]);
  }
  return { answers: Object.fromEntries(kept), issues: [...issues, ...unknownFields(fields, answers)] };
}

/** The issues of one step, judged with the answers of all. */
export function checkStep(form: ServiceForm, stepIndex: number, answers: Record<string, unknown>, today: string): ValidationIssue[] {
  const names = new Set(form.steps[stepIndex]?.fields.map((field) => `answers.${field.name}`));
  return checkAnswers(form, answers, today).issues.filter((issue) => names.has(issue.field));
}
