import { useEffect, useRef } from 'react';
import { focusOn } from '#lib/browser/focus-on.ts';
import { useNavigationType } from '#lib/router/router-provider.tsx';
import type { RowSelection } from '#ui/data/row-selection.ts';
import { bulkStaffActions, staffUseOf } from '@diwan/contract/requests/actions';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { actionKeys } from '../shortcuts/shortcut-keys.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { requestsAllowing, type BulkAction } from './bulk-run.ts';
import { loadSeenList } from './seen-list.ts';

const rowOf = (element: Element | null) => element?.closest<HTMLElement>('[data-row]') ?? null;

/** The id of the row that has the focus. */
function focusedRow(): number | undefined {
  const id = rowOf(document.activeElement)?.dataset.row;
  return id === undefined ? undefined : Number(id);
}

/** Moves the focus to the link of the next or previous row; from outside the list to the first. */
function moveFocus(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const index = rows.findIndex((row) => row === rowOf(document.activeElement));
  const row = rows[index < 0 ? 0 : Math.min(Math.max(index + by, 0), rows.length - 1)];
  row?.querySelector<HTMLElement>('.row-link')?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}

/** Clicks the button in the focused row; false when there is none. */
function clickInFocusedRow(name: string): boolean {
  const button = rowOf(document.activeElement)?.querySelector<HTMLElement>(
    `[data-focus-id~="${name}"]`,
  );
  button?.click();
  return button !== null && button !== undefined;
}

/** Focuses the row of the last opened request when the user goes back to the list. */
export function useLastOpenedRowFocus(address: string, areRowsShown: boolean): void {
  const isBack = useNavigationType() === 'POP';
  const isDone = useRef(false);
  useEffect(() => {
    if (!areRowsShown || isDone.current) return;
    isDone.current = true;
    const { opened } = loadSeenList(address);
    if (!isBack || opened === undefined) return;
    // The page's heading gets the focus first. A focus that the user has moved since stays.
    const frame = window.requestAnimationFrame(() => {
      const link = [...document.querySelectorAll<HTMLElement>('[data-row] .row-link')].find(
        ({ textContent }) => textContent === opened,
      );
      if (
        !link ||
        !(document.activeElement === document.body || document.activeElement?.tagName === 'H1')
      )
        return;
      link.focus({ preventScroll: true });
      rowOf(link)?.scrollIntoView({ block: 'nearest' });
    });
    return () => window.cancelAnimationFrame(frame);
  }, [address, isBack, areRowsShown]);
}

interface ListShortcutsOptions {
  rows: readonly RequestSummary[];
  selection: RowSelection<RequestSummary>;
  selected: readonly RequestSummary[];
  isClerk: boolean;
  startBulkAction: (action: BulkAction) => void;
  changeMine: () => void;
}

/**
 * The shortcuts of the staff lists. The focused row is the current one, so that Enter opens it and
 * screen readers announce it.
 */
export function useListShortcuts({
  rows,
  selection,
  selected,
  isClerk,
  startBulkAction,
  changeMine,
}: ListShortcutsOptions): void {
  const bulk = (action: BulkAction) => () =>
    requestsAllowing(action, selected).length > 0 ? startBulkAction(action) : false;
  // Outside the list the arrow keys scroll the page.
  const arrow = (by: 1 | -1) => () => (focusedRow() === undefined ? false : moveFocus(by));
  const select = () => {
    const row = rows.find((each) => each.requestId === focusedRow());
    return row ? selection.toggle(row) : false;
  };
  const receive = bulk('receive');
  const bulkKeys = Object.fromEntries(
    bulkStaffActions
      .filter((action) => staffUseOf(action).hasBulkKey)
      .map((action) => [actionKeys[action], bulk(action)]),
  );
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
          ...bulkKeys,
          [actionKeys.receive]: () =>
            receive() === false ? clickInFocusedRow('receiveRow') : undefined,
        }
      : {}),
  });
}
