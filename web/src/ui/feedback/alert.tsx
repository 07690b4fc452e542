import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { unknownOutcome } from '@diwan/contract/wire/errors';

export type AlertTone = 'info' | 'success' | 'warning' | 'danger';

const toneStyles = {
  info: { icon: Info, style: 'border-blue-200 bg-blue-50 text-blue-900', mark: 'text-blue-700' },
  success: {
    icon: CircleCheck,
    style: 'border-green-200 bg-green-50 text-green-800',
    mark: 'text-green-700',
  },
  warning: {
    icon: TriangleAlert,
    style: 'border-amber-300 bg-amber-50 text-amber-800',
    mark: 'text-amber-800',
  },
  danger: {
    icon: CircleAlert,
    style: 'border-red-200 bg-red-50 text-red-800',
    mark: 'text-red-700',
  },
};

/** In a dialog a message may appear below what is seen, where the pressed button says nothing of it. */
function showInDialog(alert: HTMLElement | null): void {
  if (alert?.closest('[role="dialog"]')) alert.scrollIntoView({ block: 'nearest' });
}

/** A message in the page. Set `isLive` for one that appears after the page has loaded. */
export function Alert({
  tone = 'info',
  title,
  children,
  action,
  end,
  isLive,
}: {
  tone?: AlertTone;
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
  /** A control in the corner at the end. */
  end?: ReactNode;
  isLive?: boolean;
}) {
  const { icon: Icon, style, mark } = toneStyles[tone];
  return (
    <div
      ref={isLive ? showInDialog : undefined}
      role={isLive ? (tone === 'danger' ? 'alert' : 'status') : undefined}
      data-surface
      className={`flex items-start gap-3 rounded-md border p-4 ${style}`}
    >
      <span className={`flex h-[1lh] items-center ${mark}`}>
        <Icon aria-hidden size={22} className="shrink-0" />
      </span>
      <div className="min-w-0 grow">
        {title ? <p className="font-semibold">{title}</p> : null}
        {children ? <div className="text-ink-800">{children}</div> : null}
        {action ? <div className="mt-3 flex flex-wrap gap-3">{action}</div> : null}
      </div>
      {end}
    </div>
  );
}

/**
 * The message of a failed call, announced when it appears; nothing without an error. A title says that
 * nothing was done, so that it is left out where nobody knows that.
 */
export function ErrorAlert({ error, title }: { error: unknown; title?: string }) {
  const isUnknown = error instanceof ApiError && error.name === unknownOutcome;
  return error ? (
    <Alert tone="danger" isLive title={isUnknown ? undefined : title}>
      {messageOf(error)}
    </Alert>
  ) : null;
}
