import type { Replay } from './early-input.ts';

const identityOf = (element: Element) =>
  [element.localName, element.getAttribute('name'), element.textContent].join();

/** Gives the focus to the element that stands for the one that had it, with its caret. */
function repeatFocus(focused: HTMLElement, current: HTMLElement): void {
  if (current === focused) return;
  current.focus({ preventScroll: true });
  if (focused instanceof HTMLInputElement && current instanceof HTMLInputElement)
    current.setSelectionRange(focused.selectionStart, focused.selectionEnd);
}

/**
 * Renders a page in the place of the one that the server rendered, and repeats what the user did on
 * that: texts, the last press, the focus and its caret. Decision 0073.
 */
export function renderAnew(root: HTMLElement, render: () => void, replay: Replay): void {
  const focused = document.activeElement;
  const currentOf = <E extends HTMLElement>(element: E): E =>
    [...root.querySelectorAll<E>(element.localName)].find(
      (each) => identityOf(each) === identityOf(element),
    ) ?? element;
  render();
  replay(currentOf);
  if (focused instanceof HTMLElement) repeatFocus(focused, currentOf(focused));
}
