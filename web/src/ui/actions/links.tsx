import type { ReactNode } from 'react';
import { useMayCall } from '#lib/api/session.ts';
import { Link, type LinkProps } from '#lib/router/link.tsx';
import type { Call } from '@diwan/contract/wire/call';
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button.tsx';

interface LinkButtonProps extends Omit<LinkProps, 'className' | 'style'> {
  /** What the page behind it is for: a user who may not make this call sees no link. */
  call?: Pick<Call, 'who'> | undefined;
  variant?: ButtonVariant;
  size?: ButtonSize;
  isFullWidth?: boolean;
  icon?: ReactNode;
  /** After the words: an arrow that points onwards. */
  endIcon?: ReactNode;
}

/** A link that looks like a button. Use it to navigate; use `Button` for actions. */
export function LinkButton({
  call,
  variant,
  size,
  isFullWidth,
  icon,
  endIcon,
  children,
  ...rest
}: LinkButtonProps) {
  if (!useMayCall(call)) return null;
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
