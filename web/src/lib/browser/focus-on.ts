const parentFold = (fold: Element) => fold.parentElement?.closest('details') ?? null;

/** Focuses and highlights a form element, and opens what is folded around it. */
export function focusElement(element: HTMLElement): void {
  for (let fold = element.closest('details'); fold; fold = parentFold(fold)) fold.open = true;
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
  element.setAttribute('data-highlighted', '');
  const end = () => element.removeAttribute('data-highlighted');
  window.setTimeout(end, 2500);
  // Of a group the first choice is highlighted, until the user chooses another.
  element.addEventListener('blur', end, { once: true });
}

/**
 * Focuses the form element of a refusal or field name. Source: specification §8.
 * False when the page has no such element.
 */
export function focusOn(focusId: string): boolean {
  const element = document.querySelector<HTMLElement>(`[data-focus-id~="${CSS.escape(focusId)}"]`);
  if (element) focusElement(element);
  return element !== null;
}

/** Focuses an element that the next render shows: React may render one frame later. */
export function focusSoon(focusId: string): void {
  window.requestAnimationFrame(() => window.requestAnimationFrame(() => focusOn(focusId)));
}
