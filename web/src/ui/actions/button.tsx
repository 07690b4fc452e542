import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { useMayCall } from '#lib/api/session.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { Call } from '@diwan/contract/wire/call';
import { useKeptFocus } from './kept-focus.ts';

export function Spinner({ size = 20 }: { size?: number }) {
  return <LoaderCircle aria-hidden size={size} className="shrink-0 animate-spin" />;
}

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

const variants: Record<ButtonVariant, string> = {
  primary:
    'border-primary bg-primary text-white hover:border-primary-hover hover:bg-primary-hover ' +
    'data-pressed:bg-primary-pressed active:bg-primary-pressed',
  secondary:
    'border-gold-600 bg-white text-gold-700 hover:bg-gold-50 hover:text-gold-800 ' +
    'data-pressed:bg-gold-100 active:bg-gold-100',
  quiet:
    'border-transparent bg-transparent text-ink-700 hover:bg-ink-50 ' +
    'hover:text-ink-900 data-pressed:bg-ink-100 active:bg-ink-100',
  danger:
    'border-red-700 bg-white text-red-700 hover:bg-red-50 hover:text-red-800 data-pressed:bg-red-100 active:bg-red-100',
};

const sizes: Record<ButtonSize, string> = {
  sm: 'min-h-11 px-3 py-1 text-sm whitespace-nowrap md:min-h-9 md:py-0',
  // As high as a field, also without a text: line, padding, border.
  md: 'min-h-[max(3rem,1lh+18px)] px-5 py-2 text-base',
  lg: 'min-h-14 px-5 sm:px-7 py-2 text-base',
};

/** The classes of buttons and of links that look like buttons. */
export function buttonStyle(
  variant: ButtonVariant = 'primary',
  size: ButtonSize = 'md',
  isFullWidth = false,
): string {
  return classNames(
    'inline-flex items-center justify-center gap-2 rounded-md border font-semibold',
    'leading-(--leading-control) no-underline transition-colors duration-150 select-none',
    'data-disabled:border-ink-100 data-disabled:bg-ink-100 data-disabled:text-ink-500',
    variants[variant],
    sizes[size],
    isFullWidth && 'w-full',
  );
}

interface ButtonProps extends Omit<
  ComponentProps<'button'>,
  'className' | 'style' | 'disabled' | 'onClick'
> {
  children: ReactNode;
  /** What it sends or leads to: a user who may not make this call sees no button. */
  call?: Pick<Call, 'who'> | undefined;
  onPress?: () => unknown;
  isDisabled?: boolean;
  /** The action is running: the button keeps the focus and ignores presses. */
  isPending?: boolean;
  variant?: ButtonVariant;
  size?: ButtonSize;
  isFullWidth?: boolean;
  icon?: ReactNode;
  /** The label while the action runs; the usual label when not given. */
  pendingLabel?: string;
  focusIds?: string[];
  /** On a phone only the icon is visible; the label is read to screen readers. */
  isIconOnPhone?: boolean;
}

/**
 * A native button: the button of react-aria would add more weight to the first page than the other
 * components together. Decision 0008.
 */
export function Button({
  call,
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
  onFocus,
  onBlur,
  ...rest
}: ButtonProps) {
  const { t } = useTranslation('shell');
  const { isIgnoring, props } = useKeptFocus<HTMLButtonElement>(isDisabled, {
    isPending,
    onFocus,
    onBlur,
  });
  if (!useMayCall(call)) return null;
  return (
    <button
      {...rest}
      type={type}
      {...props}
      data-disabled={isDisabled || undefined}
      data-pending={isPending || undefined}
      onClick={isIgnoring ? (event) => event.preventDefault() : () => void onPress?.()}
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
