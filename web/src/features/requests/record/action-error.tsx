import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { isConflict } from '../data/conflict.ts';

interface ActionErrorProps {
  error: ApiError | null;
  onReload: () => Promise<unknown>;
  /** The dialog still holds the typed text. */
  isTextPreserved?: boolean;
}

/**
 * The error of an action. After a conflict the server's message says who changed the request and
 * when, and a button loads the current record.
 */
export function ActionError({ error, onReload, isTextPreserved }: ActionErrorProps) {
  const { t } = useTranslation('requests');
  const [isLoading, setIsLoading] = useState(false);
  if (!error) return null;
  const reload = () => {
    setIsLoading(true);
    void onReload().finally(() => setIsLoading(false));
  };
  if (!isConflict(error)) return <ErrorAlert error={error} title={t('faster.failed')} />;
  return (
    <Alert
      tone="warning"
      isLive
      title={t('faster.title')}
      action={
        <Button
          variant="secondary"
          size="sm"
          icon={<RotateCw aria-hidden size={18} />}
          isPending={isLoading}
          onPress={reload}
        >
          {t('faster.reload')}
        </Button>
      }
    >
      <span>{messageOf(error)}</span> <span>{isTextPreserved ? t('faster.kept') : null}</span>
    </Alert>
  );
}
