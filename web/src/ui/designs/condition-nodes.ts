import { comparisonKeywords, type Condition } from '@diwan/contract/forms/form-conditions';
import type { FieldKind, FormField } from '@diwan/contract/forms/forms';

const comparisons = [
  'is',
  'isNot',
  'oneOf',
  'noneOf',
  'atLeast',
  'atMost',
  'between',
  'from',
  'until',
  'days',
  'answered',
  'unanswered',
] as const;
export type Comparison = (typeof comparisons)[number];

type Scalar = string | boolean | number;
export type ComparedValue = Scalar | readonly Scalar[] | undefined;

/** One sentence: a question, a comparison and what it is compared with. */
export interface ComparisonNode {
  field: string;
  comparison: Comparison;
  /** `between` and `days` have two values, `oneOf` and `noneOf` a list. */
  value: ComparedValue;
}

export const joins = ['all', 'any', 'none', 'notAll'] as const;
export interface GroupNode {
  join: (typeof joins)[number];
  parts: ConditionNode[];
}

/** A condition as its editor shows it: sentences, and groups of them. */
export type ConditionNode = ComparisonNode | GroupNode;

export const isGroup = (node: ConditionNode): node is GroupNode => 'join' in node;

/** The sentences of one question; each keyword, or pair of limits, is one. */
function readComparisons(condition: Condition): ComparisonNode[] {
  const { field = '', minimum, maximum, formatMinimum, formatMaximum } = condition;
  const found: ComparisonNode[] = [];
  const add = (comparison: Comparison, value?: ComparedValue) =>
    found.push({ field, comparison, value });
  if (condition.in) add('oneOf', condition.in);
  if (condition.equals !== undefined) add('is', condition.equals);
  if (condition.answered !== undefined) add(condition.answered ? 'answered' : 'unanswered');
  if (minimum !== undefined && maximum !== undefined) add('between', [minimum, maximum]);
  else if (minimum !== undefined) add('atLeast', minimum);
  else if (maximum !== undefined) add('atMost', maximum);
  if (formatMinimum !== undefined && formatMaximum !== undefined)
    add('days', [formatMinimum, formatMaximum]);
  else if (formatMinimum !== undefined) add('from', formatMinimum);
  else if (formatMaximum !== undefined) add('until', formatMaximum);
  return found;
}

const negated: Partial<Record<Comparison, Comparison>> = { is: 'isNot', oneOf: 'noneOf' };

function negate(node: ConditionNode): ConditionNode {
  if (!isGroup(node)) {
    const comparison = negated[node.comparison];
    return comparison ? { ...node, comparison } : { join: 'none', parts: [node] };
  }
  if (node.join === 'all') return { ...node, join: 'notAll' };
  return node.join === 'any' ? { ...node, join: 'none' } : { join: 'none', parts: [node] };
}

/** Reads a condition. Parts of one condition must all hold, so several are a group of all. */
export function readCondition(condition: Condition): ConditionNode {
  const hasComparison = comparisonKeywords.some((keyword) => condition[keyword] !== undefined);
  const parts: ConditionNode[] = [
    ...(hasComparison
      ? readComparisons(condition)
      : condition.field === undefined
        ? []
        : [{ field: condition.field, comparison: 'answered' as const, value: undefined }]),
    ...(condition.all ? [{ join: 'all' as const, parts: condition.all.map(readCondition) }] : []),
    ...(condition.any ? [{ join: 'any' as const, parts: condition.any.map(readCondition) }] : []),
    ...(condition.not ? [negate(readCondition(condition.not))] : []),
  ];
  const [first] = parts;
  return parts.length === 1 && first ? first : { join: 'all', parts };
}

function writeComparison({ field, comparison, value }: ComparisonNode): Condition {
  const [low, high] = Array.isArray(value) ? (value as readonly Scalar[]) : [];
  switch (comparison) {
    case 'is':
      return { field, equals: value as Scalar };
    case 'isNot':
      return { not: { field, equals: value as Scalar } };
    case 'oneOf':
      return { field, in: value as (string | boolean)[] };
    case 'noneOf':
      return { not: { field, in: value as (string | boolean)[] } };
    case 'atLeast':
      return { field, minimum: value as number };
    case 'atMost':
      return { field, maximum: value as number };
    case 'between':
      return { field, minimum: low as number, maximum: high as number };
    case 'from':
      return { field, formatMinimum: value as string };
    case 'until':
      return { field, formatMaximum: value as string };
    case 'days':
      return { field, formatMinimum: low as string, formatMaximum: high as string };
    default:
      return { field, answered: comparison === 'answered' };
  }
}

/** The condition of the document; undefined for a group without parts. */
export function writeCondition(node: ConditionNode): Condition | undefined {
  if (!isGroup(node)) return writeComparison(node);
  const parts = node.parts.flatMap((part) => writeCondition(part) ?? []);
  const [first] = parts;
  if (!first) return undefined;
  if (parts.length === 1 && (node.join === 'all' || node.join === 'any')) return first;
  switch (node.join) {
    case 'all':
      return { all: parts };
    case 'any':
      return { any: parts };
    case 'none':
      return { not: { any: parts } };
    default:
      return { not: { all: parts } };
  }
}

const answers = ['answered', 'unanswered'] as const;

/** The comparisons that a kind of question can be in. */
export function comparisonsOf(kind: FieldKind): readonly Comparison[] {
  switch (kind) {
    case 'file':
      return [];
    case 'address':
      return answers;
    case 'group':
    case 'fines':
      return ['atLeast', 'atMost', 'between', ...answers];
    case 'number':
    case 'money':
      return ['is', 'isNot', 'atLeast', 'atMost', 'between', ...answers];
    case 'date':
      return ['from', 'until', 'days', 'is', ...answers];
    case 'yesNo':
      return ['is', ...answers];
    case 'choices':
      return ['is', 'isNot', 'oneOf', 'noneOf', 'atLeast', 'atMost', 'between', ...answers];
    case 'choice':
    case 'emirate':
    case 'nationality':
      return ['is', 'isNot', 'oneOf', 'noneOf', ...answers];
    default:
      return ['is', 'isNot', ...answers];
  }
}

function firstScalar(field: FormField): Scalar {
  switch (field.kind) {
    case 'yesNo':
      return true;
    case 'choice':
    case 'choices':
      return field.oneOf?.[0]?.const ?? '';
    case 'emirate':
      return 'dubai';
    case 'nationality':
      return 'AE';
    case 'number':
    case 'money':
      return 0;
    case 'date':
      return '2026-01-01';
    default:
      return '';
  }
}

const isDayLimit = (value: unknown): value is string =>
  typeof value === 'string' && /^(today|\d{4}-)/.test(value);

/** The value with which a comparison begins; what was compared before stays where it fits. */
export function startValue(
  field: FormField,
  comparison: Comparison,
  before?: ComparedValue,
): ComparedValue {
  const old: unknown = Array.isArray(before) ? before[0] : before;
  const first = firstScalar(field);
  const scalar = typeof old === typeof first ? (old as Scalar) : first;
  const number = typeof old === 'number' ? old : 1;
  const day = isDayLimit(old) ? old : 'today';
  const values: Partial<Record<Comparison, ComparedValue>> = {
    is: scalar,
    isNot: scalar,
    oneOf: Array.isArray(before) ? before : [scalar],
    noneOf: Array.isArray(before) ? before : [scalar],
    atLeast: number,
    atMost: number,
    between: [number, number + 1],
    from: day,
    until: day,
    days: [day, 'today+30'],
  };
  return values[comparison];
}

/** The sentence about a question that a new condition begins with. */
export function startComparison(field: FormField): ComparisonNode {
  const [comparison = 'answered'] = comparisonsOf(field.kind);
  return { field: field.name, comparison, value: startValue(field, comparison) };
}
