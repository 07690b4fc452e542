/** Whether the browser opens another tab or window. */
const isLeftToBrowser = (event: MouseEvent) =>
  event.metaKey || event.altKey || event.ctrlKey || event.shiftKey;

type Field = HTMLInputElement | HTMLSelectElement;

function repeatText(field: Field, text: string): void {
  const prototype = Object.getPrototypeOf(field) as object;
  // React ignores an event of a value that it has set itself or seen.
  field.value = '';
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
  const name = field instanceof HTMLInputElement ? 'input' : 'change';
  field.dispatchEvent(new Event(name, { bubbles: true }));
}

const identityOf = (element: Element) =>
  [element.localName, element.getAttribute('name'), element.textContent].join();

/** The element itself, or what stands for it where the page was rendered anew. */
const currentOf = <E extends HTMLElement>(root: HTMLElement, element: E): E | undefined =>
  root.contains(element)
    ? element
    : [...root.querySelectorAll<E>(element.localName)].find(
        (each) => identityOf(each) === identityOf(element),
      );

/** Gives the focus to the element that stands for the one that had it, with its caret. */
function repeatFocus(root: HTMLElement, focused: HTMLElement): void {
  const current = currentOf(root, focused);
  if (!current || current === focused) return;
  current.focus({ preventScroll: true });
  if (focused instanceof HTMLInputElement && current instanceof HTMLInputElement)
    current.setSelectionRange(focused.selectionStart, focused.selectionEnd);
}

/**
 * Records what the user does below `root`, on a page that the server rendered, before its code runs.
 * The returned function repeats texts, choices and the last press, once the page is being hydrated,
 * or rendered anew. A page that will be rendered anew leaves links to the browser.
 */
export function recordEarlyInput(root: HTMLElement, isRenderedAnew = false): () => void {
  const fields = new Map<Field, string>();
  // The user may have typed before this code ran.
  for (const input of root.querySelectorAll('input'))
    if (input.value !== input.defaultValue) fields.set(input, input.value);
  let pressed: HTMLElement | undefined;
  let focused = document.activeElement;
  const onFocus = ({ target }: FocusEvent) => {
    focused = target as Element;
  };
  const targets = isRenderedAnew ? 'button[type="button"]' : 'a[href], button';
  const onClick = (event: MouseEvent) => {
    const target = (event.target as Element).closest<HTMLElement>(targets);
    if (!target || !root.contains(target) || isLeftToBrowser(event)) return;
    event.preventDefault();
    event.stopPropagation();
    pressed = target;
  };
  const onInput = ({ target }: Event) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement)
      fields.set(target, target.value);
  };
  window.addEventListener('click', onClick, true);
  window.addEventListener('input', onInput, true);
  window.addEventListener('focusin', onFocus, true);
  return () => {
    window.removeEventListener('click', onClick, true);
    window.removeEventListener('input', onInput, true);
    window.removeEventListener('focusin', onFocus, true);
    for (const element of [...fields.keys(), document.activeElement])
      if (element && root.contains(element)) {
        // React hydrates at once what a key needs, but not for the focus alone.
        element.dispatchEvent(new KeyboardEvent('keyup', { bubbles: true }));
        element.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
      }
    for (const [field, text] of fields) {
      const current = currentOf(root, field);
      if (current) repeatText(current, text);
    }
    if (focused instanceof HTMLElement) repeatFocus(root, focused);
    if (pressed) currentOf(root, pressed)?.click();
  };
}
