import type { AttachmentRule, FormField, ServiceForm } from '../forms/forms.ts';
import { languages, type LocalizedText } from '../wire/languages.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * What a form holds at `answers.<field>` or `answers.<group>.<index>.<field>`; `undefined` where
 * nothing was answered. Never throws.
 */
export function answerAt(answers: Readonly<Record<string, unknown>>, field: string): unknown {
  return field
    .split('.')
    .slice(1)
    .reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      answers,
    );
}

/** Whether two answers are the same, as JSON knows them. */
export function isSameAnswer(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return (one ?? null) === (other ?? null);
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    [...keys].every((key) => isSameAnswer(one[key], other[key]))
  );
}

function findField(form: ServiceForm, name: string | undefined): FormField | undefined {
  // The place of a document has no answer: its document is marked.
  return form.steps
    .flatMap((step) => step.fields)
    .find((field) => field.name === name && field.kind !== 'file');
}

function ofItem(group: LocalizedText, index: number, field: LocalizedText): LocalizedText {
  return Object.fromEntries(
    languages.map((language) => [
      language,
      `${group[language]} ${new Intl.NumberFormat(language, { useGrouping: false, numberingSystem: 'latn' }).format(index + 1)}: ${field[language]}`,
    ]),
  ) as LocalizedText;
}

/**
 * What is called `field` in a form with these documents, given the answers; `undefined` for what is
 * not there to be marked. Never throws.
 */
export function titleOfTarget(
  form: ServiceForm,
  rules: readonly AttachmentRule[],
  answers: Readonly<Record<string, unknown>>,
  field: string,
): LocalizedText | undefined {
  const [kind, name, index, own, ...rest] = field.split('.');
  if (kind === 'attachments')
    return index === undefined ? rules.find((rule) => rule.name === name)?.title : undefined;
  const found = kind === 'answers' ? findField(form, name) : undefined;
  if (!found || rest.length > 0 || index === undefined)
    return rest.length > 0 ? undefined : found?.title;
  const inner = found.fields?.find((each) => each.name === own);
  const items = answerAt(answers, `answers.${found.name}`);
  const isItem =
    /^(0|[1-9]\d{0,3})$/.test(index) && Array.isArray(items) && Number(index) < items.length;
  return inner && isItem
    ? ofItem(found.itemTitle ?? found.title, Number(index), inner.title)
    : undefined;
}
