import type { DesignProblem } from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { findPart, type FormStep, type PartKind, type Place } from './document-parts.ts';
import { sectionsInOrder } from './move-parts.ts';

/** A line of the outline. `detail` is the kind of a question or of a rule. */
export interface OutlineRow {
  place: Place;
  kind: PartKind;
  level: number;
  title?: LocalizedText;
  name?: string;
  detail?: string;
  isConditional: boolean;
  /** Where its parts are hidden; undefined where it has none. */
  isOpen?: boolean;
}

function rowsOfField(field: FormStep['fields'][number], place: Place, level: number): OutlineRow[] {
  return [
    {
      place,
      kind: 'field',
      level,
      title: field.title,
      name: field.name,
      detail: field.kind,
      isConditional: field.showWhen !== undefined,
    },
    ...(field.fields ?? []).flatMap((each, index) =>
      rowsOfField(each, `${place}.fields.${index}`, level + 1),
    ),
  ];
}

function rowsOfStep(step: FormStep, place: Place): OutlineRow[] {
  const rows: OutlineRow[] = [];
  const sections = new Map(
    sectionsInOrder(step).map(({ section, index }) => [section.name, { section, index }]),
  );
  const addSection = (name: string) => {
    const found = sections.get(name);
    if (!found) return;
    sections.delete(name);
    rows.push({
      place: `${place}.sections.${found.index}`,
      kind: 'section',
      level: 3,
      title: found.section.title,
      name,
      isConditional: found.section.showWhen !== undefined,
    });
  };
  const known = new Set(sections.keys());
  for (const [index, field] of step.fields.entries()) {
    const isInside = field.section !== undefined && known.has(field.section);
    if (field.section !== undefined) addSection(field.section);
    rows.push(...rowsOfField(field, `${place}.fields.${index}`, isInside ? 4 : 3));
  }
  for (const name of sections.keys()) addSection(name);
  return rows;
}

const page = (place: PartKind): OutlineRow => ({
  place,
  kind: place,
  level: 1,
  isConditional: false,
});

/** The lines of the outline from top to bottom; parts of closed places are left out. */
export function listRows(document: DraftDocument, closed: ReadonlySet<Place>): OutlineRow[] {
  const parent = (row: OutlineRow, parts: readonly OutlineRow[]): OutlineRow[] => {
    if (parts.length === 0) return [row];
    const isOpen = !closed.has(row.place);
    return [{ ...row, isOpen }, ...(isOpen ? parts : [])];
  };
  const list = (
    place: PartKind,
    kind: PartKind,
    parts: readonly {
      name: string;
      title?: LocalizedText | undefined;
      kind?: string;
      when?: unknown;
    }[],
  ) =>
    parent(
      page(place),
      parts.map((part, index) => ({
        place: `${place}.${index}`,
        kind,
        level: 2,
        name: part.name,
        isConditional: part.when !== undefined,
        ...(part.title ? { title: part.title } : {}),
        ...(part.kind ? { detail: part.kind } : {}),
      })),
    );
  return [
    page('about'),
    ...list(
      'eligibility',
      'rule',
      document.eligibility.map((rule) => ({
        name: rule.name,
        kind: rule.kind,
        title: rule.kind === 'statement' ? rule.text : undefined,
      })),
    ),
    ...parent(
      page('form'),
      document.form.steps.flatMap((step, index) =>
        parent(
          {
            place: `form.steps.${index}`,
            kind: 'step',
            level: 2,
            title: step.title,
            name: step.name,
            isConditional: step.showWhen !== undefined,
          },
          rowsOfStep(step, `form.steps.${index}`),
        ),
      ),
    ),
    ...list('attachments', 'attachment', document.attachments),
    ...list('fees', 'fee', document.fees),
    page('terms'),
    page('outcome'),
  ];
}

/** The worst problem of each part, for its mark in the outline. */
export function marksOf(problems: readonly DesignProblem[]): Map<Place, DesignProblem['severity']> {
  const marks = new Map<Place, DesignProblem['severity']>();
  for (const { place, severity } of problems) {
    const part = findPart(place).place;
    if (marks.get(part) !== 'error') marks.set(part, severity);
  }
  return marks;
}
