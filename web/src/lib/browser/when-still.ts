let isPressed = false;

function listen(): void {
  const press = (isDown: boolean) => () => {
    isPressed = isDown;
  };
  window.addEventListener('pointerdown', press(true), true);
  for (const end of ['pointerup', 'pointercancel', 'dragend'])
    window.addEventListener(end, press(false), true);
}

let isListening = false;
const againMs = 150;

// A list that is open closes when the page moves.
const isStill = () =>
  !isPressed && document.activeElement?.getAttribute('aria-expanded') !== 'true';

/** Begins to watch what a finger does; whoever may call `whenStill` calls it before. */
export function watchPresses(): void {
  if (!isListening) listen();
  isListening = true;
}

/**
 * Does what moves the page once nothing is pressed and no list is open: a button that moves away
 * under a finger is missed. Never at once, so that a tap is over.
 */
export function whenStill(work: () => void, wait = 0): void {
  window.setTimeout(() => (isStill() ? work() : whenStill(work, againMs)), wait);
}
