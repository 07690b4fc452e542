import { classNames } from '#lib/browser/class-names.ts';
import type { Column } from './data-table.tsx';
import type { RowSelection } from './row-selection.ts';

interface SelectBoxProps {
  label: string;
  isOn: boolean;
  isMixed?: boolean;
  onChange: (isOn: boolean, isRange: boolean) => void;
  /** The visible label when the table is shown as cards. */
  cardText?: string;
}

/** A checkbox with a large touch target. It lies above the link of its row. */
export function SelectBox({ label, isOn, isMixed = false, onChange, cardText }: SelectBoxProps) {
  return (
    <label
      className={classNames(
        'relative z-1 -m-2 inline-flex min-h-11 min-w-11 cursor-pointer items-center lg:-my-3',
        'justify-center gap-2 p-2 max-lg:justify-start',
      )}
    >
      <input
        type="checkbox"
        checked={isOn}
        aria-label={label}
        ref={(box) => {
          if (box) box.indeterminate = isMixed;
        }}
        onChange={(event) =>
          onChange(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey === true)
        }
        className="size-5 cursor-pointer accent-gold-600"
      />
      {cardText ? (
        <span aria-hidden className="lg:hidden">
          {cardText}
        </span>
      ) : null}
    </label>
  );
}

/** A first column by which rows are chosen: each, and all of the page. */
export function selectColumn<Row>(
  selection: RowSelection<Row>,
  idOf: (row: Row) => number,
  labels: {
    page: string;
    row: (row: Row) => string;
    /** The visible label when the table is shown as cards. */
    card: string;
  },
): Column<Row> {
  return {
    key: 'select',
    isControl: true,
    className: 'w-11',
    header: (
      <SelectBox
        label={labels.page}
        isOn={selection.isPageOn}
        isMixed={selection.isPageMixed}
        onChange={selection.setPage}
      />
    ),
    cell: (row) => (
      <SelectBox
        label={labels.row(row)}
        cardText={labels.card}
        isOn={selection.rows.has(idOf(row))}
        onChange={(_isOn, isRange) => selection.toggle(row, isRange)}
      />
    ),
  };
}
