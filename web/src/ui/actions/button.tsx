import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button-style.ts';
import { Spinner } from './spinner.tsx';

export interface ButtonProps extends Omit<
  ComponentProps<'button'>,
  'className' | 'style' | 'disabled' | 'onClick'
> {
  children: ReactNode;
  onPress?: () => unknown;
  isDisabled?: boolean;
  /** At work: it keeps the focus and cannot be pressed again. */
  isPending?: boolean;
  variant?: ButtonVariant;
  size?: ButtonSize;
  isFullWidth?: boolean;
  icon?: ReactNode;
  /** What the button says while it works; its own words when not given. */
  pendingLabel?: string;
  focusIds?: string[];
  /** Where there is no room its words are only read out, and the icon stands alone. */
  isIconOnPhone?: boolean;
}

/**
 * The browser's own button: react-aria's would weigh on the first page more than the rest of the
 * kit. Decision 0008.
 */
export function Button({
  children,
  variant,
  size,
  isFullWidth,
  icon,
  pendingLabel,
  focusIds,
  isPending = false,
  isDisabled,
  onPress,
  isIconOnPhone,
  type = 'button',
  ...rest
}: ButtonProps) {
  const { t } = useTranslation('shell');
  return (
    <button
      {...rest}
      type={isPending ? 'button' : type}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      data-disabled={isDisabled || undefined}
      data-pending={isPending || undefined}
      onClick={isPending ? undefined : () => void onPress?.()}
      className={buttonStyle(variant, size, isFullWidth)}
      data-focus-id={focusIds?.join(' ')}
    >
      {isPending ? <Spinner /> : icon}
      <span className={isIconOnPhone ? 'max-md:sr-only' : undefined}>
        {isPending && pendingLabel ? pendingLabel : children}
      </span>
      <span role="status" className="sr-only">
        {isPending ? (pendingLabel ?? t('kit.working')) : ''}
      </span>
    </button>
  );
}
