import { useState } from 'react';

/** The ids between two ids, both included; only the second when the first is not in the list. */
export function idsInRange<Id>(ids: readonly Id[], from: Id | undefined, to: Id): Id[] {
  const ends = [from === undefined ? -1 : ids.indexOf(from), ids.indexOf(to)].toSorted(
    (one, other) => one - other,
  );
  const [first = -1, last = -1] = ends;
  return first < 0 ? [to] : ids.slice(first, last + 1);
}

/** The selection after selecting the rows, or deselecting them. Rows of other pages stay selected. */
export function selectRows<Row>(
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

export interface RowSelection<Row> {
  rows: ReadonlyMap<number, Row>;
  /** Selects or deselects a row; with `isRange` also the rows between it and the last one. */
  toggle: (row: Row, isRange?: boolean) => void;
  setPage: (isOn: boolean) => void;
  clear: () => void;
  isPageOn: boolean;
  isPageMixed: boolean;
}

type Rows<Row> = ReadonlyMap<number, Row>;

/** The selected rows, over all pages of one list. `controlled`: the state where the caller has it. */
export function useRowSelection<Row>(
  page: readonly Row[],
  idOf: (row: Row) => number,
  controlled?: [rows: Rows<Row>, setRows: (rows: Rows<Row>) => void],
): RowSelection<Row> {
  const own = useState<Rows<Row>>(new Map());
  const [rows, setRows] = controlled ?? own;
  const [last, setLast] = useState<number>();
  const onPage = page.filter((row) => rows.has(idOf(row))).length;
  return {
    rows,
    toggle: (row, isRange = false) => {
      const id = idOf(row);
      const ids = isRange ? idsInRange(page.map(idOf), last, id) : [id];
      setRows(
        selectRows(
          rows,
          page.filter((each) => ids.includes(idOf(each))),
          idOf,
          !rows.has(id),
        ),
      );
      setLast(id);
    },
    setPage: (isOn) => setRows(selectRows(rows, page, idOf, isOn)),
    clear: () => setRows(new Map()),
    isPageOn: page.length > 0 && onPage === page.length,
    isPageMixed: onPage > 0 && onPage < page.length,
  };
}
