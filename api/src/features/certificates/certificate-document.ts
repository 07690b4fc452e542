import { renderSVG } from 'uqr';
import { createTranslator } from '#platform/core/locale-texts.ts';
import type { PdfOrder } from '#platform/pdf/make-pdf.ts';
import { splitPlaceholders } from '@diwan/contract/content/certificates';
import { addressParts } from '@diwan/contract/forms/address-answers';
import { emirates, nationalities } from '@diwan/contract/forms/answer-values';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import type { CertificateContent } from './certificates.store.ts';

const translate = createTranslator('certificates');
const translateForms = createTranslator('forms');

/** The fields of a form that a template can name: those with one answer that is a text. */
export function namedFields(form: ServiceForm): FormField[] {
  return form.steps
    .flatMap(({ fields }) => fields)
    .filter(({ kind }) => kind !== 'group' && kind !== 'file');
}

const dayOf = (day: string): string => day.split('-').toReversed().join('/');
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

/** An answer as a certificate shows it. Latin digits in every language: decision 0007. */
export function answerText(field: AnsweredField, value: unknown, language: Language): string {
  if (value === undefined || value === null || value === '') return missing;
  if (typeof value === 'boolean') return translateForms(value ? 'yes' : 'no', language);
  if (typeof value === 'number')
    return field.kind === 'money' ? `AED ${(value / 100).toFixed(2)}` : String(value);
  if (Array.isArray(value))
    return join(
      value.map((option) => titleOf(field, option, language)),
      language,
    );
  return typeof value === 'object'
    ? addressText(value as Record<string, unknown>, language)
    : writtenText(field, String(value), language);
}

// A letter with a vowel sign would be extracted wrongly, and the same letter without one too.
const plain = (text: string): string => text.replace(/[\u064B-\u0652\u0670]/g, '');

/** The paragraphs of a template with the values instead of the placeholders. */
export function fillTemplate(
  body: string,
  valueOf: (placeholder: string) => string,
): CertificateContent['paragraphs'] {
  return body.split(/\r?\n/).flatMap((line) => {
    const pieces = splitPlaceholders(line).map(({ text, isPlaceholder }) =>
      isPlaceholder ? { text: valueOf(text), isValue: true } : { text, isValue: false },
    );
    return pieces.length === 0 ? [] : [pieces];
  });
}

const labelNames = ['number', 'issued', 'agency', 'check', 'preview', 'demo'] as const;

interface Printed {
  content: CertificateContent;
  /** Empty in a preview. */
  number: string;
  address: string;
  issuedAt: Date;
  isDemo: boolean;
}

/** What to print: one certificate in the language in which it was issued. */
export function certificateOrder(printed: Printed): PdfOrder {
  const { content, number, address, issuedAt, isDemo } = printed;
  const { language } = content;
  const isPreview = number === '';
  return {
    template: new URL('../../../templates/certificate.typ', import.meta.url),
    createdAt: issuedAt,
    data: {
      language,
      title: plain(content.title),
      agency: plain(content.agency),
      number,
      issuedOn: dayOf(dayInDubai(issuedAt)),
      paragraphs: content.paragraphs.map((pieces) =>
        pieces.map(({ text, isValue }) => ({
          text: plain(text),
          isValue,
          // Numbers, days and names in Latin letters keep their direction.
          isLatin: isValue && !/[\p{Script=Arabic}]/u.test(text),
        })),
      ),
      isPreview,
      isDemo,
      labels: Object.fromEntries(
        labelNames.map((name) => [name, plain(translate(`document.${name}`, language))]),
      ),
      address,
      code: renderSVG(isPreview ? 'preview' : address, { ecc: 'M', border: 2 }),
      attachment: JSON.stringify({ number, issuedOn: dayInDubai(issuedAt), ...content }),
    },
  };
}
