import { checkAnswers } from '@diwan/contract/forms/check-answers';
import { maximumFields, maximumGroupItems } from '@diwan/contract/forms/check-form';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import type { SavedDraft } from '@diwan/contract/requests/drafts';
import type { Language } from '@diwan/contract/wire/languages';

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns whether a field can hold a value while it is edited, valid or not. The page cannot show
 * other values.
 */
function canContain(field: FormField, value: unknown): boolean {
  switch (field.kind) {
    case 'number':
    case 'money':
      return typeof value === 'number' || isText(value);
    case 'yesNo':
      return typeof value === 'boolean' || value === '';
    case 'choices':
    case 'fines':
      return Array.isArray(value) && value.every(isText);
    case 'address':
      return isObject(value) && Object.values(value).every(isText);
    case 'group':
      return (
        Array.isArray(value) &&
        value.length <= maximumGroupItems &&
        value.every(
          (item) =>
            isObject(item) &&
            Object.entries(item).every(([name, one]) =>
              (field.fields ?? []).some(
                (own) => own.name === name && (one === null || canContain(own, one)),
              ),
            ),
        )
      );
    case 'file':
      return false;
    default:
      return isText(value);
  }
}

const fieldsOf = (form: ServiceForm): FormField[] => form.steps.flatMap((step) => step.fields);

/**
 * Returns the answers that the form can hold, and the names of the others. A field without a value
 * is null in JSON and is left out silently. `refused`: the fields whose answers may not be stored.
 */
export function selectFittingAnswers(
  form: ServiceForm,
  answers: Record<string, unknown>,
  refused: readonly string[] = [],
): { fitting: Record<string, unknown>; leftOut: string[] } {
  const fields = new Map(fieldsOf(form).map((field) => [field.name, field]));
  const given = Object.entries(answers).filter(([, value]) => value !== null);
  const fits = ([name, value]: [string, unknown]) => {
    const field = fields.get(name);
    return field !== undefined && !refused.includes(name) && canContain(field, value);
  };
  return {
    fitting: Object.fromEntries(given.filter(fits)),
    leftOut: given
      .filter((one) => !fits(one))
      .map(([name]) => `answers.${name.slice(0, 40)}`)
      .slice(0, 50),
  };
}

/**
 * The stored answers to questions that the form does not ask any more. They stay in the draft for
 * the case that the question comes back, and are neither shown nor sent.
 */
export function selectAnswersWithoutField(
  form: ServiceForm,
  answers: Record<string, unknown> = {},
): Record<string, unknown> {
  const names = new Set(fieldsOf(form).map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(answers)
      .filter(([name]) => !names.has(name))
      .slice(0, maximumFields),
  );
}

const isAnswered = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0);

function wrongNames(
  form: ServiceForm,
  answers: Record<string, unknown>,
  today: string,
): Set<string> {
  return new Set(
    checkAnswers(form, answers, today)
      .issues.filter(({ code }) => code !== 'required')
      .map(({ field }) => field.split('.')[1] ?? ''),
  );
}

/** The changes of a form since a draft was saved. */
export function formChanges(
  before: ServiceForm,
  now: ServiceForm,
  answers: Record<string, unknown>,
  { today, language }: { today: string; language: Language },
): SavedDraft['formChanges'] {
  if (JSON.stringify(sorted(before)) === JSON.stringify(sorted(now))) return [];
  const [old, current] = [
    new Map(fieldsOf(before).map((field) => [field.name, field])),
    new Map(fieldsOf(now).map((field) => [field.name, field])),
  ];
  const [wrongBefore, wrongNow] = [
    wrongNames(before, answers, today),
    wrongNames(now, answers, today),
  ];
  const title = (field: FormField | undefined) => field?.title[language] ?? '';
  const answered = Object.keys(answers).filter((name) => isAnswered(answers[name]));
  return [
    ...answered
      .filter((name) => old.has(name) && !current.has(name))
      .map((name) => ({ kind: 'removed' as const, title: title(old.get(name)) })),
    ...answered
      .filter((name) => current.has(name) && wrongNow.has(name) && !wrongBefore.has(name))
      .map((name) => ({ kind: 'changed' as const, title: title(current.get(name)) })),
    ...[...current.values()]
      .filter((field) => !old.has(field.name))
      .map((field) => ({ kind: 'added' as const, title: title(field) })),
  ];
}

// jsonb does not preserve the order of keys.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, one]) => one !== undefined)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, one]) => [name, sorted(one)]),
      )
    : value;
}

/** How many stages of a service are passed: the steps of its form, then its documents if any. */
export function progressOf(
  { form, attachments }: { form: ServiceForm; attachments: readonly unknown[] },
  passed: readonly string[],
): { done: number; total: number } {
  const names = new Set([
    ...form.steps.map((step) => step.name),
    ...(attachments.length > 0 ? ['documents'] : []),
  ]);
  return {
    done: passed.filter((name) => names.has(name.replace(/-step$/, ''))).length,
    total: names.size,
  };
}
