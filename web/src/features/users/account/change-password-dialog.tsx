import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../../lib/browser/toasts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { ChangePasswordForm } from './change-password-form.tsx';
import { usePasswordChange } from './change-password-state.ts';

function OpenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('users');
  const form = useId();
  const state = usePasswordChange(() => {
    showToast(t('password.PasswordHasChangedSuccessfully'), 'success');
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('password.title')}
      isBusy={state.isPending}
      actions={
        <>
          <Button
            type="submit"
            form={form}
            isDisabled={!state.canSend}
            isPending={state.isPending}
            pendingLabel={t('password.pending')}
          >
            {t('password.submit')}
          </Button>
          <Button variant="secondary" isDisabled={state.isPending} onPress={onClose}>
            {t('password.cancel')}
          </Button>
        </>
      }
    >
      <p className="mb-5 text-ink-600">{t('password.lead')}</p>
      <ChangePasswordForm id={form} state={state} />
    </Dialog>
  );
}

/** What was typed leaves with the dialog. */
export function ChangePasswordDialog({
  isOpen,
  onClose,
}: {
  isOpen: boolean;
  onClose: () => void;
}) {
  return isOpen ? <OpenDialog onClose={onClose} /> : null;
}
