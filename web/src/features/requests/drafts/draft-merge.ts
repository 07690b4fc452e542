import type { Draft } from './draft.ts';

/** A field that was written here and elsewhere, each in its own way. */
export interface DraftConflict {
  name: string;
  mine: unknown;
  theirs: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0) || (typeof value === 'number' && Number.isNaN(value));

/** Whether two answers say the same. The server keeps texts in NFC and objects in an order of its own; nothing is nothing, however it is written. */
export function isSameAnswer(one: unknown, other: unknown): boolean {
  if (isNothing(one) || isNothing(other)) return isNothing(one) && isNothing(other);
  if (typeof one === 'string' && typeof other === 'string') return one === other || one.normalize('NFC') === other.normalize('NFC');
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((each, index) => isSameAnswer(each, other[index]));
  if (isObject(one) && isObject(other)) return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => isSameAnswer(one[name], other[name]));
  return one === other;
}

const idsOf = (draft: Draft) => draft.documents.map((each) => each.attachmentId);

export function isSameDraft(one: Draft, other: Draft): boolean {
  const isSameSet = (some: readonly string[], others: readonly string[]) => some.length === others.length && some.every((each) => others.includes(each));
  return isSameAnswer(one.answers, other.answers) && isSameSet(idsOf(one), idsOf(other)) && isSameSet(one.passed, other.passed);
}

/**
 * Brings together what was written in two places since `base`: each field from where it was changed, each document that either added and neither took away. A field
 * that both changed is a conflict and stays mine until the person has chosen.
 */
export function mergeDrafts(base: Draft, mine: Draft, theirs: Draft): { merged: Draft; conflicts: DraftConflict[] } {
  const names = [...new Set([...Object.keys(theirs.answers), ...Object.keys(mine.answers)])];
  const valueOf = (draft: Draft, name: string) => (Object.hasOwn(draft.answers, name) ? draft.answers[name] : undefined);
  const answers: [string, unknown][] = [];
  const conflicts: DraftConflict[] = [];
  for (const name of names) {
    const [before, here, there] = [valueOf(base, name), valueOf(mine, name), valueOf(theirs, name)];
    const isMineChanged = !isSameAnswer(before, here);
    if (isMineChanged && !isSameAnswer(before, there) && !isSameAnswer(here, there)) conflicts.push({ name, mine: here, theirs: there });
    answers.push([name, isMineChanged ? here : there]);
  }
  const [before, here, there] = [idsOf(base), idsOf(mine), idsOf(theirs)];
  const isKept = (id: string) => (here.includes(id) && there.includes(id)) || !before.includes(id);
  const documents = [...theirs.documents, ...mine.documents.filter((each) => !there.includes(each.attachmentId))].filter((each) => isKept(each.attachmentId));
  return { merged: { answers: Object.fromEntries(answers.filter(([, value]) => value !== undefined)), documents, passed: [...new Set([...theirs.passed, ...mine.passed])] }, conflicts };
}
