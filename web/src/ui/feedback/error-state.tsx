import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../lib/api/handle-error.ts';
import { Button } from '../actions/button.tsx';

export interface ErrorStateProps {
  error?: unknown;
  title?: string;
  /** Whether the person's work is safe, in words; leave it out where nothing was typed. */
  safety?: string;
  onRetry?: () => unknown;
  isRetrying?: boolean;
  action?: ReactNode;
}

/** What happened, is my work safe, what to do. */
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
        <div className="mt-4 flex flex-wrap gap-3">
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
