import { z } from 'zod';
import { answers, type AttachmentRule, type FormField, type ServiceForm } from '../forms/forms.ts';
import { recordId } from '../wire/ids.ts';
import { languages, type Language, type LocalizedText } from '../wire/languages.ts';

/** The largest number of marks in one return. */
export const maximumMarks = 100;
/** The longest text of a mark in one language, and of an explanation, in characters. */
export const maximumMarkLength = 1000;

const text = z.string().trim().max(maximumMarkLength).optional();

/**
 * One thing that the applicant has to correct: `answers.<field>`, `answers.<group>.<index>.<field>`
 * or `attachments.<rule>`; with `attachmentId` only that document. Its text is that of a reason
 * (`reasonId` alone), or a custom text, at least in the applicant's language.
 */
export const returnMark = z.object({
  field: z.string().min(1).max(160),
  attachmentId: z.uuid().optional(),
  reasonId: recordId.optional(),
  messageAr: text,
  messageEn: text,
  messageUr: text,
});
export type ReturnMark = z.infer<typeof returnMark>;

/** A mark in the history; `title` and `message` are in the caller's language. */
export const shownMark = z.object({
  field: z.string(),
  attachmentId: z.uuid().optional(),
  title: z.string(),
  message: z.string(),
});
export type ShownMark = z.infer<typeof shownMark>;

/** The applicant's explanation why something marked stays unchanged. */
export const markExplanation = z.object({
  field: z.string().min(1).max(160),
  attachmentId: z.uuid().optional(),
  text: z.string().trim().min(1).max(maximumMarkLength),
});
export type MarkExplanation = z.infer<typeof markExplanation>;

/**
 * What an update changed: the answers that differ, before and after; by attachment rule, the
 * removed and added documents; and the result of each mark.
 */
export const correction = z.object({
  before: answers,
  after: answers,
  documents: z.array(
    z.object({ name: z.string(), removed: z.array(z.uuid()), added: z.array(z.uuid()) }),
  ),
  marks: z.array(shownMark.extend({ isChanged: z.boolean(), explanation: z.string() })),
});
export type Correction = z.infer<typeof correction>;

/** The key of a mark within its return. */
export function markKey({
  field,
  attachmentId,
}: {
  field: string;
  attachmentId?: string | undefined;
}): string {
  return attachmentId === undefined ? field : `${field}#${attachmentId}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * The answer at `answers.<field>` or `answers.<group>.<index>.<field>`; `undefined` where there is
 * none. Never throws.
 */
export function findAnswer(given: Readonly<Record<string, unknown>>, field: string): unknown {
  return field
    .split('.')
    .slice(1)
    .reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      given,
    );
}

/** Whether two answers are equal as JSON values. */
export function isSameAnswer(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return (one ?? null) === (other ?? null);
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    [...keys].every((key) => isSameAnswer(one[key], other[key]))
  );
}

function findField(form: ServiceForm, name: string | undefined): FormField | undefined {
  // A file field has no answer: staff mark its document.
  return form.steps
    .flatMap((step) => step.fields)
    .find((field) => field.name === name && field.kind !== 'file');
}

function formatIndex(language: Language, index: number): string {
  const options = { useGrouping: false, numberingSystem: 'latn' } as const;
  return new Intl.NumberFormat(language, options).format(index);
}

function titleOfItem(group: LocalizedText, index: number, field: LocalizedText): LocalizedText {
  return Object.fromEntries(
    languages.map((language) => [
      language,
      `${group[language]} ${formatIndex(language, index + 1)}: ${field[language]}`,
    ]),
  ) as LocalizedText;
}

const isItemIndex = (items: unknown, index: string): boolean =>
  /^(0|[1-9]\d{0,3})$/.test(index) && Array.isArray(items) && Number(index) < items.length;

/**
 * The title of `field` in a form with these attachment rules, given the answers; `undefined` for a
 * field that cannot be marked. Never throws.
 */
export function findTargetTitle(
  form: ServiceForm,
  rules: readonly AttachmentRule[],
  given: Readonly<Record<string, unknown>>,
  field: string,
): LocalizedText | undefined {
  const [kind, name, index, own, ...rest] = field.split('.');
  if (rest.length > 0) return undefined;
  if (kind === 'attachments')
    return index === undefined ? rules.find((rule) => rule.name === name)?.title : undefined;
  const found = kind === 'answers' ? findField(form, name) : undefined;
  if (!found || index === undefined) return found?.title;
  const inner = found.fields?.find((each) => each.name === own);
  return inner && isItemIndex(findAnswer(given, `answers.${found.name}`), index)
    ? titleOfItem(found.itemTitle ?? found.title, Number(index), inner.title)
    : undefined;
}
