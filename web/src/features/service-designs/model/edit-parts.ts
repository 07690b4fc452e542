import type { EligibilityRule } from '@diwan/contract/catalogue/eligibility';
import type { FeeRule } from '@diwan/contract/catalogue/fees';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import type { Condition } from '@diwan/contract/forms/form-conditions';
import type {
  AttachmentRule,
  FieldKind,
  FormField,
  FormSection,
} from '@diwan/contract/forms/forms';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import {
  allFields,
  getAt,
  isBranch,
  kindOfPlace,
  listAt,
  listOf,
  setAt,
  stepIndexOf,
  withoutUndefined,
  type Edited,
  type FieldTarget,
  type FormStep,
  type Place,
} from './document-parts.ts';

/** The first free name that begins with `base`. */
export function freeName(base: string, taken: Iterable<string>): string {
  const names = new Set(taken);
  const stem = base.replace(/\d+$/, '').slice(0, 36);
  if (!names.has(base) && base !== stem) return base;
  for (let number = base === stem ? 1 : 2; ; number += 1)
    if (!names.has(`${stem}${number}`)) return `${stem}${number}`;
}

const fieldNames = (document: DraftDocument) => allFields(document).map(({ name }) => name);

const noText: LocalizedText = { 'ar-EG': '', 'en-US': '', 'ur-PK': '' };

/** A new question with what its kind needs. */
function newField(document: DraftDocument, kind: FieldKind, taken: readonly string[]): FormField {
  const name = freeName('question', [...fieldNames(document), ...taken]);
  const field: FormField = { name, kind, title: noText, required: kind !== 'file' };
  switch (kind) {
    case 'choice':
    case 'choices':
      return {
        ...field,
        oneOf: ['option1', 'option2'].map((option) => ({ const: option, title: noText })),
      };
    case 'group':
      return {
        ...field,
        itemTitle: noText,
        minItems: 1,
        maxItems: 10,
        fields: [newField(document, 'text', [name])] as NonNullable<FormField['fields']>,
      };
    default:
      return field;
  }
}

const newAttachment = ({ attachments }: DraftDocument): AttachmentRule => ({
  name: freeName(
    'document',
    attachments.map(({ name }) => name),
  ),
  title: noText,
  required: true,
  mediaTypes: ['application/pdf', 'image/jpeg', 'image/png'],
  maximumBytes: 5_242_880,
  maximumCount: 1,
});

/** What replaces a field when its kind changes: what the new kind cannot have is left out. */
export function changeKind(document: DraftDocument, field: FormField, kind: FieldKind): FormField {
  const { name, title, description, required, requiredMessage, requiredWhen, showWhen, section } =
    field;
  const kept = { name, title, description, required, requiredMessage, requiredWhen, showWhen };
  const made = newField(document, kind, []);
  const options =
    field.oneOf && (kind === 'choice' || kind === 'choices') ? { oneOf: field.oneOf } : {};
  return withoutUndefined({ ...made, ...kept, section, ...options, kind });
}

function insert(document: DraftDocument, list: string, index: number, part: unknown): Edited {
  return {
    document: setAt(document, list, listAt(document, list).toSpliced(index, 0, part)),
    place: `${list}.${index}`,
  };
}

/** Where a new field goes when a part is selected: after it, or at the end of it. */
function targetAt(document: DraftDocument, place: Place): FieldTarget {
  const { steps } = document.form;
  const step = stepIndexOf(place) < 0 ? steps.length - 1 : stepIndexOf(place);
  const fields = steps[step]?.fields ?? [];
  const at = /^form\.steps\.\d+\.fields\.(\d+)/.exec(place)?.[1];
  if (at !== undefined)
    return { step, index: Number(at) + 1, section: fields[Number(at)]?.section };
  if (kindOfPlace(place) !== 'section') return { step, index: fields.length, section: undefined };
  const { name } = getAt(document, place) as FormSection;
  const last = fields.findLastIndex(({ section }) => section === name);
  return { step, index: last < 0 ? fields.length : last + 1, section: name };
}

/** Adds a question after the selected part; a form without steps gets one. */
export function addField(document: DraftDocument, place: Place, kind: FieldKind): Edited {
  if (document.form.steps.length === 0)
    return addField(addStep(document, place).document, 'form.steps.0', kind);
  if (kind === 'file') return addFileField(document, place);
  const group = /^(form\.steps\.\d+\.fields\.\d+\.fields)\.(\d+)$/.exec(place);
  if (group?.[1] && kind !== 'group')
    return insert(document, group[1], Number(group[2]) + 1, newField(document, kind, []));
  const { step, index, section } = targetAt(document, place);
  const field = withoutUndefined({ ...newField(document, kind, []), section });
  return insert(document, `form.steps.${step}.fields`, index, field);
}

/** A document within a step: of the first rule that has no place yet, else of a new rule. */
function addFileField(document: DraftDocument, place: Place): Edited {
  const placed = new Set(allFields(document).map(({ attachment }) => attachment));
  const free = document.attachments.find(({ name }) => !placed.has(name));
  const rule = free ?? newAttachment(document);
  const attachments = free ? document.attachments : [...document.attachments, rule];
  const { step, index, section } = targetAt(document, place);
  const field = withoutUndefined({
    ...newField(document, 'file', []),
    title: rule.title,
    attachment: rule.name,
    section,
  });
  return insert({ ...document, attachments }, `form.steps.${step}.fields`, index, field);
}

/** Adds a question to a repeating group. */
export function addToGroup(document: DraftDocument, group: Place): Edited {
  const list = `${group}.fields`;
  return insert(document, list, listAt(document, list).length, newField(document, 'text', []));
}

export function addStep(document: DraftDocument, place: Place): Edited {
  const { steps } = document.form;
  const index = stepIndexOf(place) < 0 ? steps.length : stepIndexOf(place) + 1;
  const name = freeName(
    'step',
    steps.map((step) => step.name),
  );
  return insert(document, 'form.steps', index, { name, title: noText, fields: [] });
}

export function addSection(document: DraftDocument, place: Place): Edited {
  if (document.form.steps.length === 0)
    return addSection(addStep(document, place).document, 'form.steps.0');
  const { step } = targetAt(document, place);
  const path = `form.steps.${step}`;
  const sections = document.form.steps[step]?.sections ?? [];
  const name = freeName(
    'section',
    sections.map((section) => section.name),
  );
  return {
    document: setAt(document, `${path}.sections`, [...sections, { name, title: noText }]),
    place: `${path}.sections.${sections.length}`,
  };
}

export const addAttachment = (document: DraftDocument): Edited =>
  insert(document, 'attachments', document.attachments.length, newAttachment(document));

export function addFee(document: DraftDocument): Edited {
  const name = freeName(
    'fee',
    document.fees.map((fee) => fee.name),
  );
  const fee: FeeRule = { name, title: noText, amount: 0, vatRate: 0 };
  return insert(document, 'fees', document.fees.length, fee);
}

type RuleKind = EligibilityRule['kind'];

/** A rule of a kind with a first choice, so that it is complete where no text is needed. */
function newRule(kind: RuleKind, name: string): EligibilityRule {
  switch (kind) {
    case 'account':
      return { kind, name, any: ['individual'] };
    case 'standing':
      return { kind, name, any: ['citizen', 'resident'] };
    case 'nationality':
      return { kind, name, in: ['AE'] };
    case 'age':
      return { kind, name, from: 18 };
    case 'emirate':
      return { kind, name, any: ['dubai'] };
    case 'statement':
      return { kind, name, text: noText, question: noText };
    default:
      return { kind, name };
  }
}

export function addRule(document: DraftDocument, kind: RuleKind): Edited {
  const name = freeName(
    'rule',
    document.eligibility.map((rule) => rule.name),
  );
  return insert(document, 'eligibility', document.eligibility.length, newRule(kind, name));
}

/** A copy of a part after it, with new names. */
export function duplicatePart(document: DraftDocument, place: Place): Edited {
  const kind = kindOfPlace(place);
  const { list, index } = listOf(place);
  const part = structuredClone(getAt(document, place)) as { name: string };
  const names = listAt(document, list).map((each) => (each as { name: string }).name);
  if (kind === 'section') return duplicateSection(document, place);
  const taken = new Set([
    ...names,
    ...(kind === 'field' || kind === 'step' ? fieldNames(document) : []),
  ]);
  const rename = (named: { name: string }) => {
    named.name = freeName(named.name, taken);
    taken.add(named.name);
  };
  rename(part);
  const copies: FormField[] = kind === 'step' ? (part as FormStep).fields : [];
  if (kind === 'field') copies.push(part as FormField);
  const renamed = new Map<string, string>();
  for (const field of copies)
    for (const each of [field, ...(field.fields ?? [])]) {
      const before = each.name;
      if (each !== part) rename(each);
      renamed.set(before, each.name);
    }
  // Within the copy a condition means the copied question. A document has one place only.
  const copied =
    kind === 'step'
      ? { ...part, fields: copies.filter((field) => field.kind !== 'file') }
      : kind === 'field' && (part as FormField).kind === 'file'
        ? { ...part, kind: 'text', attachment: undefined }
        : part;
  return insert(document, list, index + 1, renameWithin(withoutUndefined(copied), renamed));
}

function duplicateSection(document: DraftDocument, place: Place): Edited {
  const step = stepIndexOf(place);
  const section = getAt(document, place) as FormSection;
  const added = addSection(document, place);
  const { name } = getAt(added.document, added.place) as FormSection;
  let result = setAt(added.document, added.place, { ...section, name });
  const own = (document.form.steps[step]?.fields ?? []).filter(
    (each) => each.section === section.name,
  );
  for (const field of own.filter((each) => each.kind !== 'file')) {
    const { fields } = result.form.steps[step] as FormStep;
    const copy = duplicatePart(result, `form.steps.${step}.fields.${fields.indexOf(field)}`);
    const made = getAt(copy.document, copy.place) as FormField;
    const { list, index } = listOf(copy.place);
    const others = listAt(copy.document, list).toSpliced(index, 1);
    result = setAt(copy.document, list, [...others, { ...made, section: name }]);
  }
  return { document: result, place: added.place };
}

/** Removes a part; the questions of a section stay in the step. */
export function removePart(document: DraftDocument, place: Place): Edited {
  const { list, index } = listOf(place);
  let result = setAt(document, list, listAt(document, list).toSpliced(index, 1));
  if (kindOfPlace(place) === 'section') {
    const { name } = getAt(document, place) as FormSection;
    const path = `form.steps.${stepIndexOf(place)}`;
    const step = getAt(result, path) as FormStep;
    result = setAt(
      result,
      path,
      withoutUndefined({
        ...step,
        sections: step.sections?.length ? step.sections : undefined,
        fields: step.fields.map((field) =>
          field.section === name ? withoutUndefined({ ...field, section: undefined }) : field,
        ),
      }),
    );
  }
  const left = listAt(result, list).length;
  const parent = /^(.*)\.(?:fields|sections|steps)$/.exec(list)?.[1];
  return {
    document: result,
    place: left > 0 ? `${list}.${Math.min(index, left - 1)}` : (parent ?? list),
  };
}

function renameWithin<T>(value: T, names: ReadonlyMap<string, string>): T {
  const rename = (name: unknown) => (typeof name === 'string' ? (names.get(name) ?? name) : name);
  if (Array.isArray(value)) return value.map((each) => renameWithin(each, names)) as T;
  if (!isBranch(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      ['field', 'per', 'percentOf', 'finesOf'].includes(key) && typeof each === 'string'
        ? rename(each)
        : key === 'findBy' && Array.isArray(each)
          ? each.map(rename)
          : renameWithin(each, names),
    ]),
  ) as T;
}

/** Gives a question another name, in conditions and fees too. */
export function renameField(document: DraftDocument, place: Place, name: string): DraftDocument {
  const { name: before } = getAt(document, place) as FormField;
  const names = new Map([[before, name]]);
  const renamed = {
    ...document,
    form: renameWithin(document.form, names),
    fees: renameWithin(document.fees, names),
  };
  return setAt(renamed, `${place}.name`, name);
}

/** Gives a document another name, in the questions that show it or read from it too. */
export function renameAttachment(document: DraftDocument, place: Place, name: string) {
  const { name: before } = getAt(document, place) as AttachmentRule;
  const steps = document.form.steps.map((step) => ({
    ...step,
    fields: step.fields.map((field) => ({
      ...field,
      ...(field.attachment === before ? { attachment: name } : {}),
      ...(field.readFrom?.attachment === before
        ? { readFrom: { ...field.readFrom, attachment: name } }
        : {}),
    })),
  }));
  return setAt({ ...document, form: { steps } }, `${place}.name`, name);
}

/** A name from the words of an English title: "First day" is `firstDay`. Empty without words. */
export function nameFromTitle(title: string): string {
  const words = title.match(/[A-Za-z0-9]+/g) ?? [];
  const [first = '', ...rest] = words.slice(0, 5).map((word) => word.toLowerCase());
  const name = [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join(
    '',
  );
  return name
    .replace(/^\d+/, '')
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .slice(0, 40);
}

/** Gives a choice of a question another value, in the conditions on the question too. */
export function renameOption(
  document: DraftDocument,
  place: Place,
  { index, value }: { index: number; value: string },
): DraftDocument {
  const field = getAt(document, place) as FormField;
  const before = field.oneOf?.[index]?.const;
  const replace = <T>(part: T): T => {
    if (Array.isArray(part)) return part.map(replace) as T;
    if (!isBranch(part)) return part;
    const copy = Object.fromEntries(
      Object.entries(part).map(([key, each]) => [key, replace(each)]),
    ) as Condition;
    if (copy.field === field.name && copy.equals === before) copy.equals = value;
    if (copy.field === field.name && Array.isArray(copy.in))
      copy.in = copy.in.map((each) => (each === before ? value : each));
    return copy as T;
  };
  const renamed = { ...document, form: replace(document.form), fees: replace(document.fees) };
  return setAt(renamed, `${place}.oneOf.${index}.const`, value);
}
