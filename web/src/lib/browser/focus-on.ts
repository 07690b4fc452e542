/**
 * Focuses and highlights the form element that a refusal or a field name speaks of. Source:
 * specification §8. False when there is none.
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
