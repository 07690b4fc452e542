import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import type { FormField, FormSection } from '@diwan/contract/forms/forms';
import {
  getAt,
  kindOfPlace,
  listOf,
  setAt,
  stepIndexOf,
  withoutUndefined,
  type Edited,
  type FieldTarget,
  type FormStep,
  type Place,
} from './document-parts.ts';

/** A step as the outline shows it: each section with its fields is one block, so is a lone field. */
interface Block {
  section: string | undefined;
  fields: FormField[];
}

function blocksOf({ fields }: FormStep): Block[] {
  const blocks: Block[] = [];
  for (const field of fields) {
    const last = blocks.at(-1);
    if (last && last.section !== undefined && last.section === field.section)
      last.fields.push(field);
    else blocks.push({ section: field.section, fields: [field] });
  }
  return blocks;
}

/** The sections of a step in the order in which they are shown: those without fields come last. */
export function sectionsInOrder(step: FormStep): { section: FormSection; index: number }[] {
  const first = (name: string) => {
    const index = step.fields.findIndex(({ section }) => section === name);
    return index < 0 ? step.fields.length : index;
  };
  return (step.sections ?? [])
    .map((section, index) => ({ section, index }))
    .sort((one, other) => first(one.section.name) - first(other.section.name));
}

const withFields = (document: DraftDocument, step: number, fields: readonly FormField[]) =>
  setAt(document, `form.steps.${step}.fields`, fields);

const inSection = (field: FormField, section: string | undefined): FormField =>
  withoutUndefined({ ...field, section });

/** Moves a question of the form to another place; `index` counts without the question itself. */
function moveFieldTo(document: DraftDocument, place: Place, target: FieldTarget): Edited {
  const from = stepIndexOf(place);
  const { index: at } = listOf(place);
  const field = getAt(document, place) as FormField;
  const left = (document.form.steps[from]?.fields ?? []).toSpliced(at, 1);
  const taken = withFields(document, from, left);
  const { step, index, section } = target;
  const fields = taken.form.steps[step]?.fields ?? [];
  return {
    document: withFields(taken, step, fields.toSpliced(index, 0, inSection(field, section))),
    place: `form.steps.${step}.fields.${index}`,
  };
}

/** Where a question comes when it moves one line up or down in the outline. */
function fieldTarget(document: DraftDocument, place: Place, by: 1 | -1): FieldTarget | undefined {
  const { steps } = document.form;
  const step = stepIndexOf(place);
  const { index } = listOf(place);
  const fields = steps[step]?.fields ?? [];
  const field = fields[index] as FormField;
  const neighbour = fields[index + by];
  if (neighbour && neighbour.section === field.section)
    return { step, index: index + by, section: field.section };
  const isAlone = fields.every((each) => each === field || each.section !== field.section);
  const other = steps[step + by];
  const next = other && {
    step: step + by,
    index: by === 1 ? 0 : other.fields.length,
    section: undefined,
  };
  // At the edge of its section it leaves the section; beside a section it joins it. A section that
  // it leaves empty at the end would take it in again.
  if (field.section !== undefined)
    return (by === 1 && !neighbour && isAlone && next) || { step, index, section: undefined };
  if (neighbour) return { step, index, section: neighbour.section };
  const empty = sectionsInOrder(steps[step] as FormStep).find(
    ({ section }) => !fields.some((each) => each.section === section.name),
  );
  if (by === 1 && empty) return { step, index, section: empty.section.name };
  return next;
}

function moveSection(document: DraftDocument, place: Place, by: 1 | -1): Edited | undefined {
  const step = stepIndexOf(place);
  const { name } = getAt(document, place) as FormSection;
  const blocks = blocksOf(document.form.steps[step] as FormStep);
  const at = blocks.findIndex(({ section }) => section === name);
  const other = at < 0 ? undefined : blocks[at + by];
  const own = blocks[at];
  if (!own || !other) return undefined;
  const moved = blocks.with(at, other).with(at + by, own);
  const fields = moved.flatMap((block) => block.fields);
  return { document: withFields(document, step, fields), place };
}

/** Moves a part one position; undefined where it is the first or last already. */
export function movePart(document: DraftDocument, place: Place, by: 1 | -1): Edited | undefined {
  const kind = kindOfPlace(place);
  if (kind === 'section') return moveSection(document, place, by);
  const { list, index } = listOf(place);
  if (/^form\.steps\.\d+\.fields$/.test(list)) {
    const target = fieldTarget(document, place, by);
    return target && moveFieldTo(document, place, target);
  }
  const parts = getAt(document, list);
  if (!Array.isArray(parts) || index + by < 0 || index + by >= parts.length) return undefined;
  return {
    document: setAt(
      document,
      list,
      parts.with(index, parts[index + by]).with(index + by, parts[index]),
    ),
    place: `${list}.${index + by}`,
  };
}

/** Where a question comes that is dropped on another part of the form. */
function dropTarget(document: DraftDocument, place: Place, onto: Place): FieldTarget {
  const step = stepIndexOf(onto);
  const { index } = listOf(onto);
  const fields = document.form.steps[step]?.fields ?? [];
  const kind = kindOfPlace(onto);
  // On a question of the same step: before it, or behind it when it comes from above.
  if (kind === 'field') return { step, index, section: fields[index]?.section };
  const section = kind === 'section' ? (getAt(document, onto) as FormSection).name : undefined;
  const first = fields.findIndex((each) => each.section === section);
  const at = kind === 'step' ? 0 : first < 0 ? fields.length : first;
  const isAbove = stepIndexOf(place) === step && listOf(place).index < at;
  return { step, index: isAbove ? at - 1 : at, section };
}

/** Moves a part to where another one is: what a drag by mouse does. Undefined where it cannot be. */
export function movePartOnto(
  document: DraftDocument,
  place: Place,
  onto: Place,
): Edited | undefined {
  const [own, other] = [listOf(place), listOf(onto)];
  if (place === onto) return undefined;
  if (own.list === other.list && !/^form\.steps\.\d+\.(fields|sections)$/.test(own.list)) {
    const parts = getAt(document, own.list) as unknown[];
    const moved = parts.toSpliced(own.index, 1).toSpliced(other.index, 0, parts[own.index]);
    return { document: setAt(document, own.list, moved), place: onto };
  }
  const isQuestion = /^form\.steps\.\d+\.fields\.\d+$/.test(place);
  if (!isQuestion || stepIndexOf(onto) < 0 || /\.fields\.\d+\.fields\./.test(onto))
    return undefined;
  return moveFieldTo(document, place, dropTarget(document, place, onto));
}
