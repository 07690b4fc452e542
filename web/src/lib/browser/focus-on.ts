/**
 * Focuses and highlights the form element of a refusal or field name. Source: specification §8.
 * False when the page has no such element.
 */
export function focusOn(focusId: string): boolean {
  const element = document.querySelector<HTMLElement>(`[data-focus-id~="${CSS.escape(focusId)}"]`);
  if (!element) return false;
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
  element.setAttribute('data-highlighted', '');
  window.setTimeout(() => element.removeAttribute('data-highlighted'), 2500);
  return true;
}
