import { todayInDubai } from '../wire/days.ts';
import type { ValidationIssue } from '../wire/errors.ts';
import { readAddressAnswer } from './address-answers.ts';
import { readValue } from './answer-values.ts';
import { isConditionMet, type Condition } from './form-conditions.ts';
import type { Answers, AttachmentRule, FormField, ServiceForm } from './forms.ts';

type GivenAnswers = Record<string, unknown>;
/** The result of reading one field: its stored value and its issues. */
interface FieldResult {
  value?: Answers[string];
  issues: ValidationIssue[];
}

const maximumUnknownFields = 20;
/** The most items of a group that does not set its own maximum. */
export const defaultMaximumGroupItems = 20;

const joinPath = (path: string, name: string): string =>
  `${path}.${name.slice(0, 40).replace(/[\0\p{Cs}]/gu, '')}`;

function ownValue(answers: GivenAnswers, name: string): unknown {
  return Object.hasOwn(answers, name) ? answers[name] : undefined;
}

function isObject(value: unknown): value is GivenAnswers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a level by their names, and the conditions of the steps and sections around them. */
interface LevelFields {
  fields: ReadonlyMap<string, FormField>;
  around: ReadonlyMap<string, readonly Condition[]>;
}

/**
 * `path` is the prefix of field names in issues, `outer` the level of the form around a group's
 * item.
 */
interface LevelOptions {
  path?: string;
  today: string;
  outer?: Level;
}

/**
 * The answers of one level: the form, or one item of a group. Each field is read once, on first
 * use.
 */
class Level {
  readonly #fields: ReadonlyMap<string, FormField>;
  readonly #answers: GivenAnswers;
  readonly #path: string;
  readonly #today: string;
  readonly #outer: Level | undefined;
  readonly #around: ReadonlyMap<string, readonly Condition[]>;
  readonly #shown = new Map<string, boolean>();
  readonly #found = new Map<string, FieldResult>();

  constructor(
    { fields, around }: LevelFields,
    answers: unknown,
    { path = '', today, outer }: LevelOptions,
  ) {
    this.#fields = fields;
    this.#answers = isObject(answers) ? answers : {};
    this.#path = path;
    this.#today = today;
    this.#outer = outer;
    this.#around = around;
  }

  holds(condition: Condition): boolean {
    return isConditionMet(condition, (name) => this.valueOf(name), this.#today);
  }

  valueOf(name: string): unknown {
    const field = this.#fields.get(name);
    if (!field) return this.#outer?.valueOf(name);
    return this.isShown(field) ? this.find(field).value : undefined;
  }

  /** A field that depends on itself is never shown. */
  isShown(field: FormField): boolean {
    const known = this.#shown.get(field.name);
    if (known !== undefined) return known;
    this.#shown.set(field.name, false);
    const isShown =
      (this.#around.get(field.name) ?? []).every((condition) => this.holds(condition)) &&
      (field.showWhen === undefined || this.holds(field.showWhen));
    this.#shown.set(field.name, isShown);
    return isShown;
  }

  isRequired(field: FormField): boolean {
    // Nobody chooses what is due, and nothing may be due.
    if (field.payAll === true) return false;
    return field.required || (field.requiredWhen !== undefined && this.holds(field.requiredWhen));
  }

  /**
   * The stored value of a field and its issues, whether it is shown or not; `issuesOf` adds the
   * issue for a missing answer.
   */
  find(field: FormField): FieldResult {
    const known = this.#found.get(field.name);
    if (known) return known;
    // A group whose items refer to the group itself sees no value.
    this.#found.set(field.name, { issues: [] });
    const found = this.#read(
      field,
      ownValue(this.#answers, field.name),
      `${this.#path}.${field.name}`,
    );
    this.#found.set(field.name, found);
    return found;
  }

  /** The issues of a shown field. */
  issuesOf(field: FormField): ValidationIssue[] {
    if (field.kind === 'file') return [];
    const { value, issues } = this.find(field);
    if (value !== undefined || issues.length > 0 || !this.isRequired(field)) return issues;
    const path = `${this.#path}.${field.name}`;
    if (field.kind === 'address')
      return readAddressAnswer(undefined, true, this.#today).issues.map(({ part, ...wrong }) => ({
        field: `${path}.${part}`,
        ...wrong,
      }));
    return [{ field: path, code: 'required' }];
  }

  #read(field: FormField, raw: unknown, path: string): FieldResult {
    if (field.kind === 'file') return { issues: [] };
    if (field.kind === 'group') return this.#readGroup(field, raw, path);
    if (field.kind === 'address') {
      const { value, issues, isEmpty } = readAddressAnswer(raw, false, this.#today);
      return {
        value:
          isEmpty || Object.keys(value).length === 0
            ? undefined
            : (value as Record<string, string>),
        issues: issues.map(({ part, ...wrong }) => ({
          field: part ? joinPath(path, part) : path,
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

  #readGroup(field: FormField, raw: unknown, path: string): FieldResult {
    if (raw === undefined || raw === null) return { issues: [] };
    if (!Array.isArray(raw)) return { issues: [{ field: path, code: 'wrongType' }] };
    const [minimum, maximum] = [field.minItems ?? 0, field.maxItems ?? defaultMaximumGroupItems];
    if (raw.length > maximum)
      return { issues: [{ field: path, code: 'tooManyItems', params: { maximum } }] };
    if (raw.length === 0) return { issues: [] };
    const items = raw.map(
      (item: unknown, index): { stored: Record<string, never>; issues: ValidationIssue[] } => {
        if (!isObject(item))
          return { stored: {}, issues: [{ field: `${path}.${index}`, code: 'wrongType' }] };
        const result = new Level(fieldsOfGroup(field), item, {
          path: `${path}.${index}`,
          today: this.#today,
          outer: this,
        }).validate();
        return { stored: result.answers as Record<string, never>, issues: result.issues };
      },
    );
    const count: ValidationIssue[] =
      raw.length < minimum ? [{ field: path, code: 'tooFewItems', params: { minimum } }] : [];
    return {
      value: items.map(({ stored }) => stored),
      issues: [...count, ...items.flatMap(({ issues }) => issues)],
    };
  }

  validate(): { answers: Answers; issues: ValidationIssue[] } {
    const answers: [string, Answers[string]][] = [];
    const issues: ValidationIssue[] = [];
    const asked = [...this.#fields.values()].filter((field) => this.isShown(field));
    for (const field of asked) {
      const { value } = this.find(field);
      if (value !== undefined) answers.push([field.name, value]);
      issues.push(...this.issuesOf(field));
    }
    const unknown = Object.keys(this.#answers)
      .filter((name) => (this.#fields.get(name)?.kind ?? 'file') === 'file')
      .slice(0, maximumUnknownFields);
    for (const name of unknown)
      issues.push({ field: joinPath(this.#path, name), code: 'unknownField' });
    return { answers: Object.fromEntries(answers), issues };
  }
}

const byName = (fields: readonly FormField[]) =>
  new Map(fields.map((field) => [field.name, field]));

const fieldsOfGroup = ({ fields = [] }: FormField): LevelFields => ({
  fields: byName(fields),
  around: new Map(),
});

function fieldsOfForm(form: ServiceForm): LevelFields {
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
  return { fields: byName(form.steps.flatMap((step) => step.fields)), around };
}

// Forms are immutable. Without this each request on the server, and each key in a browser, would walk
// through all fields first.
const knownForms = new WeakMap<ServiceForm, LevelFields>();

function createLevel(form: ServiceForm, answers: GivenAnswers, today: string): Level {
  const known = knownForms.get(form);
  const fields = known ?? fieldsOfForm(form);
  if (!known) knownForms.set(form, fields);
  return new Level(fields, answers, { path: 'answers', today });
}

/** The answers to a form, each of which is read once. */
export interface FormAnswers {
  /** What they say to a condition outside of the form: only valid values of shown fields count. */
  holds: (condition: Condition) => boolean;
  valueOf: (field: string) => unknown;
  isShown: (field: FormField) => boolean;
  /** See `checkAnswers`. */
  check: () => { answers: Answers; issues: ValidationIssue[] };
  /** See `listRequiredDocuments`. */
  listRequiredDocuments: (rules: readonly AttachmentRule[]) => RequiredDocument[];
}

/** `isAsked` is false for a document whose field is hidden. */
interface RequiredDocument {
  rule: AttachmentRule;
  isAsked: boolean;
}

/** Reads answers, such as for the fees. `today` is YYYY-MM-DD in Asia/Dubai. */
export function readFormAnswers(
  form: ServiceForm,
  answers: GivenAnswers,
  today: string,
): FormAnswers {
  const level = createLevel(form, answers, today);
  return {
    holds: (condition) => level.holds(condition),
    valueOf: (field) => level.valueOf(field),
    isShown: (field) => level.isShown(field),
    check: () => level.validate(),
    listRequiredDocuments: (rules) => findRequired(level, form, rules),
  };
}

function findRequired(
  level: Level,
  form: ServiceForm,
  rules: readonly AttachmentRule[],
): RequiredDocument[] {
  if (rules.length === 0) return [];
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

/** Whether a field is asked, given the answers so far. `today` is YYYY-MM-DD in Asia/Dubai. */
export function isFieldShown(
  form: ServiceForm,
  field: FormField,
  answers: GivenAnswers,
  today: string = todayInDubai(),
): boolean {
  return createLevel(form, answers, today).isShown(field);
}

/**
 * The fields of a group that are shown within one of its items. `today` is YYYY-MM-DD in
 * Asia/Dubai.
 */
export function listShownItemFields(
  form: ServiceForm,
  group: FormField,
  item: unknown,
  answers: GivenAnswers,
): FormField[] {
  const today = todayInDubai();
  const level = new Level(fieldsOfGroup(group), item, {
    today,
    outer: createLevel(form, answers, today),
  });
  return (group.fields ?? []).filter((field) => level.isShown(field));
}

/**
 * Whether a field is required, given the answers so far; `within` is the group and item of the
 * field.
 */
export function isFieldRequired(
  form: ServiceForm,
  field: FormField,
  answers: GivenAnswers,
  within?: { group: FormField; item: unknown },
): boolean {
  const today = todayInDubai();
  const level = createLevel(form, answers, today);
  return (
    within ? new Level(fieldsOfGroup(within.group), within.item, { today, outer: level }) : level
  ).isRequired(field);
}

/** Whether a step has at least one shown field. `today` is YYYY-MM-DD in Asia/Dubai. */
export function isStepShown(
  form: ServiceForm,
  step: ServiceForm['steps'][number],
  answers: GivenAnswers,
  today: string = todayInDubai(),
): boolean {
  const level = createLevel(form, answers, today);
  return step.fields.some((field) => level.isShown(field));
}

/**
 * The attachment rules for these answers: a document whose field is hidden is not required; one
 * whose field is required is. `today` is YYYY-MM-DD in Asia/Dubai.
 */
export const listRequiredDocuments = (
  form: ServiceForm,
  rules: readonly AttachmentRule[],
  answers: GivenAnswers,
  today: string = todayInDubai(),
): RequiredDocument[] => readFormAnswers(form, answers, today).listRequiredDocuments(rules);

/**
 * Validates and cleans answers; browser and server both use it, so that they agree. `today` is
 * YYYY-MM-DD in Asia/Dubai. `answers` holds the valid values of the shown fields; `issues` name a
 * field as `answers.<name>`, a part of an address as `answers.<name>.<part>` and a field of a group
 * as `answers.<group>.<index>.<name>`, in the order of the form. Never throws.
 */
export function checkAnswers(
  form: ServiceForm,
  answers: GivenAnswers,
  today: string,
): { answers: Answers; issues: ValidationIssue[] } {
  return createLevel(form, answers, today).validate();
}

/** The issues of one step, checked with the answers of all steps. */
export function checkStep(
  form: ServiceForm,
  stepIndex: number,
  answers: GivenAnswers,
  today: string,
): ValidationIssue[] {
  const names = new Set(form.steps[stepIndex]?.fields.map((field) => field.name));
  return checkAnswers(form, answers, today).issues.filter((issue) =>
    names.has(issue.field.split('.')[1] ?? ''),
  );
}
