import { getMaximumLength, passesLuhn } from '@diwan/contract/forms/answer-values';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { resolveDateLimit } from '@diwan/contract/wire/days';

type Answers = Record<string, unknown>;

const digits = '1234567890'.repeat(4);
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Texts of common patterns: so many digits, letters, or both; the first that fits is used. */
const candidates: readonly string[] = [
  ...Array.from({ length: 30 }, (_, index) => digits.slice(0, index + 1)),
  ...Array.from({ length: 12 }, (_, index) => letters.slice(0, index + 1)),
  ...Array.from({ length: 12 }, (_, index) => `A${digits.slice(0, index + 1)}`),
  ...Array.from({ length: 8 }, (_, index) => `AB${digits.slice(0, index + 1)}`),
  '12/2026',
  '2026/12',
  '123/2026',
  '12-2026',
  '1HGCM82633A004352',
];

function textOf(field: FormField, sample: string): string | undefined {
  const { minLength = 0, pattern } = field;
  const long = sample.padEnd(minLength, ` ${sample}`).slice(0, getMaximumLength(field)).trim();
  if (pattern === undefined) return long;
  const isFit = (text: string) => {
    try {
      return new RegExp(`^(?:${pattern})$`, 'u').test(text);
    } catch {
      return false;
    }
  };
  return [long, ...candidates].find(
    (text) => text.length >= minLength && text.length <= getMaximumLength(field) && isFit(text),
  );
}

function numberOf({ minimum, maximum, kind }: FormField): number {
  const usual = kind === 'money' ? 10_000 : 2;
  return Math.min(Math.max(usual, minimum ?? usual), maximum ?? Infinity);
}

/** An Emirates ID number with the right check digit; nobody was born in that year. */
function emiratesId(): string {
  const start = '78418001234567';
  return start + [...'0123456789'].find((digit) => passesLuhn(start + digit));
}

const optionsOf = ({ oneOf }: FormField) => (oneOf ?? []).map((option) => option.const);

const fixedAnswers: Partial<Record<FormField['kind'], unknown>> = {
  yesNo: true,
  emiratesId: emiratesId(),
  mobile: '+971501234567',
  email: 'applicant@example.ae',
  iban: 'AE070331234567890123456',
  trn: '100123456700003',
  nationality: 'AE',
  emirate: 'dubai',
};

function answerOf(field: FormField, today: string, sample: string): unknown {
  switch (field.kind) {
    case 'number':
    case 'money':
      return numberOf(field);
    case 'date':
      return resolveDateLimit(field.formatMaximum ?? field.formatMinimum ?? 'today', today);
    case 'choice':
      return optionsOf(field)[0];
    case 'choices':
      return optionsOf(field).slice(0, 2);
    case 'address':
      return { emirate: 'dubai', area: sample, building: '12' };
    case 'group':
      return Array.from({ length: Math.max(1, field.minItems ?? 1) }, () =>
        answersOf((field.fields ?? []) as FormField[], today, sample),
      );
    case 'text':
    case 'longText':
      return textOf(field, sample);
    default:
      return fixedAnswers[field.kind];
  }
}

function answersOf(fields: readonly FormField[], today: string, sample: string): Answers {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const answer = answerOf(field, today, sample);
      return answer === undefined ? [] : [[field.name, answer]];
    }),
  );
}

/**
 * Made-up answers to every question of a form, within its limits. `sample` is a short text in the
 * language of the reader. A pattern that no common text fits stays without an answer.
 */
export const makeTestAnswers = ({ steps }: ServiceForm, today: string, sample: string): Answers =>
  answersOf(
    steps.flatMap(({ fields }) => fields),
    today,
    sample,
  );
