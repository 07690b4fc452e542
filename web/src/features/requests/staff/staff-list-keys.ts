import type { RequestSummary } from '@diwan/contract/requests/requests';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import type { BulkAction } from './bulk-actions.ts';
import { focusedRow, moveFocus, pressInRow } from './row-focus.ts';
import { canDo } from './staff-bulk-bar.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import type { RowSelection } from './use-row-selection.ts';

interface ListKeysOptions {
  rows: readonly RequestSummary[];
  selection: RowSelection<RequestSummary>;
  selected: readonly RequestSummary[];
  isClerk: boolean;
  begin: (action: BulkAction) => void;
  changeMine: () => void;
}

/**
 * The keys of the lists of staff. The row that has the focus is the current one, so that Enter
 * opens it and screen readers know where one is.
 */
export function useListKeys({
  rows,
  selection,
  selected,
  isClerk,
  begin,
  changeMine,
}: ListKeysOptions): void {
  const bulk = (action: BulkAction) => () =>
    canDo(action, selected).length > 0 ? begin(action) : false;
  // From elsewhere the arrows move the page.
  const arrow = (by: 1 | -1) => () => (focusedRow() === undefined ? false : moveFocus(by));
  const select = () => {
    const row = rows.find((each) => each.requestId === focusedRow());
    return row ? selection.toggle(row) : false;
  };
  const receive = bulk('receive');
  useShortcuts({
    j: () => moveFocus(1),
    k: () => moveFocus(-1),
    ArrowDown: arrow(1),
    ArrowUp: arrow(-1),
    '/': () => focusOn('listKeyword'),
    ...(isClerk
      ? {
          x: select,
          m: changeMine,
          e: () => (receive() === false ? pressInRow('receiveRow') : undefined),
          l: bulk('release'),
        }
      : {}),
  });
}
