import type { ReactNode } from 'react';
import { Link, type LinkProps } from '#lib/router/link.tsx';
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button.tsx';

interface LinkButtonProps extends Omit<LinkProps, 'className' | 'style'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  isFullWidth?: boolean;
  icon?: ReactNode;
  /** After the words: an arrow that points onwards. */
  endIcon?: ReactNode;
}

/** A link that looks like a button. Use it to navigate; use `Button` for actions. */
export function LinkButton({
  variant,
  size,
  isFullWidth,
  icon,
  endIcon,
  children,
  ...rest
}: LinkButtonProps) {
  return (
    <Link {...rest} className={buttonStyle(variant, size, isFullWidth)}>
      {icon}
      <span>{children}</span>
      {endIcon}
    </Link>
  );
}

/** A link within text. */
export function TextLink(props: Omit<LinkProps, 'className' | 'style'>) {
  return <Link {...props} className="link inline-block py-1 font-medium" />;
}
