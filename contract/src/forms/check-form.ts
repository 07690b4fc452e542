import { emirates, maximumLengthOf, nationalities } from './answer-values.ts';
import { defaultMaximumItems } from './check-answers.ts';
import { comparisons, partsOf, type Condition } from './form-conditions.ts';
import { dayOfLimit, isRealDay } from '../wire/days.ts';
import { serviceForm, type FormField, type ServiceForm } from './forms.ts';
import { faultOfPattern } from './safe-pattern.ts';

type Say = (what: string) => void;
type Place = 'forms' | 'group';

/** The most items that a group may ask for. */
export const mostItems = 50;
/** The most fields that a form may have. */
const mostFields = 300;
const mostComparisons = 50;
// Answers that come with JSON from elsewhere must not look like parts of an object.
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

const ofGroups = ['fields', 'itemTitle', 'minItems', 'maxItems'] as const;
/** Which kinds a word is for; a word that is not here is for every kind. */
const wordsOf: Partial<Record<keyof FormField, readonly string[]>> = {
  minLength: ['text', 'longText'],
  maxLength: ['text', 'longText'],
  pattern: ['text', 'longText'],
  patternMessage: ['text', 'longText'],
  minimum: ['number', 'money'],
  maximum: ['number', 'money'],
  formatMinimum: ['date'],
  formatMaximum: ['date'],
  oneOf: ['choice', 'choices'],
  attachment: ['file'],
  ...Object.fromEntries(ofGroups.map((word) => [word, ['group']])),
};

const anyDay = '2000-01-01';
const isDay = (limit: string | undefined) =>
  limit === undefined || limit.startsWith('today') || isRealDay(limit);
// Two limits of one kind can be compared whatever the day is.
const areTurned = (low: string | undefined, high: string | undefined) =>
  low !== undefined &&
  high !== undefined &&
  low.startsWith('today') === high.startsWith('today') &&
  dayOfLimit(low, anyDay) > dayOfLimit(high, anyDay);
const twice = (names: readonly string[]) =>
  names.find((name, index) => names.indexOf(name) !== index);

function checkWords(field: FormField, say: Say): void {
  for (const [word, kinds] of Object.entries(wordsOf)) {
    if (field[word as keyof FormField] !== undefined && !kinds.includes(field.kind))
      say(`has ${word}, which a field of kind ${field.kind} cannot have`);
  }
  if ((field.minLength ?? 0) > maximumLengthOf(field)) say('has a minLength above its maxLength');
  if ((field.minimum ?? -Infinity) > (field.maximum ?? Infinity))
    say('has a minimum above its maximum');
  for (const limit of [field.formatMinimum, field.formatMaximum])
    if (!isDay(limit)) say(`has the limit ${limit}, which is no day`);
  if (areTurned(field.formatMinimum, field.formatMaximum))
    say('has a formatMinimum after its formatMaximum');
  if (field.pattern !== undefined) {
    const fault = faultOfPattern(field.pattern, maximumLengthOf(field));
    if (fault) say(`has a pattern that ${fault}: ${field.pattern}`);
  }
  if (field.patternMessage && field.pattern === undefined)
    say('has a patternMessage and no pattern');
  if ((field.kind === 'choice' || field.kind === 'choices') && !field.oneOf)
    say('has no oneOf to choose from');
  const same = twice((field.oneOf ?? []).map((option) => option.const));
  if (same !== undefined) say(`offers ${same} twice`);
  const maximum = maximumLengthOf(field);
  for (const { const: value } of field.oneOf ?? [])
    if (value.trim() !== value || value === '' || [...value].length > maximum)
      say(`offers "${value.slice(0, 40)}", which cannot be kept as it is`);
  if (field.required && field.requiredWhen) say('is always required and has a requiredWhen');
}

function checkGroup(field: FormField, say: Say): void {
  if (!field.fields) return say('is a group without fields');
  const [minimum, maximum] = [field.minItems ?? 0, field.maxItems ?? defaultMaximumItems];
  if (minimum > maximum) say('has minItems above its maxItems');
  if (maximum > mostItems) say(`has maxItems above ${mostItems}`);
  if (!field.itemTitle) say('is a group without an itemTitle');
  if (!field.fields.some((each) => each.required && !each.showWhen))
    say('is a group without a field that every item must answer');
}

/** Whether a value can ever be that of a field, so that a comparison with it means something. */
function canBe(field: FormField, value: string | boolean | number): boolean {
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
  say: Say,
): void {
  const words = comparisons.filter((word) => part[word] !== undefined);
  if (part.field === undefined) {
    if (words.length > 0) say(`has a condition with ${words[0]} and no field`);
    else if (!part.all && !part.any && !part.not) say('has a condition that says nothing');
    return;
  }
  const name = part.field;
  const field = seen.get(name);
  if (!field)
    return say(
      all.has(name)
        ? `has a condition on ${name}, which does not come before it`
        : `has a condition on ${name}, which the form does not have`,
    );
  if (words.length === 0) say(`has a condition on ${name} that compares nothing`);
  if (field.kind === 'file')
    say(`has a condition on ${name}, which is a document and has no answer`);
  for (const value of [...(part.in ?? []), ...(part.equals === undefined ? [] : [part.equals])])
    if (!canBe(field, value))
      say(
        `has a condition on ${name} that compares it with ${JSON.stringify(value)}, which it can never be`,
      );
  if (
    (part.minimum !== undefined || part.maximum !== undefined) &&
    !['number', 'money', 'choices', 'group'].includes(field.kind)
  )
    say(`has a condition on ${name} with a number, and ${name} is none`);
  if (
    (part.formatMinimum !== undefined || part.formatMaximum !== undefined) &&
    field.kind !== 'date'
  )
    say(`has a condition on ${name} with a day, and ${name} is none`);
  if (
    (part.minimum ?? -Infinity) > (part.maximum ?? Infinity) ||
    areTurned(part.formatMinimum, part.formatMaximum)
  )
    say(`has a condition on ${name} whose limits are the wrong way round`);
  for (const limit of [part.formatMinimum, part.formatMaximum])
    if (!isDay(limit)) say(`has a condition with ${limit}, which is no day`);
}

function checkCondition(
  condition: Condition | undefined,
  seen: ReadonlyMap<string, FormField>,
  all: ReadonlySet<string>,
  say: Say,
): void {
  if (!condition) return;
  const parts = partsOf(condition);
  if (parts.length > mostComparisons)
    return say(`has a condition of more than ${mostComparisons} parts`);
  for (const part of parts) checkComparison(part, seen, all, say);
}

/**
 * A circle through conditions, as the names on it; each of them also looks forward somewhere, and
 * the circle says it more plainly.
 */
function findCircle(form: ServiceForm): string[] | undefined {
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
          .flatMap((condition) => (condition ? partsOf(condition) : []))
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
      const circle = walk(next, [...path, name]);
      if (circle) return circle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of onto.keys()) {
    const circle = walk(name, []);
    if (circle) return circle;
  }
  return undefined;
}

function checkStepParts(step: ServiceForm['steps'][number], faults: string[]): void {
  const sections = step.sections ?? [];
  const same = twice(sections.map((section) => section.name));
  if (same !== undefined) faults.push(`step ${step.name} has the section ${same} twice`);
  for (const { name } of sections)
    if (!step.fields.some((field) => field.section === name))
      faults.push(`section ${name} of step ${step.name} has no field`);
  const order = step.fields
    .map((field) => field.section)
    .filter((section, index, all) => section !== all[index - 1]);
  for (const name of new Set(order.filter((section) => section !== undefined))) {
    if (!sections.some((section) => section.name === name))
      faults.push(`step ${step.name} has a field in the section ${name}, which it does not have`);
    if (order.filter((section) => section === name).length > 1)
      faults.push(`the fields of section ${name} of step ${step.name} do not stand together`);
  }
}

function sayOf(faults: string[], what: string): Say {
  return (fault) => void faults.push(`${what} ${fault}`);
}

/**
 * What makes a form impossible that has the right shape: one plain line for each fault.
 * `attachments` are the names of the service's attachment rules.
 */
export function faultsOfForm(form: ServiceForm, attachments: readonly string[]): string[] {
  const faults: string[] = [];
  const fields = form.steps.flatMap((step) => step.fields);
  const all = new Set(fields.map((field) => field.name));
  const sameStep = twice(form.steps.map((step) => step.name));
  if (sameStep !== undefined) faults.push(`step ${sameStep} is there twice`);
  const same = twice(fields.map((field) => field.name));
  if (same !== undefined) faults.push(`field ${same} is there twice`);
  const placed = twice(fields.flatMap((field) => field.attachment ?? []));
  if (placed !== undefined) faults.push(`the document ${placed} is asked for in two places`);
  const count = fields.length + fields.reduce((sum, field) => sum + (field.fields?.length ?? 0), 0);
  if (count > mostFields) faults.push(`the form has ${count} fields, ${mostFields} at most`);
  const circle = findCircle(form);
  if (circle) faults.push(`conditions go in a circle: ${circle.join(' -> ')}`);

  const seen = new Map<string, FormField>();
  const checkOne = (field: FormField, say: Say, place: Place) => {
    if (forbiddenNames.includes(field.name)) say('has a name that belongs to every object');
    checkWords(field, say);
    if (place === 'group') return;
    if (field.kind === 'group') checkGroup(field, say);
    if (field.kind === 'file' && !attachments.includes(field.attachment ?? ''))
      say(
        `is the place of the document ${field.attachment ?? '(none)'}, which the service does not ask for`,
      );
  };
  for (const step of form.steps) {
    const firstIn = (section?: string) =>
      step.fields.find((field) => section === undefined || field.section === section);
    checkStepParts(step, faults);
    checkCondition(step.showWhen, seen, all, sayOf(faults, `step ${step.name}`));
    for (const field of step.fields) {
      const section = step.sections?.find((each) => each.name === field.section);
      if (section && firstIn(section.name) === field)
        checkCondition(
          section.showWhen,
          seen,
          all,
          sayOf(faults, `section ${section.name} of step ${step.name}`),
        );
      const say = sayOf(faults, `field ${field.name}`);
      checkOne(field, say, 'forms');
      for (const condition of [field.showWhen, field.requiredWhen])
        checkCondition(condition, seen, all, say);
      const inside = new Map(seen);
      const insideNames = new Set([...all, ...(field.fields ?? []).map((each) => each.name)]);
      for (const each of field.fields ?? []) {
        const sayInside = sayOf(faults, `field ${field.name}.${each.name}`);
        if (all.has(each.name)) sayInside('has the name of a field of the form');
        checkOne(each, sayInside, 'group');
        for (const condition of [each.showWhen, each.requiredWhen])
          checkCondition(condition, inside, insideNames, sayInside);
        inside.set(each.name, each);
      }
      const sameInside = twice((field.fields ?? []).map((each) => each.name));
      if (sameInside !== undefined) say(`has the field ${sameInside} twice`);
      seen.set(field.name, field);
    }
  }
  return faults;
}

/**
 * Whether a document is a form that can be filled in: one plain line for each fault, none when it
 * is. For the server alone (decision 0008). Never throws.
 */
export function checkForm(document: unknown, attachments: readonly string[] = []): string[] {
  let read: ReturnType<typeof serviceForm.safeParse>;
  try {
    read = serviceForm.safeParse(document);
  } catch {
    // Conditions nest as deep as somebody writes them, and the stack does not.
    return ['the form is nested too deep'];
  }
  if (!read.success)
    return read.error.issues.map(
      (issue) => `${issue.path.join('.') || 'the form'}: ${issue.message}`,
    );
  return faultsOfForm(read.data, attachments);
}
