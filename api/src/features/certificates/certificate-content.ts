import { createTranslator } from '#platform/core/locale-texts.ts';
import { formatAmount } from '#platform/core/localize.ts';
import { splitPlaceholders, type Validity } from '@diwan/contract/content/certificates';
import { addressParts } from '@diwan/contract/forms/address-answers';
import { nationalities } from '@diwan/contract/forms/answer-values';
import { emirates } from '@diwan/contract/forms/emirates';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { dayAfter, dayInDubai, isRealDay } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import type { CertificateBlock, CertificatePiece } from './certificates.store.ts';

const translateForms = createTranslator('forms');

/** The fields of a form that a template can name: all but documents. A group has further fields. */
export function namedFields(form: ServiceForm): FormField[] {
  return form.steps.flatMap(({ fields }) => fields).filter(({ kind }) => kind !== 'file');
}

/** A day as a certificate shows it. */
export const dayOf = (day: string): string => day.split('-').toReversed().join('/');
// Beside other answers of its line.
const missing = '\u2014';

type AnsweredField = Pick<FormField, 'kind' | 'oneOf'>;

const titleOf = ({ oneOf }: AnsweredField, option: unknown, language: Language): string =>
  oneOf?.find((each) => each.const === option)?.title[language] ?? String(option);

const join = (parts: readonly string[], language: Language): string =>
  parts.join(language === 'en-US' ? ', ' : '، ');

// From the smallest part to the emirate.
function addressText(address: Readonly<Record<string, unknown>>, language: Language): string {
  const parts = addressParts.flatMap((kind) => {
    const given = address[kind];
    if (typeof given !== 'string' || given === '') return [];
    return [kind === 'emirate' ? writtenText({ kind }, given, language) : given];
  });
  return join(parts.toReversed(), language);
}

function writtenText(field: AnsweredField, text: string, language: Language): string {
  const emirate = emirates.find((name) => name === text);
  switch (field.kind) {
    case 'choice':
      return titleOf(field, text, language);
    case 'date':
      return dayOf(text);
    case 'emirate':
      return emirate ? translateForms(`emirates.${emirate}`, language) : text;
    case 'nationality':
      return nationalities.includes(text)
        ? (new Intl.DisplayNames([language], { type: 'region' }).of(text) ?? text)
        : text;
    default:
      return text;
  }
}

const isEmptyAnswer = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && Object.values(value).every(isEmptyAnswer));

/**
 * An answer as a certificate shows it; empty where there is none. Latin digits in every language:
 * decision 0007.
 */
export function answerText(field: AnsweredField, value: unknown, language: Language): string {
  if (isEmptyAnswer(value)) return '';
  if (typeof value === 'boolean') return translateForms(value ? 'yes' : 'no', language);
  if (typeof value === 'number')
    return field.kind === 'money' ? formatAmount(value, language) : String(value);
  if (Array.isArray(value))
    return join(
      value.map((option) => titleOf(field, option, language)),
      language,
    );
  return typeof value === 'object'
    ? addressText(value as Record<string, unknown>, language)
    : writtenText(field, String(value), language);
}

/** The answers of a group: the titles of its fields, and a row for each item. */
interface GroupAnswers {
  header: string[];
  rows: string[][];
}

/** The answers of a group as a certificate shows them. An empty answer is an empty cell. */
export function groupAnswers(
  { fields = [] }: Pick<FormField, 'fields'>,
  value: unknown,
  language: Language,
): GroupAnswers {
  const items = Array.isArray(value) ? (value as Readonly<Record<string, unknown>>[]) : [];
  return {
    header: fields.map(({ title }) => title[language]),
    rows: items.map((item) =>
      fields.map((field) =>
        isEmptyAnswer(item[field.name]) ? '' : answerText(field, item[field.name], language),
      ),
    ),
  };
}

/** What the placeholders of a template become. */
export interface TemplateValues {
  /** Empty where there is nothing, as for an answer that was not given. */
  valueOf(placeholder: string): string;
  /** Undefined for a name that is not a group of the form. */
  groupOf(name: string): GroupAnswers | undefined;
}

/** A placeholder of a group ends its line; what precedes it is a heading. */
export function splitGroupLine(
  line: string,
  isGroup: (name: string) => boolean,
): { heading: string; name: string; look: 'table' | 'list' } | undefined {
  const [, heading = '', prefix, name = ''] =
    /^([^{]*)\{\{\s*(field|list)\.(\w+)\s*\}\}\s*$/.exec(line) ?? [];
  if (!prefix || !isGroup(name)) return undefined;
  return { heading: heading.trim(), name, look: prefix === 'list' ? 'list' : 'table' };
}

function groupBlocks(
  { heading, look }: { heading: string; look: 'table' | 'list' },
  { header, rows }: GroupAnswers,
): CertificateBlock[] {
  if (rows.length === 0) return [];
  const items = rows.map((row) => row.filter((text) => text !== '').join(' \u2013 '));
  return [
    ...(heading === '' ? [] : [[{ text: heading, isValue: false }]]),
    look === 'list' ? { items } : { header, rows },
  ];
}

// What every request has is never empty.
const canBeEmpty = (name: string): boolean => name.startsWith('field.') || name === 'validUntil';

function fillLine(line: string, { valueOf }: TemplateValues): CertificatePiece[] {
  const pieces = splitPlaceholders(line);
  const optional = pieces.filter((piece) => piece.isPlaceholder && canBeEmpty(piece.text));
  if (optional.length > 0 && optional.every(({ text }) => valueOf(text) === '')) return [];
  return pieces.map(({ text, isPlaceholder }) =>
    isPlaceholder ? { text: valueOf(text) || missing, isValue: true } : { text, isValue: false },
  );
}

/**
 * The blocks of a template with the values instead of the placeholders. A line is left out where all
 * answers that it quotes are empty, and a group without items.
 */
export function fillTemplate(body: string, values: TemplateValues): CertificateBlock[] {
  return body.split(/\r?\n/).flatMap((line) => {
    const group = splitGroupLine(line, (name) => values.groupOf(name) !== undefined);
    const answers = group && values.groupOf(group.name);
    if (answers) return groupBlocks(group, answers);
    const pieces = fillLine(line, values);
    return pieces.length === 0 ? [] : [pieces];
  });
}

/** The last day of a certificate; undefined without end. `answerOf` gives the answer of a field. */
export function lastDayOf(
  validity: Validity,
  issuedAt: Date,
  answerOf: (field: string) => unknown,
): string | undefined {
  const issuedOn = dayInDubai(issuedAt);
  if (validity.kind === 'period') return dayAfter(addMonths(issuedOn, validity), -1);
  if (validity.kind === 'endOfYear') return `${issuedOn.slice(0, 4)}-12-31`;
  if (validity.kind === 'none') return undefined;
  const answer = answerOf(validity.field);
  return typeof answer === 'string' && isRealDay(answer) ? answer : undefined;
}

// The 31st of a month that has 30 days is its last day.
function addMonths(day: string, { count, unit }: Extract<Validity, { kind: 'period' }>): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const months = month - 1 + (unit === 'years' ? count * 12 : count);
  const last = new Date(Date.UTC(year, months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, months, Math.min(date, last))).toISOString().slice(0, 10);
}
