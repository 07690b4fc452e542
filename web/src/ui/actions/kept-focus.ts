import { useState, type FocusEventHandler } from 'react';

interface KeptFocus<Element> {
  /** Whether it only says that it is disabled: then it must ignore what is done with it. */
  isIgnoring: boolean;
  props: {
    disabled: boolean;
    'aria-disabled': true | undefined;
    onFocus: FocusEventHandler<Element>;
    onBlur: FocusEventHandler<Element>;
  };
}

/**
 * A control that is disabled while it has the focus, such as by its own work, would lose it, and the
 * keyboard would begin again at the top of the page. It stays focusable until the focus moves on.
 */
export function useKeptFocus<Element>(
  isDisabled = false,
  {
    isPending = false,
    onFocus,
    onBlur,
  }: Partial<Pick<KeptFocus<Element>['props'], 'onFocus' | 'onBlur'>> & {
    /** Its work is running: it is not disabled, and ignores what is done with it. */
    isPending?: boolean;
  } = {},
): KeptFocus<Element> {
  const [hasFocus, setHasFocus] = useState(false);
  const isIgnoring = isPending || (isDisabled && hasFocus);
  return {
    isIgnoring,
    props: {
      disabled: isDisabled && !hasFocus,
      'aria-disabled': isIgnoring || undefined,
      onFocus: (event) => {
        setHasFocus(true);
        onFocus?.(event);
      },
      onBlur: (event) => {
        setHasFocus(false);
        onBlur?.(event);
      },
    },
  };
}
