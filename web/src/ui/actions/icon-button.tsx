import type { ComponentProps, ReactNode } from 'react';
import { useMayCall } from '#lib/api/session.ts';
import { classNames } from '#lib/browser/class-names.ts';
import type { Call } from '@diwan/contract/wire/call';
import { useKeptFocus } from './kept-focus.ts';

interface IconButtonProps extends Omit<
  ComponentProps<'button'>,
  'className' | 'style' | 'children' | 'disabled' | 'onClick'
> {
  label: string;
  children: ReactNode;
  /** What it sends or leads to: a user who may not make this call sees no button. */
  call?: Pick<Call, 'who'> | undefined;
  onPress?: () => unknown;
  isDisabled?: boolean;
}

/** A button that shows only an icon; `label` is its accessible name. */
export function IconButton({
  call,
  label,
  children,
  onPress,
  isDisabled,
  type = 'button',
  onFocus,
  onBlur,
  ...rest
}: IconButtonProps) {
  const { isIgnoring, props } = useKeptFocus<HTMLButtonElement>(isDisabled, { onFocus, onBlur });
  if (!useMayCall(call)) return null;
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      {...props}
      onClick={isIgnoring ? (event) => event.preventDefault() : () => void onPress?.()}
      className={classNames(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-md',
        'text-ink-600 transition-colors duration-150 hover:bg-ink-50',
        'hover:text-ink-900 active:bg-ink-100 disabled:text-ink-300 aria-disabled:text-ink-300',
      )}
    >
      {children}
    </button>
  );
}
