import type { Draft } from './draft.ts';

/** A field or an explanation of a mark that was changed in two places in different ways. */
export interface DraftConflict {
  part: 'answers' | 'explanations';
  name: string;
  mine: unknown;
  theirs: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'number' && Number.isNaN(value));

/**
 * Whether two answers are equal. The server stores texts in NFC and orders object keys; all empty
 * values are equal.
 */
export function isSameAnswer(one: unknown, other: unknown): boolean {
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other);
  if (typeof one === 'string' && typeof other === 'string')
    return one === other || one.normalize('NFC') === other.normalize('NFC');
  if (Array.isArray(one) && Array.isArray(other))
    return (
      one.length === other.length && one.every((each, index) => isSameAnswer(each, other[index]))
    );
  if (isObject(one) && isObject(other))
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) =>
      isSameAnswer(one[name], other[name]),
    );
  return one === other;
}

const idsOf = (draft: Draft) => draft.documents.map((each) => each.attachmentId);

const isSameSet = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((each) => others.includes(each));

// One entry for each part, so that the compiler names a new one.
const isSamePart: Record<keyof Draft, (one: Draft, other: Draft) => boolean> = {
  answers: (one, other) => isSameAnswer(one.answers, other.answers),
  explanations: (one, other) => isSameAnswer(one.explanations, other.explanations),
  documents: (one, other) => isSameSet(idsOf(one), idsOf(other)),
  passed: (one, other) => isSameSet(one.passed, other.passed),
};

export const isSameDraft = (one: Draft, other: Draft): boolean =>
  Object.values(isSamePart).every((isSame) => isSame(one, other));

/**
 * Takes each field from the side that changed it since `base`; where both did, `mine` wins and a
 * conflict is reported.
 */
function mergeFields<T>(
  part: DraftConflict['part'],
  base: Readonly<Record<string, T>>,
  mine: Readonly<Record<string, T>>,
  theirs: Readonly<Record<string, T>>,
): { fields: Record<string, T>; conflicts: DraftConflict[] } {
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
  const valueOf = (from: Readonly<Record<string, T>>, name: string) =>
    Object.hasOwn(from, name) ? from[name] : undefined;
  const fields: [string, T][] = [];
  const conflicts: DraftConflict[] = [];
  for (const name of names) {
    const [before, here, there] = [valueOf(base, name), valueOf(mine, name), valueOf(theirs, name)];
    const isMineChanged = !isSameAnswer(before, here);
    if (isMineChanged && !isSameAnswer(before, there) && !isSameAnswer(here, there))
      conflicts.push({ part, name, mine: here, theirs: there });
    const value = isMineChanged ? here : there;
    if (value !== undefined) fields.push([name, value]);
  }
  return { fields: Object.fromEntries(fields), conflicts };
}

/**
 * Merges two versions of a draft since `base`: each field from the side that changed it, and each
 * document that one side added and no side removed. A field that both changed is a conflict and
 * keeps `mine` until the user decides.
 */
export function mergeDrafts(
  base: Draft,
  mine: Draft,
  theirs: Draft,
): { merged: Draft; conflicts: DraftConflict[] } {
  const answers = mergeFields('answers', base.answers, mine.answers, theirs.answers);
  const explanations = mergeFields(
    'explanations',
    base.explanations,
    mine.explanations,
    theirs.explanations,
  );
  const [before, here, there] = [idsOf(base), idsOf(mine), idsOf(theirs)];
  const isIncluded = (id: string) =>
    (here.includes(id) && there.includes(id)) || !before.includes(id);
  const documents = [
    ...theirs.documents,
    ...mine.documents.filter((each) => !there.includes(each.attachmentId)),
  ].filter((each) => isIncluded(each.attachmentId));
  return {
    merged: {
      answers: answers.fields,
      explanations: explanations.fields,
      documents,
      passed: [...new Set([...theirs.passed, ...mine.passed])],
    },
    conflicts: [...answers.conflicts, ...explanations.conflicts],
  };
}
