import { queryClient } from '#lib/api/query-client.ts';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { getMessages, retryFailedMessages, retryMessages } from '@diwan/contract/requests/messages';

export const refreshMessages = () =>
  queryClient.invalidateQueries({ queryKey: [getMessages.name] });

function useShowRetried() {
  const { t } = useTranslation('messages');
  return ({ changed }: { changed: number }) => {
    showToast(t('retry.done', { count: changed }), changed > 0 ? 'success' : 'info');
    return refreshMessages();
  };
}

/** Retries messages and shows their number. */
export function useRetry() {
  return useAction(retryMessages, { onSuccess: useShowRetried() });
}

/** Retries all failed messages and shows their number. */
export function useRetryFailed() {
  return useAction(retryFailedMessages, { onSuccess: useShowRetried() });
}
