import type { DesignDifference } from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';

type Part = Record<string, unknown>;
type Where = Pick<DesignDifference, 'part' | 'path' | 'fieldKind'>;

const maximumDifferences = 500;

const isObject = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is LocalizedText =>
  isObject(value) && languages.every((language) => typeof value[language] === 'string');

/** JSON with sorted keys, because jsonb does not keep their order. */
function toStableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** Whether two documents, or parts of them, have the same content. */
export const isSameContent = (one: unknown, other: unknown): boolean =>
  toStableJson(one) === toStableJson(other);

const inAllLanguages = (text: string): LocalizedText => ({
  'ar-EG': text,
  'en-US': text,
  'ur-PK': text,
});

// The name that stays when a part moves: without one, a part is known by its place.
function keyOf(part: Part, index: number): string {
  const key = part.name ?? part.const;
  return typeof key === 'string' && key !== '' ? key : `#${index}`;
}

function titleOf(part: Part, key: string): LocalizedText {
  return isText(part.title) ? part.title : inAllLanguages(key);
}

/** Lists whose items have their own name; items of other lists are values. */
const namedLists = ['steps', 'fields', 'sections', 'attachments', 'fees', 'eligibility', 'oneOf'];
/** What an item of a list is called, as the part of a difference. */
const partOfList: Record<string, string> = {
  steps: 'step',
  fields: 'field',
  sections: 'section',
  attachments: 'document',
  fees: 'fee',
  eligibility: 'rule',
  oneOf: 'option',
};

function compareValues(
  property: string,
  [before, after]: readonly [unknown, unknown],
  where: Where,
): DesignDifference[] {
  if (isSameContent(before, after)) return [];
  if (isText(before) || isText(after)) {
    const textIn = (value: unknown, language: (typeof languages)[number]) =>
      isText(value) ? value[language] : undefined;
    return languages.flatMap((language): DesignDifference[] => {
      const [was, is] = [textIn(before, language), textIn(after, language)];
      return was === is
        ? []
        : [{ kind: 'changed', ...where, property, language, before: was, after: is }];
    });
  }
  return [{ kind: 'changed', ...where, property, before, after }];
}

function compareLists(
  list: string,
  [before, after]: readonly [readonly Part[], readonly Part[]],
  path: readonly LocalizedText[],
): DesignDifference[] {
  const part = partOfList[list] ?? 'part';
  const old = new Map(before.map((each, index) => [keyOf(each, index), each]));
  const current = new Map(after.map((each, index) => [keyOf(each, index), each]));
  const where = (each: Part, key: string): Where => ({
    part,
    path: [...path, titleOf(each, key)],
    ...(part === 'field' ? { fieldKind: String(each.kind) } : {}),
  });
  const differences: DesignDifference[] = [];
  for (const [key, each] of current) {
    const was = old.get(key);
    if (was) differences.push(...compareParts([was, each], where(each, key)));
    else differences.push({ kind: 'added', ...where(each, key) });
  }
  for (const [key, each] of old)
    if (!current.has(key)) differences.push({ kind: 'removed', ...where(each, key) });
  const kept = [...old.keys()].filter((key) => current.has(key));
  const now = [...current.keys()].filter((key) => old.has(key));
  // The first that is not where it was stands for all that moved with it.
  const moved = now.find((key, index) => key !== kept[index]);
  if (moved !== undefined)
    differences.push({ kind: 'moved', ...where(current.get(moved) ?? {}, moved) });
  return differences;
}

const asParts = (value: unknown): Part[] | undefined =>
  value === undefined || value === null
    ? []
    : Array.isArray(value) && value.every((each) => isObject(each) && !isText(each))
      ? (value as Part[])
      : undefined;

function compareParts([before, after]: readonly [Part, Part], where: Where): DesignDifference[] {
  const properties = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return properties.flatMap((property) => {
    const [was, is] = [before[property], after[property]];
    const [old, current] = [asParts(was), asParts(is)];
    if (namedLists.includes(property) && old && current)
      return compareLists(property, [old, current], where.path);
    return compareValues(property, [was, is], where);
  });
}

/**
 * The differences between two documents, readable: by part, property and language, in the order of
 * the document. Parts are matched by name, so that a moved field is not a new one.
 */
export function compareDocuments(before: DraftDocument, after: DraftDocument): DesignDifference[] {
  const { form: formBefore, steps: linesBefore, ...restBefore } = before;
  const { form: formAfter, steps: linesAfter, ...restAfter } = after;
  const service: Where = { part: 'service', path: [] };
  const lines = Array.from({ length: Math.max(linesBefore.length, linesAfter.length) }, (_, at) =>
    compareValues('stepLine', [linesBefore[at], linesAfter[at]], {
      part: 'service',
      path: [inAllLanguages(String(at + 1))],
    }),
  );
  return [
    ...compareParts([restBefore, restAfter], service),
    ...lines.flat(),
    ...compareLists('steps', [formBefore.steps, formAfter.steps], []),
  ].slice(0, maximumDifferences);
}

/**
 * Takes into a draft each part of the published service that was changed since the draft began and
 * that the draft has not changed.
 */
export function mergePublished<Draft extends DraftDocument>(
  draft: Draft,
  base: DraftDocument,
  published: DraftDocument,
): Draft {
  const properties = Object.keys(published) as (keyof DraftDocument)[];
  return {
    ...draft,
    ...Object.fromEntries(
      properties
        .filter((property) => isSameContent(draft[property], base[property]))
        .map((property) => [property, published[property]]),
    ),
  };
}
