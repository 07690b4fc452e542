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

/**
 * The name among those that a draft of a new request has `passed` which says that its author consented
 * to storing special data of a kind in it, before they were asked for any.
 */
export const draftConsent = (kind: SpecialData): string => `special-${kind}`;

/** The kinds of special data that a question asks for, with those of its items. */
export const specialKindsOf = ({ special, fields = [] }: FormField): SpecialData[] => [
  ...new Set(
    [special, ...fields.map((inner) => inner.special)].filter((kind) => kind !== undefined),
  ),
];

/** The names of the questions that ask for special data of a kind without a consent in `passed`. */
export const listUnconsented = (form: ServiceForm, passed: readonly string[]): string[] =>
  form.steps
    .flatMap((step) => step.fields)
    .filter((field) => specialKindsOf(field).some((kind) => !passed.includes(draftConsent(kind))))
    .map(({ name }) => name);
