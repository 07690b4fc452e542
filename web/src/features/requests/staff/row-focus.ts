import { useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';
import { seenList } from './next-request.ts';

const rowOf = (element: Element | null) => element?.closest<HTMLElement>('[data-row]') ?? null;

/** The id of the row that has the focus. */
export function focusedRow(): number | undefined {
  const id = rowOf(document.activeElement)?.dataset.row;
  return id === undefined ? undefined : Number(id);
}

/**
 * Moves the focus to the link of the next row or the one before; from anywhere else to the first.
 */
export function moveFocus(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const place = rows.findIndex((row) => row === rowOf(document.activeElement));
  const row = rows[place < 0 ? 0 : Math.min(Math.max(place + by, 0), rows.length - 1)];
  row?.querySelector<HTMLElement>('.row-link')?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}

/** Presses the button of the row that has the focus; false when it has none. */
export function pressInRow(name: string): boolean {
  const button = rowOf(document.activeElement)?.querySelector<HTMLElement>(
    `[data-focus-id~="${name}"]`,
  );
  button?.click();
  return button !== null && button !== undefined;
}

/**
 * Whoever comes back to a list goes on at the request that they opened last. `isThere`: the rows
 * are.
 */
export function useRowOfLastOpened(address: string, isThere: boolean): void {
  const isBack = useNavigationType() === 'POP';
  const isDone = useRef(false);
  useEffect(() => {
    if (!isThere || isDone.current) return;
    isDone.current = true;
    const { opened } = seenList(address);
    if (!isBack || opened === undefined) return;
    // After the page's heading got the focus; whoever has gone elsewhere since is left there.
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
  }, [address, isBack, isThere]);
}
