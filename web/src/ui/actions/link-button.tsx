import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button-style.ts';

interface LinkButtonProps extends Omit<LinkProps, 'className' | 'style'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  isFullWidth?: boolean;
  icon?: ReactNode;
}

/** A link that looks like a button: it goes somewhere, a button does something. */
export function LinkButton({
  variant,
  size,
  isFullWidth,
  icon,
  children,
  ...rest
}: LinkButtonProps) {
  return (
    <Link {...rest} className={buttonStyle(variant, size, isFullWidth)}>
      {icon}
      <span>{children}</span>
    </Link>
  );
}
