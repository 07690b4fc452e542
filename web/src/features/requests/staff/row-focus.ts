const rowOf = (element: Element | null) => element?.closest<HTMLElement>('[data-row]') ?? null;

/** The id of the row that has the focus. */
export function focusedRow(): number | undefined {
  const id = rowOf(document.activeElement)?.dataset.row;
  return id === undefined ? undefined : Number(id);
}

/** Moves the focus to the link of the next row or the one before; from anywhere else to the first. */
export function moveFocus(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const place = rows.findIndex((row) => row === rowOf(document.activeElement));
  const row = rows[place < 0 ? 0 : Math.min(Math.max(place + by, 0), rows.length - 1)];
  row?.querySelector<HTMLElement>('.row-link')?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}

/** Presses the button of the row that has the focus; false when it has none. */
export function pressInRow(name: string): boolean {
  const button = rowOf(document.activeElement)?.querySelector<HTMLElement>(`[data-focus-id~="${name}"]`);
  button?.click();
  return button !== null && button !== undefined;
}
