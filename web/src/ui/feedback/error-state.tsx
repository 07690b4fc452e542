import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf } from '#lib/api/handle-error.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '../actions/button.tsx';

export interface ErrorStateProps {
  error?: unknown;
  title?: string;
  /** States whether the user's input is safe; leave it out where nothing was typed. */
  safety?: string;
  onRetry?: () => unknown;
  isRetrying?: boolean;
  action?: ReactNode;
}

/** An error with its consequence for the user's input, and a button to retry. */
export function ErrorState({ error, title, safety, onRetry, isRetrying, action }: ErrorStateProps) {
  const { t } = useTranslation('shell');
  return (
    <div
      role="alert"
      data-surface
      className="flex items-start gap-4 rounded-lg border border-red-200 bg-white p-6"
    >
      <CircleAlert aria-hidden size={28} className="mt-0.5 shrink-0 text-red-700" />
      <div className="min-w-0">
        <h2 className="text-lg">{title ?? t('kit.somethingFailed')}</h2>
        <p className="mt-1 text-ink-600">{messageOf(error)}</p>
        {safety ? <p className="mt-1 text-ink-600">{safety}</p> : null}
        <div className="mt-4 flex flex-wrap gap-3 empty:hidden">
          {onRetry ? (
            <Button
              variant="secondary"
              icon={<RotateCw aria-hidden size={18} />}
              isPending={isRetrying}
              onPress={() => void onRetry()}
            >
              {t('kit.tryAgain')}
            </Button>
          ) : null}
          {action}
        </div>
      </div>
    </div>
  );
}
