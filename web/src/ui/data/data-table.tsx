import type { ReactNode } from 'react';
import { classNames } from '../../lib/browser/class-names.ts';
import { useIsDesk, useMediaQuery } from '../../lib/browser/use-media-query.ts';

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** `end` for money and numbers. */
  align?: 'start' | 'end';
  /**
   * The cell that names the row: the row's header in a table, the heading of a card. Put the link
   * to the row here.
   */
  isPrimary?: boolean;
  isHiddenOnPhone?: boolean;
  /**
   * A control that says itself what it does: on a card it stands at the end, without the header as
   * its label.
   */
  isControl?: boolean;
}

interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  isMarked?: (row: Row) => boolean;
  /** The answer shown belongs to the question before; it is being replaced. */
  isStale?: boolean;
  /** Of so many columns that cards stand in its place on a tablet too. */
  isWide?: boolean;
}

/**
 * A dense table on a desk, cards on a phone. In the primary cell a link with the class `row-link`
 * makes the whole row its target.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isTablet = useIsDesk();
  const isWindow = useMediaQuery('(min-width: 64rem)');
  const isDesk = props.isWide ? isWindow : isTablet;
  return (
    <div
      aria-busy={props.isStale || undefined}
      className={classNames('transition-opacity duration-150', props.isStale && 'opacity-60')}
    >
      {isDesk ? <DeskTable {...props} /> : <PhoneCards {...props} />}
    </div>
  );
}

function DeskTable<Row>({ caption, columns, rows, rowKey, isMarked }: DataTableProps<Row>) {
  return (
    <div data-surface className="overflow-x-auto rounded-lg border border-ink-100">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-ink-50 text-ink-600">
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={classNames(
                  'px-3 py-2.5 font-semibold whitespace-nowrap xl:px-4',
                  column.align === 'end' ? 'text-end' : 'text-start',
                )}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              data-row={rowKey(row)}
              className={classNames(
                'relative border-t border-ink-100 transition-colors duration-150 hover:bg-gold-50 has-[.row-link:focus-visible]:bg-gold-50',
                isMarked?.(row) && 'bg-amber-50',
              )}
            >
              {columns.map((column) => {
                const Cell = column.isPrimary ? 'th' : 'td';
                return (
                  <Cell
                    key={column.key}
                    scope={column.isPrimary ? 'row' : undefined}
                    className={classNames(
                      'px-3 py-2.5 align-middle xl:px-4',
                      column.isPrimary && 'font-semibold',
                      column.align === 'end' ? 'text-end tabular-nums' : 'text-start',
                    )}
                  >
                    {column.cell(row)}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PhoneCards<Row>({ caption, columns, rows, rowKey, isMarked }: DataTableProps<Row>) {
  const primary = columns.find((column) => column.isPrimary);
  const controls = columns.filter((column) => column.isControl);
  const others = columns.filter(
    (column) => column !== primary && !column.isControl && !column.isHiddenOnPhone,
  );
  return (
    <ul aria-label={caption} className="grid gap-3 md:grid-cols-2">
      {rows.map((row) => (
        <li
          key={rowKey(row)}
          data-row={rowKey(row)}
          data-surface
          className={classNames(
            'relative rounded-lg border border-ink-100 p-4',
            isMarked?.(row) ? 'bg-amber-50' : 'bg-white',
          )}
        >
          {primary ? <div className="font-semibold wrap-anywhere">{primary.cell(row)}</div> : null}
          <dl className="mt-2 grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
            {others.map((column) => (
              <div key={column.key} className="contents">
                <dt className="text-ink-500">{column.header}</dt>
                <dd className="min-w-0 wrap-anywhere">{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            {controls.map((column) => (
              <div key={column.key} className="mt-3 empty:hidden">
                {column.cell(row)}
              </div>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}
