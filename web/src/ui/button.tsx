import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button-style.ts';
import { Spinner } from './spinner.tsx';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  children: ReactNode;
  variant?: ButtonVariant;
  size?: ButtonSize;
  isFullWidth?: boolean;
  icon?: ReactNode;
  /** What the button says while it works; its own words when not given. */
  pendingLabel?: string;
  focusIds?: string[];
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ children, variant, size, isFullWidth, icon, pendingLabel, focusIds, isPending, ...rest }: ButtonProps) {
  const { t } = useTranslation('shell');
  return (
    <AriaButton {...rest} isPending={isPending} className={buttonStyle(variant, size, isFullWidth)} data-focus-id={focusIds?.join(' ')}>
      {isPending ? <Spinner /> : icon}
      <span>{isPending && pendingLabel ? pendingLabel : children}</span>
      <span role="status" className="sr-only">{isPending ? (pendingLabel ?? t('kit.working')) : ''}</span>
    </AriaButton>
  );
}
