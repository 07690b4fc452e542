import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { mayCall, useSession } from '#lib/api/session.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useIsDesktop, useMediaQuery } from '#lib/browser/media.ts';
import type { Call } from '@diwan/contract/wire/call';
import { Button } from '../actions/button.tsx';

export interface Column<Row> {
  key: string;
  header: ReactNode;
  /** What its control sends or leads to: a user who may not make this call sees no column. */
  call?: Pick<Call, 'who'> | undefined;
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
  /** Classes of the cells of the table, such as their width. */
  className?: string;
  /** The table can be sorted by this column; `order` is missing while it is sorted by another. */
  sort?: { order?: 'ascending' | 'descending' | undefined; onChange: () => void };
}

/** A column with one button for each row. `labelOf` names the row for screen readers. */
export function buttonColumn<Row>({
  key = 'edit',
  header,
  text,
  labelOf,
  onPress,
  call,
}: {
  key?: string;
  header: string;
  text: string;
  labelOf: (row: Row) => string;
  onPress: (row: Row) => void;
  call: Pick<Call, 'who'> | undefined;
}): Column<Row> {
  return {
    key,
    header,
    call,
    isControl: true,
    cell: (row) => (
      <Button variant="secondary" size="sm" aria-label={labelOf(row)} onPress={() => onPress(row)}>
        {text}
      </Button>
    ),
  };
}

/** The height of the rows of a table: 48 or 36 px. */
export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

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
  /** Rows of one height, whose cells are one line; by default a row is as high as its cells. */
  density?: Density;
}

/**
 * A dense table on a desktop, cards on a phone. A link with the class `row-link` in the primary
 * cell makes the whole row clickable.
 */
export function DataTable<Row>({ columns, ...rest }: DataTableProps<Row>) {
  const session = useSession();
  const props = {
    ...rest,
    columns: columns.filter(({ call }) => call === undefined || mayCall(session, call)),
  };
  const isTabletOrWider = useIsDesktop();
  const isDesktop = useMediaQuery('(min-width: 64rem)');
  // A sheet of paper is as narrow as a tablet, and has tables.
  const isPrinted = useMediaQuery('print');
  const showsTable = isPrinted || (props.isWide ? isDesktop : isTabletOrWider);
  return (
    <div
      aria-busy={props.isStale || undefined}
      className={classNames('transition-opacity duration-150', props.isStale && 'opacity-60')}
    >
      {showsTable ? <WideTable {...props} /> : <PhoneCards {...props} />}
    </div>
  );
}

/** The head of a column; a button where the table can be sorted by it. */
function ColumnHead<Row>({ column: { header, sort } }: { column: Column<Row> }) {
  if (!sort) return header;
  const Arrow = sort.order === 'descending' ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      onClick={sort.onChange}
      className="group -mx-2 inline-flex min-h-8 items-center gap-0.5 rounded-md px-2 font-semibold hover:bg-ink-100"
    >
      {header}
      {sort.order ? (
        <Arrow aria-hidden size={16} className="shrink-0" />
      ) : (
        <ArrowUpDown
          aria-hidden
          size={14}
          className="shrink-0 text-ink-400 print:hidden group-hover:text-ink-700 group-focus-visible:text-ink-700"
        />
      )}
    </button>
  );
}

function WideTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  isMarked,
  density,
}: DataTableProps<Row>) {
  const cellStyle = density
    ? `px-2 py-0 first:ps-3 last:pe-3 [&>*]:align-middle ${density === 'compact' ? 'h-9' : 'h-12'}`
    : 'px-3 py-2.5 xl:px-4';
  return (
    <div data-surface data-table className="overflow-x-auto rounded-lg border border-ink-100">
      <table data-density={density} className="group/rows w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-ink-50 text-ink-600">
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                aria-sort={column.sort ? (column.sort.order ?? 'none') : undefined}
                className={classNames(
                  'font-semibold whitespace-nowrap',
                  density ? 'h-10 px-2 py-0 first:ps-3 last:pe-3' : 'px-3 py-2.5 xl:px-4',
                  column.align === 'end' ? 'text-end' : 'text-start',
                  column.isControl && 'print:hidden',
                  column.className,
                )}
              >
                <ColumnHead column={column} />
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
                      'align-middle',
                      cellStyle,
                      column.isPrimary && 'font-semibold',
                      column.align === 'end' ? 'text-end tabular-nums' : 'text-start',
                      column.isControl && 'print:hidden',
                      column.className,
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
              <div key={column.key} className="contents has-[dd:empty]:hidden">
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
