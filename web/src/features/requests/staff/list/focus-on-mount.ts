/** A `ref` callback that focuses an element when it appears after a user's action. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
