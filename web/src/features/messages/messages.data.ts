import { useTranslation } from 'react-i18next';
import { getMessages, retryMessages } from '@diwan/contract/messages';
import { queryClient } from '../../lib/query-client.ts';
import { showToast } from '../../lib/toasts.ts';
import { useAction } from '../../lib/use-call.ts';

export const refreshMessages = () => queryClient.invalidateQueries({ queryKey: [getMessages.name] });

/** Tries messages again and says how many. */
export function useRetry() {
  const { t } = useTranslation('messages');
  return useAction(retryMessages, {
    onSuccess: ({ changed }) => {
      showToast(t('retry.done', { count: changed }), changed > 0 ? 'success' : 'info');
      return refreshMessages();
    },
  });
}
