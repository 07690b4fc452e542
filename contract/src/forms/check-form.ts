import { getMaximumLength } from './answer-values.ts';
import { defaultMaximumGroupItems } from './check-answers.ts';
import {
  areReversed,
  checkCondition,
  checkReachable,
  createReport,
  findCycle,
  isValidLimit,
  type ConditionScope,
  type FormProblem,
  type Report,
} from './check-conditions.ts';
import type { Condition } from './form-conditions.ts';
import {
  fineKeyKinds,
  serviceForm,
  type CardPart,
  type FormField,
  type ServiceForm,
} from './forms.ts';
import { findPatternProblem } from './safe-pattern.ts';

/** The largest number of items that a group may allow. */
export const maximumGroupItems = 50;
/** The largest number of fields in a form. */
export const maximumFields = 300;
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
  register: ['fines'],
  findBy: ['fines'],
  payAll: ['fines'],
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

const findDuplicate = (names: readonly string[]) =>
  names.find((name, index) => names.indexOf(name) !== index);

function checkKeywords(field: FormField, report: Report): void {
  for (const [keyword, kinds] of Object.entries(kindsByKeyword)) {
    if (field[keyword as keyof FormField] !== undefined && !kinds.includes(field.kind))
      report(
        'keywordOfOtherKind',
        `has ${keyword}, which a field of kind ${field.kind} cannot have`,
        { keyword },
        keyword,
      );
  }
  checkLimits(field, report);
  checkOptions(field, report);
  if (field.pattern !== undefined) {
    const problem = findPatternProblem(field.pattern, getMaximumLength(field));
    if (problem)
      report('patternUnusable', `has a pattern that ${problem}: ${field.pattern}`, {}, 'pattern');
  }
  if (field.patternMessage && field.pattern === undefined)
    report('patternMissing', 'has a patternMessage and no pattern', {}, 'pattern');
  if (field.format && field.pattern === undefined)
    report('patternMissing', 'has a format and no pattern', {}, 'pattern');
  if (field.required && field.requiredWhen)
    report('alwaysRequired', 'is always required and has a requiredWhen', {}, 'requiredWhen');
}

function checkLimits(field: FormField, report: Report): void {
  if ((field.minLength ?? 0) > getMaximumLength(field))
    report('limitsReversed', 'has a minLength above its maxLength', {}, 'minLength');
  if ((field.minimum ?? -Infinity) > (field.maximum ?? Infinity))
    report('limitsReversed', 'has a minimum above its maximum', {}, 'minimum');
  for (const limit of [field.formatMinimum, field.formatMaximum])
    if (!isValidLimit(limit))
      report('limitNoDay', `has the limit ${limit}, which is no day`, { limit: limit ?? '' });
  if (areReversed(field.formatMinimum, field.formatMaximum))
    report('limitsReversed', 'has a formatMinimum after its formatMaximum', {}, 'formatMinimum');
}

function checkOptions(field: FormField, report: Report): void {
  if ((field.kind === 'choice' || field.kind === 'choices') && !field.oneOf)
    report('optionsMissing', 'has no oneOf to choose from', {}, 'oneOf');
  const options = (field.oneOf ?? []).map((option) => option.const);
  const duplicate = findDuplicate(options);
  if (duplicate !== undefined)
    report('optionTwice', `offers ${duplicate} twice`, { name: duplicate }, 'oneOf');
  const maximum = getMaximumLength(field);
  for (const option of options)
    if (option.trim() !== option || option === '' || [...option].length > maximum)
      report(
        'optionUnusable',
        `offers "${option.slice(0, 40)}", which cannot be stored unchanged`,
        { name: option.slice(0, 40) },
        'oneOf',
      );
}

function checkGroup(field: FormField, report: Report): void {
  if (!field.fields) return report('groupEmpty', 'is a group without fields');
  const [minimum, maximum] = [field.minItems ?? 0, field.maxItems ?? defaultMaximumGroupItems];
  if (minimum > maximum)
    report('limitsReversed', 'has minItems above its maxItems', {}, 'minItems');
  if (maximum > maximumGroupItems)
    report(
      'groupTooLong',
      `has maxItems above ${maximumGroupItems}`,
      { maximum: maximumGroupItems },
      'maxItems',
    );
  if (!field.itemTitle)
    report('itemTitleMissing', 'is a group without an itemTitle', {}, 'itemTitle');
  if (!field.fields.some((each) => each.required && !each.showWhen))
    report('groupNothingRequired', 'is a group without a field that every item must answer');
}

function checkStepParts({ step, place }: PlacedStep, problems: FormProblem[]): void {
  const sections = step.sections ?? [];
  const duplicate = findDuplicate(sections.map((section) => section.name));
  const report = createReport(problems, '', place);
  if (duplicate !== undefined)
    report('sectionTwice', `step ${step.name} has the section ${duplicate} twice`, {
      name: duplicate,
    });
  for (const [index, { name }] of sections.entries())
    if (!step.fields.some((field) => field.section === name))
      report(
        'sectionEmpty',
        `section ${name} of step ${step.name} has no field`,
        { name },
        `sections.${index}`,
      );
  const order = step.fields
    .map((field) => field.section)
    .filter((section, index, all) => section !== all[index - 1]);
  for (const name of new Set(order.filter((section) => section !== undefined))) {
    const at = `fields.${step.fields.findLastIndex((field) => field.section === name)}`;
    if (!sections.some((section) => section.name === name))
      report(
        'sectionUnknown',
        `step ${step.name} has a field in the section ${name}, which it does not have`,
        { name },
        at,
      );
    if (order.filter((section) => section === name).length > 1)
      report(
        'sectionApart',
        `the fields of section ${name} of step ${step.name} do not stand together`,
        { name },
        at,
      );
  }
}

/**
 * The problems of a form that has the right shape, one line each. `attachments` are the names of
 * the service's attachment rules.
 */
export function findFormProblems(form: ServiceForm, attachments: readonly string[]): string[] {
  return listFormProblems(form, attachments).map(({ message }) => message);
}

/** The problems of a form that has the right shape, each with its place. */
export function listFormProblems(form: ServiceForm, attachments: readonly string[]): FormProblem[] {
  const problems: FormProblem[] = [];
  const report = createReport(problems, '', '');
  checkDuplicates(form, report);
  const fields = form.steps.flatMap((step) => step.fields);
  const count = fields.length + fields.reduce((sum, field) => sum + (field.fields?.length ?? 0), 0);
  if (count > maximumFields)
    report('tooManyFields', `the form has ${count} fields, ${maximumFields} at most`, {
      count,
      maximum: maximumFields,
    });
  const cycle = findCycle(form);
  if (cycle)
    report('conditionCircle', `conditions go in a circle: ${cycle.join(' -> ')}`, {
      names: cycle.join(' → '),
    });

  const checked: CheckedForm = {
    attachments,
    all: new Set(fields.map((field) => field.name)),
    seen: new Map(),
    problems,
  };
  for (const [index, step] of form.steps.entries())
    checkStep({ step, place: `steps.${index}` }, checked);
  if (problems.length === 0) checkReachable(form, problems);
  return problems;
}

/** The state of a check: `seen` holds the fields before the current one, `all` all names. */
interface CheckedForm {
  attachments: readonly string[];
  all: ReadonlySet<string>;
  seen: Map<string, FormField>;
  problems: FormProblem[];
}

interface PlacedStep {
  step: ServiceForm['steps'][number];
  place: string;
}

function checkDuplicates(form: ServiceForm, report: Report): void {
  const fields = form.steps.flatMap((step, index) =>
    step.fields.map((field, at) => ({ field, place: `steps.${index}.fields.${at}` })),
  );
  const step = findDuplicate(form.steps.map(({ name }) => name));
  const field = findDuplicate(fields.map((each) => each.field.name));
  const document = findDuplicate(fields.flatMap((each) => each.field.attachment ?? []));
  if (step !== undefined)
    report(
      'stepTwice',
      `step ${step} is there twice`,
      { name: step },
      `steps.${form.steps.findLastIndex(({ name }) => name === step)}.name`,
    );
  const lastPlace = (matches: (each: FormField) => boolean) =>
    fields.findLast((each) => matches(each.field))?.place;
  if (field !== undefined)
    report(
      'fieldTwice',
      `field ${field} is there twice`,
      { name: field },
      `${lastPlace(({ name }) => name === field)}.name`,
    );
  if (document !== undefined)
    report(
      'documentTwice',
      `the document ${document} is asked for in two places`,
      { name: document },
      `${lastPlace(({ attachment }) => attachment === document)}.attachment`,
    );
}

const checkShowWhen = (condition: Condition | undefined, scope: ConditionScope, report: Report) =>
  checkCondition(condition, scope, (code, message, params) =>
    report(code, message, params, 'showWhen'),
  );

function checkStep({ step, place }: PlacedStep, checked: CheckedForm): void {
  const { all, seen, problems } = checked;
  checkStepParts({ step, place }, problems);
  checkShowWhen(step.showWhen, { seen, all }, createReport(problems, `step ${step.name}`, place));
  const checkedSections = new Set<string>();
  for (const [index, field] of step.fields.entries()) {
    const sectionIndex = (step.sections ?? []).findIndex((each) => each.name === field.section);
    const section = step.sections?.[sectionIndex];
    if (section && !checkedSections.has(section.name))
      checkShowWhen(
        section.showWhen,
        { seen, all },
        createReport(
          problems,
          `section ${section.name} of step ${step.name}`,
          `${place}.sections.${sectionIndex}`,
        ),
      );
    if (section) checkedSections.add(section.name);
    checkFormField(field, checked, `${place}.fields.${index}`);
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
    report(
      'readFromUnusable',
      `is read as ${part}, which a field of kind ${kind} cannot be`,
      {},
      'readFrom',
    );
  if (![...seen.values()].some((each) => each.attachment === attachment))
    report(
      'readFromUnusable',
      `is read from ${attachment}, which no field before it asks for`,
      {},
      'readFrom',
    );
}

function checkFines(
  { register, findBy = [] }: FormField,
  seen: ReadonlyMap<string, FormField>,
  report: Report,
): void {
  const unusable = findBy.find((name) => !fineKeyKinds.includes(seen.get(name)?.kind ?? ''));
  if (register === undefined || findBy.length === 0)
    report('finesUnusable', 'has no register, or nothing to find fines by', { name: '' }, 'findBy');
  else if (unusable !== undefined)
    report(
      'finesUnusable',
      `finds fines by ${unusable}, which is no earlier field with one answer`,
      { name: unusable },
      'findBy',
    );
}

function checkFieldConditions(field: FormField, scope: ConditionScope, report: Report): void {
  checkShowWhen(field.showWhen, { ...scope, own: field.name }, report);
  checkCondition(field.requiredWhen, { ...scope, own: field.name }, (code, message, params) =>
    report(code, message, params, 'requiredWhen'),
  );
}

function checkFormField(
  field: FormField,
  { attachments, all, seen, problems }: CheckedForm,
  place: string,
): void {
  const report = createReport(problems, `field ${field.name}`, place);
  checkField(field, report);
  if (field.kind === 'group') checkGroup(field, report);
  if (field.kind === 'file' && !attachments.includes(field.attachment ?? ''))
    report(
      'documentUnknown',
      `is the place of the document ${field.attachment ?? '(none)'}, ` +
        'which the service does not ask for',
      { name: field.attachment ?? '' },
      'attachment',
    );
  checkFieldConditions(field, { seen, all }, report);
  checkReading(field, seen, report);
  if (field.kind === 'fines') checkFines(field, seen, report);

  const inner = field.fields ?? [];
  const inside = {
    seen: new Map(seen),
    all: new Set([...all, ...inner.map((each) => each.name)]),
  };
  for (const [index, each] of inner.entries()) {
    const reportInside = createReport(
      problems,
      `field ${field.name}.${each.name}`,
      `${place}.fields.${index}`,
    );
    if (each.readFrom)
      reportInside(
        'readFromUnusable',
        'is read from a document, which only fields outside a group can be',
        {},
        'readFrom',
      );
    if (all.has(each.name))
      reportInside(
        'fieldTwice',
        'has the name of a field of the form',
        { name: each.name },
        'name',
      );
    checkField(each, reportInside);
    checkFieldConditions(each, inside, reportInside);
    inside.seen.set(each.name, each);
  }
  const duplicate = findDuplicate(inner.map((each) => each.name));
  if (duplicate !== undefined)
    report('fieldTwice', `has the field ${duplicate} twice`, { name: duplicate });
}

function checkField(field: FormField, report: Report): void {
  if (forbiddenNames.includes(field.name))
    report('nameReserved', 'has a name that belongs to every object', { name: field.name }, 'name');
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
