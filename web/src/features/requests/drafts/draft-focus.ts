import { useEffect, useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react';

interface KeptFocus {
  heading: RefObject<HTMLHeadingElement | null>;
  /** Hears of each field that somebody comes to. */
  remember: (event: FocusEvent<HTMLElement>) => void;
}

const isInput = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && element.type === 'text');

/**
 * When answers come from elsewhere the form is drawn anew: whoever was in a field is still in it. A
 * form that has just opened is read from its heading.
 */
export function useKeptFocus(epoch: number): KeptFocus {
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
