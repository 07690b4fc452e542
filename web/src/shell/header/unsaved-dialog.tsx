import { useTranslation } from '#lib/i18n/translate.ts';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';

/** Asks what to do with what the server does not have, before the user signs out. */
export function UnsavedDialog({
  onDiscard,
  onClose,
}: {
  onDiscard: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('shell');
  return (
    <ConfirmDialog
      title={t('unsaved.title')}
      confirmLabel={t('unsaved.discard')}
      cancelLabel={t('unsaved.stay')}
      isDangerous
      isPending={false}
      onConfirm={onDiscard}
      onClose={onClose}
    >
      <p>{t('unsaved.text')}</p>
    </ConfirmDialog>
  );
}
