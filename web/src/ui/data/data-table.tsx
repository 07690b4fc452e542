import type { ReactNode } from 'react';
import { classNames } from '../../lib/browser/class-names.ts';
import { useIsDesktop, useMediaQuery } from '../../lib/browser/media.ts';

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Use `end` for money and numbers. */
  align?: 'start' | 'end';
  /**
   * The cell that identifies the row: the row header of the table and the heading of the card. It
   * holds the link to the row.
   */
  isPrimary?: boolean;
  isHiddenOnPhone?: boolean;
  /**
   * The cell holds a control with its own label: a card shows it at the end, without the header.
   */
  isControl?: boolean;
}

interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  isMarked?: (row: Row) => boolean;
  /** The rows belong to the previous query and are about to be replaced. */
  isStale?: boolean;
  /** The table has many columns, so tablets show cards too. */
  isWide?: boolean;
}

/**
 * A dense table on a desktop, cards on a phone. A link with the class `row-link` in the primary
 * cell makes the whole row clickable.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isTabletOrWider = useIsDesktop();
  const isDesktop = useMediaQuery('(min-width: 64rem)');
  const showsTable = props.isWide ? isDesktop : isTabletOrWider;
  return (
    <div
      aria-busy={props.isStale || undefined}
      className={classNames('transition-opacity duration-150', props.isStale && 'opacity-60')}
    >
      {showsTable ? <WideTable {...props} /> : <PhoneCards {...props} />}
    </div>
  );
}

function WideTable<Row>({ caption, columns, rows, rowKey, isMarked }: DataTableProps<Row>) {
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
                'relative border-t border-ink-100 transition-colors duration-150',
                'hover:bg-gold-50 has-[.row-link:focus-visible]:bg-gold-50',
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
