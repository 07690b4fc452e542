import { useTranslation } from 'react-i18next';
import { giveUpMessages, type Message } from '@diwan/contract/requests/messages';
import { showToast } from '../../lib/browser/toasts.ts';
import { useAction } from '../../lib/api/use-call.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { refreshMessages } from './messages.data.ts';

/** Asks before a message is tried no more. */
export function GiveUpDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const { t } = useTranslation('messages');
  const giveUp = useAction(giveUpMessages, {
    onSuccess: async ({ changed }) => {
      showToast(
        t(changed > 0 ? 'giveUp.done' : 'giveUp.tooLate'),
        changed > 0 ? 'success' : 'info',
      );
      onClose();
      await refreshMessages();
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('giveUp.title')}
      isBusy={giveUp.isPending}
      actions={
        <>
          <Button
            variant="danger"
            isPending={giveUp.isPending}
            pendingLabel={t('giveUp.pending')}
            onPress={() => giveUp.mutate({ body: { messageIds: [message.messageId] } })}
          >
            {t('giveUp.one')}
          </Button>
          <Button variant="secondary" isDisabled={giveUp.isPending} onPress={onClose}>
            {t('giveUp.cancel')}
          </Button>
        </>
      }
    >
      <p className="mb-2 font-semibold">
        <bdi dir="ltr">{message.recipient}</bdi>
      </p>
      <p>{t('giveUp.text')}</p>
    </Dialog>
  );
}
