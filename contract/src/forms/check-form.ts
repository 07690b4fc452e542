import { emirates, getMaximumLength, nationalities } from './answer-values.ts';
import { defaultMaximumGroupItems } from './check-answers.ts';
import { comparisonKeywords, listConditions, type Condition } from './form-conditions.ts';
import { resolveDateLimit, isRealDay } from '../wire/days.ts';
import { serviceForm, type CardPart, type FormField, type ServiceForm } from './forms.ts';
import { findPatternProblem } from './safe-pattern.ts';

type Report = (what: string) => void;

/** The largest number of items that a group may allow. */
export const maximumGroupItems = 50;
/** The largest number of fields in a form. */
const maximumFields = 300;
const maximumConditionParts = 50;
// Names of object members: answers are plain objects parsed from JSON.
const forbiddenNames = [
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  'toLocaleString',
  'propertyIsEnumerable',
];

const groupKeywords = ['fields', 'itemTitle', 'minItems', 'maxItems'] as const;
/**
 * The kinds of field that allow a keyword; a keyword that is not listed is allowed for every kind.
 */
const kindsByKeyword: Partial<Record<keyof FormField, readonly string[]>> = {
  minLength: ['text', 'longText'],
  maxLength: ['text', 'longText'],
  pattern: ['text', 'longText'],
  patternMessage: ['text', 'longText'],
  format: ['text'],
  minimum: ['number', 'money'],
  maximum: ['number', 'money'],
  formatMinimum: ['date'],
  formatMaximum: ['date'],
  oneOf: ['choice', 'choices'],
  attachment: ['file'],
  ...Object.fromEntries(groupKeywords.map((keyword) => [keyword, ['group']])),
};

/** The kinds of field that a part of a card can answer. */
const kindsOfPart: Record<CardPart, readonly string[]> = {
  name: ['text'],
  idNumber: ['emiratesId'],
  documentNumber: ['text'],
  birthDate: ['date'],
  expiryDate: ['date'],
  nationality: ['nationality'],
};

const anyDay = '2000-01-01';
const isValidLimit = (limit: string | undefined) =>
  limit === undefined || limit.startsWith('today') || isRealDay(limit);
// Two relative or two absolute limits can be compared without knowing the day.
const areReversed = (low: string | undefined, high: string | undefined) =>
  low !== undefined &&
  high !== undefined &&
  low.startsWith('today') === high.startsWith('today') &&
  resolveDateLimit(low, anyDay) > resolveDateLimit(high, anyDay);
const findDuplicate = (names: readonly string[]) =>
  names.find((name, index) => names.indexOf(name) !== index);

function checkKeywords(field: FormField, report: Report): void {
  for (const [keyword, kinds] of Object.entries(kindsByKeyword)) {
    if (field[keyword as keyof FormField] !== undefined && !kinds.includes(field.kind))
      report(`has ${keyword}, which a field of kind ${field.kind} cannot have`);
  }
  checkLimits(field, report);
  checkOptions(field, report);
  if (field.pattern !== undefined) {
    const problem = findPatternProblem(field.pattern, getMaximumLength(field));
    if (problem) report(`has a pattern that ${problem}: ${field.pattern}`);
  }
  if (field.patternMessage && field.pattern === undefined)
    report('has a patternMessage and no pattern');
  if (field.format && field.pattern === undefined) report('has a format and no pattern');
  if (field.required && field.requiredWhen) report('is always required and has a requiredWhen');
}

function checkLimits(field: FormField, report: Report): void {
  if ((field.minLength ?? 0) > getMaximumLength(field))
    report('has a minLength above its maxLength');
  if ((field.minimum ?? -Infinity) > (field.maximum ?? Infinity))
    report('has a minimum above its maximum');
  for (const limit of [field.formatMinimum, field.formatMaximum])
    if (!isValidLimit(limit)) report(`has the limit ${limit}, which is no day`);
  if (areReversed(field.formatMinimum, field.formatMaximum))
    report('has a formatMinimum after its formatMaximum');
}

function checkOptions(field: FormField, report: Report): void {
  if ((field.kind === 'choice' || field.kind === 'choices') && !field.oneOf)
    report('has no oneOf to choose from');
  const options = (field.oneOf ?? []).map((option) => option.const);
  const duplicate = findDuplicate(options);
  if (duplicate !== undefined) report(`offers ${duplicate} twice`);
  const maximum = getMaximumLength(field);
  for (const option of options)
    if (option.trim() !== option || option === '' || [...option].length > maximum)
      report(`offers "${option.slice(0, 40)}", which cannot be stored unchanged`);
}

function checkGroup(field: FormField, report: Report): void {
  if (!field.fields) return report('is a group without fields');
  const [minimum, maximum] = [field.minItems ?? 0, field.maxItems ?? defaultMaximumGroupItems];
  if (minimum > maximum) report('has minItems above its maxItems');
  if (maximum > maximumGroupItems) report(`has maxItems above ${maximumGroupItems}`);
  if (!field.itemTitle) report('is a group without an itemTitle');
  if (!field.fields.some((each) => each.required && !each.showWhen))
    report('is a group without a field that every item must answer');
}

/** Whether a field can have a value, so that a comparison with it makes sense. */
function canHaveValue(field: FormField, value: string | boolean | number): boolean {
  switch (field.kind) {
    case 'yesNo':
      return typeof value === 'boolean';
    case 'choice':
    case 'choices':
      return field.oneOf?.some((option) => option.const === value) ?? false;
    case 'emirate':
      return emirates.some((name) => name === value);
    case 'nationality':
      return nationalities.some((code) => code === value);
    case 'number':
    case 'money':
      return typeof value === 'number';
    case 'address':
    case 'group':
    case 'file':
      return false;
    default:
      return typeof value === 'string';
  }
}

function checkComparison(
  part: Condition,
  seen: ReadonlyMap<string, FormField>,
  all: ReadonlySet<string>,
  report: Report,
): void {
  const keywords = comparisonKeywords.filter((keyword) => part[keyword] !== undefined);
  if (part.field === undefined) {
    if (keywords.length > 0) report(`has a condition with ${keywords[0]} and no field`);
    else if (!part.all && !part.any && !part.not) report('has a condition that says nothing');
    return;
  }
  const name = part.field;
  const field = seen.get(name);
  if (!field)
    return report(
      all.has(name)
        ? `has a condition on ${name}, which does not come before it`
        : `has a condition on ${name}, which the form does not have`,
    );
  if (keywords.length === 0) report(`has a condition on ${name} that compares nothing`);
  if (field.kind === 'file')
    report(`has a condition on ${name}, which is a document and has no answer`);
  checkComparedValues(part, field, report);
  checkComparedLimits(part, field, report);
}

function checkComparedValues(part: Condition, field: FormField, report: Report): void {
  const values = [...(part.in ?? []), ...(part.equals === undefined ? [] : [part.equals])];
  for (const value of values.filter((each) => !canHaveValue(field, each)))
    report(
      `has a condition on ${field.name} that compares it with ${JSON.stringify(value)}, ` +
        'which it can never be',
    );
}

function checkComparedLimits(part: Condition, field: FormField, report: Report): void {
  const { name } = field;
  const isCountable = ['number', 'money', 'choices', 'group'].includes(field.kind);
  if ((part.minimum ?? part.maximum) !== undefined && !isCountable)
    report(`has a condition on ${name} with a number, and ${name} is none`);
  if ((part.formatMinimum ?? part.formatMaximum) !== undefined && field.kind !== 'date')
    report(`has a condition on ${name} with a day, and ${name} is none`);
  if (
    (part.minimum ?? -Infinity) > (part.maximum ?? Infinity) ||
    areReversed(part.formatMinimum, part.formatMaximum)
  )
    report(`has a condition on ${name} whose limits are the wrong way round`);
  for (const limit of [part.formatMinimum, part.formatMaximum])
    if (!isValidLimit(limit)) report(`has a condition with ${limit}, which is no day`);
}

function checkCondition(
  condition: Condition | undefined,
  seen: ReadonlyMap<string, FormField>,
  all: ReadonlySet<string>,
  report: Report,
): void {
  if (!condition) return;
  const parts = listConditions(condition);
  if (parts.length > maximumConditionParts)
    return report(`has a condition of more than ${maximumConditionParts} parts`);
  for (const part of parts) checkComparison(part, seen, all, report);
}

/**
 * The names on a cycle of conditions. Each of these conditions also refers to a later field, but
 * naming the cycle is clearer.
 */
function findCycle(form: ServiceForm): string[] | undefined {
  const onto = new Map<string, string[]>();
  for (const step of form.steps) {
    for (const field of step.fields) {
      const section = step.sections?.find((each) => each.name === field.section);
      const conditions = [
        step.showWhen,
        section?.showWhen,
        field.showWhen,
        ...(field.fields ?? []).flatMap((each) => [each.showWhen, each.requiredWhen]),
      ];
      const inside = new Set((field.fields ?? []).map((each) => each.name));
      onto.set(
        field.name,
        conditions
          .flatMap((condition) => (condition ? listConditions(condition) : []))
          .flatMap((part) =>
            part.field === undefined || inside.has(part.field) ? [] : [part.field],
          ),
      );
    }
  }
  const done = new Set<string>();
  const walk = (name: string, path: string[]): string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of onto.get(name) ?? []) {
      const cycle = walk(next, [...path, name]);
      if (cycle) return cycle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of onto.keys()) {
    const cycle = walk(name, []);
    if (cycle) return cycle;
  }
  return undefined;
}

function checkStepParts(step: ServiceForm['steps'][number], problems: string[]): void {
  const sections = step.sections ?? [];
  const duplicate = findDuplicate(sections.map((section) => section.name));
  if (duplicate !== undefined)
    problems.push(`step ${step.name} has the section ${duplicate} twice`);
  for (const { name } of sections)
    if (!step.fields.some((field) => field.section === name))
      problems.push(`section ${name} of step ${step.name} has no field`);
  const order = step.fields
    .map((field) => field.section)
    .filter((section, index, all) => section !== all[index - 1]);
  for (const name of new Set(order.filter((section) => section !== undefined))) {
    if (!sections.some((section) => section.name === name))
      problems.push(`step ${step.name} has a field in the section ${name}, which it does not have`);
    if (order.filter((section) => section === name).length > 1)
      problems.push(`the fields of section ${name} of step ${step.name} do not stand together`);
  }
}

function createReport(problems: string[], what: string): Report {
  return (problem) => void problems.push(`${what} ${problem}`);
}

/**
 * The problems of a form that has the right shape, one line each. `attachments` are the names of
 * the service's attachment rules.
 */
export function findFormProblems(form: ServiceForm, attachments: readonly string[]): string[] {
  const problems = findDuplicateProblems(form);
  const fields = form.steps.flatMap((step) => step.fields);
  const count = fields.length + fields.reduce((sum, field) => sum + (field.fields?.length ?? 0), 0);
  if (count > maximumFields)
    problems.push(`the form has ${count} fields, ${maximumFields} at most`);
  const cycle = findCycle(form);
  if (cycle) problems.push(`conditions go in a circle: ${cycle.join(' -> ')}`);

  const checked: CheckedForm = {
    attachments,
    all: new Set(fields.map((field) => field.name)),
    seen: new Map(),
    problems,
  };
  for (const step of form.steps) checkStep(step, checked);
  return problems;
}

/** The state of a check: `seen` holds the fields before the current one, `all` all names. */
interface CheckedForm {
  attachments: readonly string[];
  all: ReadonlySet<string>;
  seen: Map<string, FormField>;
  problems: string[];
}

function findDuplicateProblems(form: ServiceForm): string[] {
  const fields = form.steps.flatMap((step) => step.fields);
  const step = findDuplicate(form.steps.map(({ name }) => name));
  const field = findDuplicate(fields.map(({ name }) => name));
  const document = findDuplicate(fields.flatMap(({ attachment }) => attachment ?? []));
  return [
    ...(step === undefined ? [] : [`step ${step} is there twice`]),
    ...(field === undefined ? [] : [`field ${field} is there twice`]),
    ...(document === undefined ? [] : [`the document ${document} is asked for in two places`]),
  ];
}

function checkStep(step: ServiceForm['steps'][number], checked: CheckedForm): void {
  const { all, seen, problems } = checked;
  checkStepParts(step, problems);
  checkCondition(step.showWhen, seen, all, createReport(problems, `step ${step.name}`));
  const checkedSections = new Set<string>();
  for (const field of step.fields) {
    const section = step.sections?.find((each) => each.name === field.section);
    if (section && !checkedSections.has(section.name))
      checkCondition(
        section.showWhen,
        seen,
        all,
        createReport(problems, `section ${section.name} of step ${step.name}`),
      );
    if (section) checkedSections.add(section.name);
    checkFormField(field, checked);
    seen.set(field.name, field);
  }
}

function checkReading(
  { kind, readFrom }: FormField,
  seen: ReadonlyMap<string, FormField>,
  report: Report,
): void {
  if (!readFrom) return;
  const { attachment, part } = readFrom;
  if (!kindsOfPart[part].includes(kind))
    report(`is read as ${part}, which a field of kind ${kind} cannot be`);
  if (![...seen.values()].some((each) => each.attachment === attachment))
    report(`is read from ${attachment}, which no field before it asks for`);
}

function checkFormField(field: FormField, { attachments, all, seen, problems }: CheckedForm): void {
  const report = createReport(problems, `field ${field.name}`);
  checkField(field, report);
  if (field.kind === 'group') checkGroup(field, report);
  if (field.kind === 'file' && !attachments.includes(field.attachment ?? ''))
    report(
      `is the place of the document ${field.attachment ?? '(none)'}, ` +
        'which the service does not ask for',
    );
  for (const condition of [field.showWhen, field.requiredWhen])
    checkCondition(condition, seen, all, report);

  checkReading(field, seen, report);

  const inner = field.fields ?? [];
  const seenInside = new Map(seen);
  const allInside = new Set([...all, ...inner.map((each) => each.name)]);
  for (const each of inner) {
    const reportInside = createReport(problems, `field ${field.name}.${each.name}`);
    if (each.readFrom)
      reportInside('is read from a document, which only fields outside a group can be');
    if (all.has(each.name)) reportInside('has the name of a field of the form');
    checkField(each, reportInside);
    for (const condition of [each.showWhen, each.requiredWhen])
      checkCondition(condition, seenInside, allInside, reportInside);
    seenInside.set(each.name, each);
  }
  const duplicate = findDuplicate(inner.map((each) => each.name));
  if (duplicate !== undefined) report(`has the field ${duplicate} twice`);
}

function checkField(field: FormField, report: Report): void {
  if (forbiddenNames.includes(field.name)) report('has a name that belongs to every object');
  checkKeywords(field, report);
}

/**
 * The problems of a document as a form, one line each; empty for a valid form. For the server only
 * (decision 0008). Never throws.
 */
export function checkForm(document: unknown, attachments: readonly string[] = []): string[] {
  let read: ReturnType<typeof serviceForm.safeParse>;
  try {
    read = serviceForm.safeParse(document);
  } catch {
    // Deeply nested conditions can overflow the stack.
    return ['the form is nested too deep'];
  }
  if (!read.success)
    return read.error.issues.map(
      (issue) => `${issue.path.join('.') || 'the form'}: ${issue.message}`,
    );
  return findFormProblems(read.data, attachments);
}
