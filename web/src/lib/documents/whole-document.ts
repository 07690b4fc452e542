import type { DocumentKind } from './saved-document.ts';

/** Two versions of a document that two people changed; the user takes one of them. */
interface WholeConflict<Content> {
  mine: Content;
  theirs: Content;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const partsOf = (value: Record<string, unknown>): string[] =>
  Object.keys(value).filter((name) => value[name] !== undefined);

/** Whether two values are the same JSON. The server may order the parts of an object differently. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  const parts = partsOf(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    parts.length === partsOf(other).length &&
    parts.every((name) => isSameJson(one[name], other[name]))
  );
}

/** Documents whose parts depend on each other: a version is taken whole, or the user is asked. */
export function wholeDocument<Content>(): DocumentKind<Content, WholeConflict<Content>> {
  return {
    isSame: isSameJson,
    merge: (base, mine, theirs) => {
      if (isSameJson(mine, theirs) || isSameJson(base, theirs))
        return { merged: mine, conflicts: [] };
      if (isSameJson(base, mine)) return { merged: theirs, conflicts: [] };
      return { merged: mine, conflicts: [{ mine, theirs }] };
    },
  };
}
