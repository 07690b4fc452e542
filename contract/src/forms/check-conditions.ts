import { resolveDateLimit, isRealDay } from '../wire/days.ts';
import { nationalities } from './answer-values.ts';
import { emirates } from './emirates.ts';
import { comparisonKeywords, listConditions, type Condition } from './form-conditions.ts';
import type { FormField, ServiceForm } from './forms.ts';

/** Everything that makes a form unusable; each is a translation key under `problems`. */
export const formProblemCodes = [
  'keywordOfOtherKind',
  'patternUnusable',
  'patternMissing',
  'alwaysRequired',
  'limitsReversed',
  'limitNoDay',
  'optionsMissing',
  'optionTwice',
  'optionUnusable',
  'groupEmpty',
  'groupTooLong',
  'itemTitleMissing',
  'groupNothingRequired',
  'conditionEmpty',
  'conditionOnItself',
  'conditionOnLater',
  'conditionOnUnknown',
  'conditionOnDocument',
  'conditionImpossible',
  'conditionWrongKind',
  'conditionTooLong',
  'conditionCircle',
  'sectionTwice',
  'sectionEmpty',
  'sectionUnknown',
  'sectionApart',
  'tooManyFields',
  'stepTwice',
  'fieldTwice',
  'documentTwice',
  'documentUnknown',
  'readFromUnusable',
  'finesUnusable',
  'nameReserved',
  'fieldUnreachable',
] as const;
export type FormProblemCode = (typeof formProblemCodes)[number];

/**
 * One problem of a form. `place` is the path within the form, such as `steps.0.fields.2.showWhen`;
 * `message` is for the log and for engineers; `params` fill the translated text of `code`.
 */
export interface FormProblem {
  code: FormProblemCode;
  place: string;
  message: string;
  params: Record<string, string | number>;
}

/** Reports a problem of one thing; `at` is the keyword within it. */
export type Report = (
  code: FormProblemCode,
  message: string,
  params?: Record<string, string | number>,
  at?: string,
) => void;

const maximumConditionParts = 50;

const anyDay = '2000-01-01';
/** Whether a date limit names a real day. */
export const isValidLimit = (limit: string | undefined) =>
  limit === undefined || limit.startsWith('today') || isRealDay(limit);
/** Two relative or two absolute limits can be compared without knowing the day. */
export const areReversed = (low: string | undefined, high: string | undefined) =>
  low !== undefined &&
  high !== undefined &&
  low.startsWith('today') === high.startsWith('today') &&
  resolveDateLimit(low, anyDay) > resolveDateLimit(high, anyDay);

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
    case 'fines':
      return false;
    default:
      return typeof value === 'string';
  }
}

/**
 * What a condition can refer to: `seen` are the fields before it, `all` the names of all fields,
 * `own` the name of the field that it belongs to.
 */
export interface ConditionScope {
  seen: ReadonlyMap<string, FormField>;
  all: ReadonlySet<string>;
  own?: string;
}

function reportUnseen(name: string, { all, own }: ConditionScope, report: Report): void {
  if (name === own)
    return report(
      'conditionOnItself',
      `has a condition on ${name}, which does not come before it`,
      { name },
    );
  if (all.has(name))
    return report('conditionOnLater', `has a condition on ${name}, which does not come before it`, {
      name,
    });
  report('conditionOnUnknown', `has a condition on ${name}, which the form does not have`, {
    name,
  });
}

function checkComparison(part: Condition, scope: ConditionScope, report: Report): void {
  const keywords = comparisonKeywords.filter((keyword) => part[keyword] !== undefined);
  if (part.field === undefined) {
    if (keywords.length > 0)
      report('conditionEmpty', `has a condition with ${keywords[0]} and no field`);
    else if (!part.all && !part.any && !part.not)
      report('conditionEmpty', 'has a condition that says nothing');
    return;
  }
  const name = part.field;
  const field = scope.seen.get(name);
  if (!field) return reportUnseen(name, scope, report);
  if (keywords.length === 0)
    report('conditionEmpty', `has a condition on ${name} that compares nothing`);
  if (field.kind === 'file')
    report(
      'conditionOnDocument',
      `has a condition on ${name}, which is a document and has no answer`,
      { name },
    );
  checkComparedValues(part, field, report);
  checkComparedLimits(part, field, report);
}

function checkComparedValues(part: Condition, field: FormField, report: Report): void {
  const values = [...(part.in ?? []), ...(part.equals === undefined ? [] : [part.equals])];
  // An empty answer has no value, so that nothing equals it.
  if (values.includes(''))
    return report('conditionEmpty', `has a condition on ${field.name} that compares nothing`);
  for (const value of values.filter((each) => !canHaveValue(field, each)))
    report(
      'conditionImpossible',
      `has a condition on ${field.name} that compares it with ${JSON.stringify(value)}, ` +
        'which it can never be',
      { name: field.name, value: String(value).slice(0, 60) },
    );
}

function checkComparedLimits(part: Condition, field: FormField, report: Report): void {
  const { name } = field;
  const isCountable = ['number', 'money', 'choices', 'group'].includes(field.kind);
  if ((part.minimum ?? part.maximum) !== undefined && !isCountable)
    report('conditionWrongKind', `has a condition on ${name} with a number, and ${name} is none`, {
      name,
    });
  if ((part.formatMinimum ?? part.formatMaximum) !== undefined && field.kind !== 'date')
    report('conditionWrongKind', `has a condition on ${name} with a day, and ${name} is none`, {
      name,
    });
  if (
    (part.minimum ?? -Infinity) > (part.maximum ?? Infinity) ||
    areReversed(part.formatMinimum, part.formatMaximum)
  )
    report('limitsReversed', `has a condition on ${name} whose limits are the wrong way round`);
  for (const limit of [part.formatMinimum, part.formatMaximum])
    if (!isValidLimit(limit))
      report('limitNoDay', `has a condition with ${limit}, which is no day`, {
        limit: limit ?? '',
      });
}

/** Reports what makes a condition unusable. */
export function checkCondition(
  condition: Condition | undefined,
  scope: ConditionScope,
  report: Report,
): void {
  if (!condition) return;
  const parts = listConditions(condition);
  if (parts.length > maximumConditionParts)
    return report(
      'conditionTooLong',
      `has a condition of more than ${maximumConditionParts} parts`,
      { maximum: maximumConditionParts },
    );
  for (const part of parts) checkComparison(part, scope, report);
}

type Value = string | boolean | number;

/** The comparisons that must all hold for a condition to be met; alternatives are left out. */
const requiredParts = (condition: Condition): Condition[] => [
  condition,
  ...(condition.all ?? []).flatMap(requiredParts),
];

/** The values that a field may have while the parts hold; undefined where they restrict nothing. */
function allowedValues(parts: readonly Condition[], name: string): Set<Value> | undefined {
  let allowed: Set<Value> | undefined;
  for (const part of parts.filter((each) => each.field === name))
    for (const values of [part.in, part.equals === undefined ? undefined : [part.equals]]) {
      if (!values) continue;
      const before = allowed;
      allowed = new Set(before ? values.filter((value) => before.has(value)) : values);
    }
  return allowed;
}

/**
 * Whether conditions that must all be met exclude each other: one answer would have to be two
 * values, be there and be missing, or be above and below its limits. `conditionsOf` returns the
 * conditions under which another field is shown, because a hidden field has no value. It finds
 * contradictions of single comparisons only, and never reports a field that can be shown.
 */
function areContradictory(
  conditions: readonly Condition[],
  conditionsOf: (name: string) => readonly Condition[],
  isList: (name: string) => boolean,
): boolean {
  const parts = conditions.flatMap(requiredParts);
  const visited = new Set<string>();
  for (const part of parts) {
    // Only a comparison that needs an answer needs the field to be shown.
    if (part.field === undefined || part.answered === false || visited.has(part.field)) continue;
    visited.add(part.field);
    parts.push(...conditionsOf(part.field).flatMap(requiredParts));
  }
  return [...visited].some((name) => {
    const own = parts.filter((part) => part.field === name);
    if (own.some((part) => part.answered === false)) return true;
    if (isList(name)) return false;
    const least = Math.max(...own.map((part) => part.minimum ?? -Infinity));
    const most = Math.min(...own.map((part) => part.maximum ?? Infinity));
    return least > most || allowedValues(parts, name)?.size === 0;
  });
}

/**
 * The names on a cycle of conditions. Each of these conditions also refers to a later field, but
 * naming the cycle is clearer.
 */
export function findCycle(form: ServiceForm): string[] | undefined {
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

/** Adds problems of one thing, which messages call `what`, at its place. */
export function createReport(problems: FormProblem[], what: string, place: string): Report {
  return (code, message, params = {}, at = '') =>
    void problems.push({
      code,
      place: [place, at].filter((part) => part !== '').join('.'),
      message: [what, message].filter((part) => part !== '').join(' '),
      params,
    });
}

/** The fields of a form, each with its place and the conditions under which it is shown. */
function placeFields(form: ServiceForm) {
  return new Map(
    form.steps.flatMap((step, index) =>
      step.fields.map((field, at) => {
        const section = step.sections?.find((each) => each.name === field.section);
        const conditions = [step.showWhen, section?.showWhen, field.showWhen];
        return [
          field.name,
          {
            field,
            place: `steps.${index}.fields.${at}`,
            conditions: conditions.filter((each) => each !== undefined),
          },
        ];
      }),
    ),
  );
}

const isReachableWithin =
  (fields: ReturnType<typeof placeFields>) =>
  (conditions: readonly Condition[]): boolean =>
    !areContradictory(
      conditions,
      (name) => fields.get(name)?.conditions ?? [],
      (name) => ['choices', 'group'].includes(fields.get(name)?.field.kind ?? ''),
    );

/** Whether conditions can be met together by answers to the form, as far as single comparisons say. */
export const createReachability = (form: ServiceForm) => isReachableWithin(placeFields(form));

/** Reports fields whose conditions exclude each other, with those of the step and the section. */
export function checkReachable(form: ServiceForm, problems: FormProblem[]): void {
  const fields = placeFields(form);
  const isReachable = isReachableWithin(fields);
  for (const { field, place, conditions } of fields.values())
    if (!isReachable(conditions))
      createReport(problems, `field ${field.name}`, place)(
        'fieldUnreachable',
        'can never be shown',
        { name: field.name },
        'showWhen',
      );
}
