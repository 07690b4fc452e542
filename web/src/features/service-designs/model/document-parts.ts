import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import { listConditions, type Condition } from '@diwan/contract/forms/form-conditions';
import type { FieldKind, FormField, FormSection, ServiceForm } from '@diwan/contract/forms/forms';
import type { LocalizedText } from '@diwan/contract/wire/languages';

export type FormStep = ServiceForm['steps'][number];

/**
 * The path of a part of a document, as problems name it: `form.steps.0.fields.2`, `fees.1`; or the
 * name of a page of settings: `about`, `form`, `attachments`, `eligibility`, `fees`, `terms`,
 * `outcome`.
 */
export type Place = string;

export type PartKind =
  | 'about'
  | 'form'
  | 'step'
  | 'section'
  | 'field'
  | 'attachments'
  | 'attachment'
  | 'eligibility'
  | 'rule'
  | 'fees'
  | 'fee'
  | 'terms'
  | 'outcome';

const patterns: readonly [RegExp, PartKind][] = [
  [/^form\.steps\.\d+\.fields\.\d+(\.fields\.\d+)?$/, 'field'],
  [/^form\.steps\.\d+\.sections\.\d+$/, 'section'],
  [/^form\.steps\.\d+$/, 'step'],
  [/^attachments\.\d+$/, 'attachment'],
  [/^eligibility\.\d+$/, 'rule'],
  [/^fees\.\d+$/, 'fee'],
];
const pages = ['about', 'form', 'attachments', 'eligibility', 'fees', 'terms', 'outcome'] as const;

/** Whether a place is a page of settings, and no part of a list. */
export const isPage = (place: Place): boolean => pages.some((page) => page === place);

export const kindOfPlace = (place: Place): PartKind =>
  pages.find((page) => page === place) ??
  patterns.find(([pattern]) => pattern.test(place))?.[1] ??
  'about';

const pageOfProperty: Record<string, Place> = {
  ...Object.fromEntries(
    ['name', 'description', 'replacedName', 'agencyId', 'categoryId', 'accountTypeIds'].map(
      (property) => [property, 'about'],
    ),
  ),
  terms: 'terms',
  steps: 'terms',
  form: 'form',
  attachments: 'attachments',
  eligibility: 'eligibility',
  fees: 'fees',
};

const partPath =
  /^(form\.steps\.\d+(?:\.sections\.\d+|(?:\.fields\.\d+){0,2})|(?:attachments|eligibility|fees)\.\d+)(?:\.(.*))?$/;

/** The part that a path of a problem lies in, and the rest of the path: `title`, `oneOf.2.title`. */
export function findPart(path: string): { place: Place; property: string } {
  const [, place, property = ''] = partPath.exec(path) ?? [];
  if (place !== undefined) return { place, property };
  return { place: pageOfProperty[path.split('.')[0] ?? ''] ?? 'outcome', property: path };
}

type Branch = Record<string, unknown> | unknown[];

export const isBranch = (value: unknown): value is Branch =>
  typeof value === 'object' && value !== null;

/** What is at a path of a document; undefined where there is nothing. */
export function getAt(document: unknown, path: string): unknown {
  let found = document;
  for (const key of path.split('.'))
    found = isBranch(found) ? (found as Record<string, unknown>)[key] : undefined;
  return found;
}

/** A copy in which the value at the path is another one. What is not on the path stays the same. */
export function setAt<Document>(document: Document, path: string, value: unknown): Document {
  const [key = '', ...rest] = path.split('.');
  const current = document as unknown as Record<string, unknown>;
  const next = rest.length === 0 ? value : setAt(current[key], rest.join('.'), value);
  if (!Array.isArray(document)) return { ...current, [key]: next } as Document;
  return document.with(Number(key), next) as Document;
}

/** The path of the list that a part is in, and its index there. */
export function listOf(place: Place): { list: string; index: number } {
  const dot = place.lastIndexOf('.');
  return { list: place.slice(0, dot), index: Number(place.slice(dot + 1)) };
}

export const listAt = (document: DraftDocument, list: string): readonly unknown[] => {
  const found = getAt(document, list);
  return Array.isArray(found) ? found : [];
};

export const stepIndexOf = (place: Place): number =>
  Number(/^form\.steps\.(\d+)/.exec(place)?.[1] ?? -1);

/** Whether a document has a part at the place. */
export const hasPart = (document: DraftDocument, place: Place): boolean =>
  isPage(place) || getAt(document, place) !== undefined;

/** All questions of the form, those of groups too. */
export const allFields = ({ form }: DraftDocument): FormField[] =>
  form.steps.flatMap((step) =>
    step.fields.flatMap((field) => [field, ...((field.fields ?? []) as FormField[])]),
  );

/** A part without the properties that are undefined: they are not in the document. */
export const withoutUndefined = <T extends object>(part: T): T =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as T;

export interface Edited {
  document: DraftDocument;
  /** The part to show next. */
  place: Place;
}

/** Where a field is in its form: its step, index and section. */
export interface FieldTarget {
  step: number;
  index: number;
  section: string | undefined;
}

/** The questions that a condition at a place may name, in the order of the form. */
export function fieldsBefore(document: DraftDocument, place: Place): FormField[] {
  const { steps } = document.form;
  const [, step, at, inner] =
    /^form\.steps\.(\d+)(?:\.fields\.(\d+)(?:\.fields\.(\d+))?)?/.exec(place) ?? [];
  if (step === undefined) return steps.flatMap(({ fields }) => fields);
  const own = steps[Number(step)]?.fields ?? [];
  const section =
    kindOfPlace(place) === 'section' ? (getAt(document, place) as FormSection) : undefined;
  const first = section ? own.findIndex((field) => field.section === section.name) : 0;
  const end = at === undefined ? (first < 0 ? own.length : first) : Number(at);
  const group = at === undefined ? undefined : own[Number(at)];
  return [
    ...steps.slice(0, Number(step)).flatMap(({ fields }) => fields),
    ...own.slice(0, end),
    ...(inner === undefined ? [] : ((group?.fields ?? []).slice(0, Number(inner)) as FormField[])),
  ];
}

/** The questions that refer to a question by conditions, and fees; by their names. */
export function usesOfField(document: DraftDocument, name: string): LocalizedText[] {
  const refers = (condition: Condition | undefined) =>
    condition !== undefined && listConditions(condition).some(({ field }) => field === name);
  return [
    ...document.form.steps.flatMap((step) => [
      ...[step, ...(step.sections ?? [])].filter(({ showWhen }) => refers(showWhen)),
      ...step.fields
        .flatMap((field) => [field, ...(field.fields ?? [])])
        .filter(
          (field) =>
            refers(field.showWhen) ||
            refers(field.requiredWhen) ||
            ('findBy' in field && (field as FormField).findBy?.includes(name)),
        ),
    ]),
    ...document.fees.filter(
      ({ when, per, percentOf, finesOf }) =>
        refers(when) || [per, percentOf, finesOf].includes(name),
    ),
  ].map(({ title }) => title);
}

/** The kinds of question by what they ask for, in the order of the menu. */
export const kindGroups: readonly { name: string; kinds: readonly FieldKind[] }[] = [
  { name: 'writing', kinds: ['text', 'longText', 'number', 'money', 'date'] },
  { name: 'choosing', kinds: ['yesNo', 'choice', 'choices', 'emirate', 'nationality'] },
  { name: 'person', kinds: ['mobile', 'email', 'emiratesId', 'address', 'iban', 'trn'] },
  { name: 'other', kinds: ['group', 'file', 'fines'] },
];
