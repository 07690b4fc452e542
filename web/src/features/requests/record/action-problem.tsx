import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../../lib/api/handle-error.ts';
import type { SendError } from '../../../lib/api/send-error.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';

interface ActionProblemProps {
  error: SendError | null;
  onReload: () => Promise<unknown>;
  /** Something was typed, and it is still there. */
  isTextKept?: boolean;
}

/**
 * Why an action was not carried out. When somebody was faster, the server says who and when, and
 * the record is shown as it is now.
 */
export function ActionProblem({ error, onReload, isTextKept }: ActionProblemProps) {
  const { t } = useTranslation('requests');
  const [isLoading, setIsLoading] = useState(false);
  if (!error) return null;
  const reload = () => {
    setIsLoading(true);
    void onReload().finally(() => setIsLoading(false));
  };
  if (error.name !== 'VersionHasChanged' && error.name !== 'ActionNotAllowed')
    return (
      <Notice tone="danger" isLive title={t('faster.failed')}>
        {messageOf(error)}
      </Notice>
    );
  return (
    <Notice
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
      {messageOf(error)} {isTextKept ? t('faster.kept') : null}
    </Notice>
  );
}
