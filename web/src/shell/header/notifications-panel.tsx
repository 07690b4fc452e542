import { Settings2 } from 'lucide-react';
import { useState } from 'react';
import { NotificationList, NotificationSettings } from '#features/messages/notification-list.tsx';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';

/** The notifications behind the bell, and how the user hears of each kind. */
export function NotificationsPanel({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('notifications');
  const [isSetting, setIsSetting] = useState(false);
  return (
    <Dialog
      kind="panel"
      isOpen={isOpen}
      title={t(isSetting ? 'settings' : 'title')}
      onClose={onClose}
      actions={
        <Button
          variant="quiet"
          icon={isSetting ? undefined : <Settings2 aria-hidden size={18} />}
          onPress={() => setIsSetting(!isSetting)}
        >
          {t(isSetting ? 'back' : 'settings')}
        </Button>
      }
    >
      {isSetting ? (
        <NotificationSettings onClose={onClose} />
      ) : (
        <NotificationList onClose={onClose} />
      )}
    </Dialog>
  );
}
