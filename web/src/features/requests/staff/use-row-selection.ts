import { useState } from 'react';
import { rangeOf, withRows } from './row-selection.ts';

export interface RowSelection<Row> {
  rows: ReadonlyMap<number, Row>;
  /** Selects a row or lets it go; with `isRange` those between it and the one before, too. */
  toggle: (row: Row, isRange?: boolean) => void;
  setPage: (isOn: boolean) => void;
  clear: () => void;
  isPageOn: boolean;
  isPageMixed: boolean;
}

/** Which rows are selected, over the pages of one list. */
export function useRowSelection<Row>(
  page: readonly Row[],
  idOf: (row: Row) => number,
): RowSelection<Row> {
  const [rows, setRows] = useState<ReadonlyMap<number, Row>>(new Map());
  const [last, setLast] = useState<number>();
  const onPage = page.filter((row) => rows.has(idOf(row))).length;
  return {
    rows,
    toggle: (row, isRange = false) => {
      const id = idOf(row);
      const ids = isRange ? rangeOf(page.map(idOf), last, id) : [id];
      setRows(
        withRows(
          rows,
          page.filter((each) => ids.includes(idOf(each))),
          idOf,
          !rows.has(id),
        ),
      );
      setLast(id);
    },
    setPage: (isOn) => setRows(withRows(rows, page, idOf, isOn)),
    clear: () => setRows(new Map()),
    isPageOn: page.length > 0 && onPage === page.length,
    isPageMixed: onPage > 0 && onPage < page.length,
  };
}
