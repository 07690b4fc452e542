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

/** Repeats what the user did. */
export type Replay = () => void;

/**
 * Records what the user does below `root`, on a page that the server rendered, before its code runs.
 * The returned function repeats texts, choices and the last press, once the page is being hydrated.
 */
export function recordEarlyInput(root: HTMLElement): Replay {
  const fields = new Map<Field, string>();
  // The user may have typed before this code ran.
  for (const input of root.querySelectorAll('input'))
    if (input.value !== input.defaultValue) fields.set(input, input.value);
  let pressed: HTMLElement | undefined;
  const onClick = (event: MouseEvent) => {
    const target = (event.target as Element).closest<HTMLElement>('a[href], button');
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
  return () => {
    window.removeEventListener('click', onClick, true);
    window.removeEventListener('input', onInput, true);
    for (const element of [...fields.keys(), document.activeElement])
      if (element && root.contains(element)) {
        // React hydrates immediately what a key needs, but not for the focus alone.
        element.dispatchEvent(new KeyboardEvent('keyup', { bubbles: true }));
        element.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
      }
    for (const [field, text] of fields) repeatText(field, text);
    pressed?.click();
  };
}
