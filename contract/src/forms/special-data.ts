import type { LocalizedText } from '../wire/languages.ts';
import type { AttachmentRule, FormField, ServiceForm, SpecialData } from './forms.ts';

/** A question or a document of special data that a request holds. */
export interface SpecialItem {
  kind: SpecialData;
  title: LocalizedText;
}

const isAnswered = (value: unknown) => value !== undefined && value !== null;

function itemsOfField(field: FormField, value: unknown): SpecialItem[] {
  if (!isAnswered(value)) return [];
  const inner = (field.fields ?? []).filter(
    ({ name }) => Array.isArray(value) && value.some((item) => isAnswered(item?.[name])),
  );
  return [field, ...inner].flatMap(({ special, title }) =>
    special === undefined ? [] : [{ kind: special, title }],
  );
}

/**
 * The special data of a request, in the order of its form. `answers` are those that are stored: of shown
 * fields only; `documents` are the names of the rules that have a file.
 */
export function listSpecialData(
  form: ServiceForm,
  rules: readonly AttachmentRule[],
  answers: Readonly<Record<string, unknown>>,
  documents: readonly string[],
): SpecialItem[] {
  const ofAnswers = form.steps
    .flatMap((step) => step.fields)
    .flatMap((field) => itemsOfField(field, answers[field.name]));
  const ofDocuments = rules.flatMap(({ name, title, special }) =>
    special !== undefined && documents.includes(name) ? [{ kind: special, title }] : [],
  );
  return [...ofAnswers, ...ofDocuments];
}

/** The kinds of special data, each once. */
export const kindsOf = (items: readonly SpecialItem[]): SpecialData[] => [
  ...new Set(items.map(({ kind }) => kind)),
];
