/** For `ref`: what appears because somebody acted takes the focus, so that keys go on with it. */
export function focusWhenShown(element: HTMLElement | null): void {
  element?.focus();
}
