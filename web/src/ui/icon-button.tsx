import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components';

interface IconButtonProps extends Omit<ButtonProps, 'className' | 'style' | 'children'> {
  label: string;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

/** A round target around an icon; `label` is what it does, in words. */
export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <AriaButton {...rest} aria-label={label} className="inline-flex size-11 shrink-0 items-center justify-center rounded-md text-ink-600 transition-colors duration-150 hover:bg-ink-50 hover:text-ink-900 data-pressed:bg-ink-100 data-disabled:text-ink-300">
      {children}
    </AriaButton>
  );
}
