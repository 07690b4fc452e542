import { useTranslation } from 'react-i18next';
import { getMessages, retryFailedMessages, retryMessages } from '@diwan/contract/requests/messages';
import { queryClient } from '../../lib/api/query-client.ts';
import { showToast } from '../../lib/browser/toasts.ts';
import { useAction } from '../../lib/api/use-call.ts';

export const refreshMessages = () =>
  queryClient.invalidateQueries({ queryKey: [getMessages.name] });

function useRetried() {
  const { t } = useTranslation('messages');
  return ({ changed }: { changed: number }) => {
    showToast(t('retry.done', { count: changed }), changed > 0 ? 'success' : 'info');
    return refreshMessages();
  };
}

/** Tries messages again and says how many. */
export function useRetry() {
  return useAction(retryMessages, { onSuccess: useRetried() });
}

/** Tries all that failed again and says how many. */
export function useRetryFailed() {
  return useAction(retryFailedMessages, { onSuccess: useRetried() });
}
