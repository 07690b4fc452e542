import { useEffect, useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react';

interface RestoredFocus {
  heading: RefObject<HTMLHeadingElement | null>;
  /** Remembers the focused field. */
  remember: (event: FocusEvent<HTMLElement>) => void;
}

const isInput = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && element.type === 'text');

/**
 * Restores the focus when the form is rendered again with answers from elsewhere. A newly opened
 * form focuses its heading.
 */
export function useRestoredFocus(epoch: number): RestoredFocus {
  const heading = useRef<HTMLHeadingElement>(null);
  const last = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    if (epoch === 0 || !last.current || document.activeElement !== document.body) return;
    const field = document.querySelector<HTMLElement>(
      `[data-focus-id~="${CSS.escape(last.current)}"]`,
    );
    field?.focus({ preventScroll: true });
    if (isInput(field)) field.setSelectionRange(field.value.length, field.value.length);
  }, [epoch]);
  return {
    heading,
    remember: ({ target }) => {
      last.current = target.dataset.focusId?.split(' ')[0];
    },
  };
}
