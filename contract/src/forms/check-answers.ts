import { readAddress } from './address-answers.ts';
import { readValue } from './answer-values.ts';
import type { ValidationIssue } from '../wire/errors.ts';
import { holds, type Condition } from './form-conditions.ts';
import { todayInDubai } from '../wire/days.ts';
import type { Answers, AttachmentRule, FormField, ServiceForm } from './forms.ts';

type Given = Record<string, unknown>;
/** One field as it was answered: what is kept of it, and what is wrong. */
interface Found {
  value?: Answers[string];
  issues: ValidationIssue[];
}

const mostUnknownFields = 20;
/** The most items of a group that sets no number of its own. */
export const defaultMaximumItems = 20;

const nameIn = (path: string, name: string): string =>
  `${path}.${name.slice(0, 40).replace(/[\0\p{Cs}]/gu, '')}`;

function ownValue(answers: Given, name: string): unknown {
  return Object.hasOwn(answers, name) ? answers[name] : undefined;
}

function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The answers of one level, the form or an item of a group. Each field is judged once, when it is
 * first looked at.
 */
class Level {
  readonly #fields: ReadonlyMap<string, FormField>;
  readonly #answers: Given;
  readonly #path: string;
  readonly #today: string;
  readonly #outer: Level | undefined;
  readonly #around: ReadonlyMap<string, readonly Condition[]>;
  readonly #shown = new Map<string, boolean>();
  readonly #found = new Map<string, Found>();

  constructor(
    fields: readonly FormField[],
    answers: Given,
    path: string,
    today: string,
    outer?: Level,
    around: ReadonlyMap<string, readonly Condition[]> = new Map(),
  ) {
    this.#fields = new Map(fields.map((field) => [field.name, field]));
    this.#answers = answers;
    this.#path = path;
    this.#today = today;
    this.#outer = outer;
    this.#around = around;
  }

  holds(condition: Condition): boolean {
    return holds(condition, (name) => this.valueOf(name), this.#today);
  }

  valueOf(name: string): unknown {
    const field = this.#fields.get(name);
    if (!field) return this.#outer?.valueOf(name);
    return this.isShown(field) ? this.find(field).value : undefined;
  }

  /** A field that hangs on itself is never shown. */
  isShown(field: FormField): boolean {
    const known = this.#shown.get(field.name);
    if (known !== undefined) return known;
    this.#shown.set(field.name, false);
    const isShown = [
      ...(this.#around.get(field.name) ?? []),
      ...(field.showWhen ? [field.showWhen] : []),
    ].every((condition) => this.holds(condition));
    this.#shown.set(field.name, isShown);
    return isShown;
  }

  isRequired(field: FormField): boolean {
    return field.required || (field.requiredWhen !== undefined && this.holds(field.requiredWhen));
  }

  /**
   * What is kept of a field and what is wrong with it, whether it is shown or not; that it is
   * missing is said by `issuesOf`.
   */
  find(field: FormField): Found {
    const known = this.#found.get(field.name);
    if (known) return known;
    // A group whose items look back at the group itself sees nothing.
    this.#found.set(field.name, { issues: [] });
    const found = this.#read(
      field,
      ownValue(this.#answers, field.name),
      `${this.#path}.${field.name}`,
    );
    this.#found.set(field.name, found);
    return found;
  }

  /** The faults of a field that is shown. */
  issuesOf(field: FormField): ValidationIssue[] {
    if (field.kind === 'file') return [];
    const { value, issues } = this.find(field);
    if (value !== undefined || issues.length > 0 || !this.isRequired(field)) return issues;
    const path = `${this.#path}.${field.name}`;
    if (field.kind === 'address')
      return readAddress(undefined, true, this.#today).issues.map(({ part, ...wrong }) => ({
        field: `${path}.${part}`,
        ...wrong,
      }));
    return [{ field: path, code: 'required' }];
  }

  #read(field: FormField, raw: unknown, path: string): Found {
    if (field.kind === 'file') return { issues: [] };
    if (field.kind === 'group') return this.#readGroup(field, raw, path);
    if (field.kind === 'address') {
      const { value, issues, isEmpty } = readAddress(raw, false, this.#today);
      return {
        value:
          isEmpty || Object.keys(value).length === 0
            ? undefined
            : (value as Record<string, string>),
        issues: issues.map(({ part, ...wrong }) => ({
          field: part ? nameIn(path, part) : path,
          ...wrong,
        })),
      };
    }
    const read = readValue(field, raw, this.#today);
    if (read === 'nothing') return { issues: [] };
    return 'wrong' in read
      ? { issues: [{ field: path, ...read.wrong }] }
      : { value: read.value, issues: [] };
  }

  #readGroup(field: FormField, raw: unknown, path: string): Found {
    if (raw === undefined || raw === null) return { issues: [] };
    if (!Array.isArray(raw)) return { issues: [{ field: path, code: 'wrongType' }] };
    const [minimum, maximum] = [field.minItems ?? 0, field.maxItems ?? defaultMaximumItems];
    if (raw.length > maximum)
      return { issues: [{ field: path, code: 'tooManyItems', params: { maximum } }] };
    if (raw.length === 0) return { issues: [] };
    const items = raw.map(
      (item: unknown, index): { kept: Record<string, never>; issues: ValidationIssue[] } => {
        if (!isObject(item))
          return { kept: {}, issues: [{ field: `${path}.${index}`, code: 'wrongType' }] };
        const judged = new Level(
          field.fields ?? [],
          item,
          `${path}.${index}`,
          this.#today,
          this,
        ).judge();
        return { kept: judged.answers as Record<string, never>, issues: judged.issues };
      },
    );
    const count: ValidationIssue[] =
      raw.length < minimum ? [{ field: path, code: 'tooFewItems', params: { minimum } }] : [];
    return {
      value: items.map(({ kept }) => kept),
      issues: [...count, ...items.flatMap(({ issues }) => issues)],
    };
  }

  judge(): { answers: Answers; issues: ValidationIssue[] } {
    const asked = [...this.#fields.values()].filter((field) => this.isShown(field));
    const kept = asked.flatMap((field): [string, Answers[string]][] => {
      const { value } = this.find(field);
      return value === undefined ? [] : [[field.name, value]];
    });
    const unknown = Object.keys(this.#answers)
      .filter((name) => (this.#fields.get(name)?.kind ?? 'file') === 'file')
      .slice(0, mostUnknownFields);
    return {
      answers: Object.fromEntries(kept),
      issues: [
        ...asked.flatMap((field) => this.issuesOf(field)),
        ...unknown.map((name): ValidationIssue => ({
          field: nameIn(this.#path, name),
          code: 'unknownField',
        })),
      ],
    };
  }
}

function levelOf(form: ServiceForm, answers: Given, today: string): Level {
  const fields = form.steps.flatMap((step) => step.fields);
  const around = new Map(
    form.steps.flatMap((step) =>
      step.fields.map((field): [string, Condition[]] => {
        const section = step.sections?.find((each) => each.name === field.section);
        return [
          field.name,
          [step.showWhen, section?.showWhen].filter((condition) => condition !== undefined),
        ];
      }),
    ),
  );
  return new Level(fields, answers, 'answers', today, undefined, around);
}

/**
 * Whether a field is asked, given what was answered so far. `today` is YYYY-MM-DD in Asia/Dubai.
 */
export function isFieldShown(
  form: ServiceForm,
  field: FormField,
  answers: Given,
  today: string = todayInDubai(),
): boolean {
  return levelOf(form, answers, today).isShown(field);
}

/**
 * What a group asks within one of its items: the fields that are shown there. `today` is YYYY-MM-DD
 * in Asia/Dubai.
 */
export function itemFieldsShown(
  form: ServiceForm,
  group: FormField,
  item: unknown,
  answers: Given,
  today: string = todayInDubai(),
): FormField[] {
  const level = new Level(
    group.fields ?? [],
    isObject(item) ? item : {},
    '',
    today,
    levelOf(form, answers, today),
  );
  return (group.fields ?? []).filter((field) => level.isShown(field));
}

/**
 * Whether a field must be answered, given what was answered so far; `item` is the item of the group
 * that the field is asked in. `today` is YYYY-MM-DD in Asia/Dubai.
 */
export function isFieldRequired(
  form: ServiceForm,
  field: FormField,
  answers: Given,
  within?: { group: FormField; item: unknown },
  today: string = todayInDubai(),
): boolean {
  const level = levelOf(form, answers, today);
  return (
    within
      ? new Level(
          within.group.fields ?? [],
          isObject(within.item) ? within.item : {},
          '',
          today,
          level,
        )
      : level
  ).isRequired(field);
}

/**
 * Whether a step is on the way: one of its fields is asked. `today` is YYYY-MM-DD in Asia/Dubai.
 */
export function isStepShown(
  form: ServiceForm,
  step: ServiceForm['steps'][number],
  answers: Given,
  today: string = todayInDubai(),
): boolean {
  const level = levelOf(form, answers, today);
  return step.fields.some((field) => level.isShown(field));
}

/**
 * The documents that these answers ask for: one whose place in the form is not shown is not
 * required, one whose place says so is. `isAsked` is false for the former.
 * `today` is YYYY-MM-DD in Asia/Dubai.
 */
export function documentsAsked(
  form: ServiceForm,
  rules: readonly AttachmentRule[],
  answers: Given,
  today: string = todayInDubai(),
): { rule: AttachmentRule; isAsked: boolean }[] {
  const level = levelOf(form, answers, today);
  const places = form.steps.flatMap((step) => step.fields).filter((field) => field.kind === 'file');
  return rules.map((rule) => {
    const place = places.find((field) => field.attachment === rule.name);
    if (!place) return { rule, isAsked: true };
    const isAsked = level.isShown(place);
    return {
      rule: { ...rule, required: isAsked && (rule.required || level.isRequired(place)) },
      isAsked,
    };
  });
}

/**
 * Judges and cleans what a person answered; the browser and the server both do it, so that they
 * never disagree. `today` is YYYY-MM-DD in Asia/Dubai.
 * `answers` holds the good values of the fields that are shown; `issues` name the field as
 * `answers.<name>`, a part of an address as `answers.<name>.<part>` and a field
 * of a group as `answers.<group>.<index>.<name>`, in the order of the form. Never throws.
 */
export function checkAnswers(
  form: ServiceForm,
  answers: Given,
  today: string,
): { answers: Answers; issues: ValidationIssue[] } {
  return levelOf(form, answers, today).judge();
}

/** The issues of one step, judged with the answers of all. */
export function checkStep(
  form: ServiceForm,
  stepIndex: number,
  answers: Given,
  today: string,
): ValidationIssue[] {
  const names = new Set(form.steps[stepIndex]?.fields.map((field) => field.name));
  return checkAnswers(form, answers, today).issues.filter((issue) =>
    names.has(issue.field.split('.')[1] ?? ''),
  );
}
