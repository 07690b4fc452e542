/**
 * The rows between two of them, both included; only the second when the first is not in the list.
 */
export function rangeOf<Id>(ids: readonly Id[], from: Id | undefined, to: Id): Id[] {
  const ends = [from === undefined ? -1 : ids.indexOf(from), ids.indexOf(to)].toSorted(
    (one, other) => one - other,
  );
  const [first = -1, last = -1] = ends;
  return first < 0 ? [to] : ids.slice(first, last + 1);
}

/**
 * Selected rows by id; what was selected on another page stays. `isOn` is what becomes of the rows.
 */
export function withRows<Row>(
  selected: ReadonlyMap<number, Row>,
  rows: readonly Row[],
  idOf: (row: Row) => number,
  isOn: boolean,
): Map<number, Row> {
  const next = new Map(selected);
  for (const row of rows) {
    if (isOn) next.set(idOf(row), row);
    else next.delete(idOf(row));
  }
  return next;
}
