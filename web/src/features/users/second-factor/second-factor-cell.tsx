import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resetSecondFactor } from '@diwan/contract/people/second-factor';
import { getAllUsers, type UserSummary } from '@diwan/contract/people/users';
import { queryClient } from '../../../lib/api/query-client.ts';
import { useSession } from '../../../lib/api/session.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { useAction } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';

function ResetDialog({ user, onClose }: { user: UserSummary; onClose: () => void }) {
  const { t } = useTranslation('security');
  const reset = useAction(resetSecondFactor, {
    onSuccess: async () => {
      showToast(t('reset.done'), 'success');
      onClose();
      await queryClient.invalidateQueries({ queryKey: [getAllUsers.name] });
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isBusy={reset.isPending}
      title={t('reset.title')}
      actions={
        <>
          <Button
            variant="danger"
            isPending={reset.isPending}
            pendingLabel={t('factor.working')}
            onPress={() => reset.mutate({ body: { userId: user.id } })}
          >
            {t('reset.send')}
          </Button>
          <Button variant="secondary" isDisabled={reset.isPending} onPress={onClose}>
            {t('reset.keep')}
          </Button>
        </>
      }
    >
      <p className="font-semibold">
        <bdi>{user.fullName}</bdi>
      </p>
      <p className="text-ink-600">
        <bdi dir="ltr">{user.username}</bdi>
      </p>
      <ul className="mt-4 list-disc ps-5">
        {(['check', 'lost', 'next'] as const).map((name) => (
          <li key={name}>{t(`reset.${name}`)}</li>
        ))}
      </ul>
    </Dialog>
  );
}

/**
 * Whether a user has a second factor, and a way out for one who has lost it. Nobody takes off their
 * own here.
 */
export function SecondFactorCell({ user }: { user: UserSummary }) {
  const { t } = useTranslation('security');
  const session = useSession();
  const [isOpen, setIsOpen] = useState(false);
  if (!user.hasSecondFactor) return <span className="text-ink-500">{t('reset.off')}</span>;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {t('reset.on')}
        {user.id === session?.ssid ? null : (
          <Button
            variant="secondary"
            size="sm"
            aria-label={t('reset.action', { name: user.fullName })}
            onPress={() => setIsOpen(true)}
          >
            {t('reset.short')}
          </Button>
        )}
      </span>
      {isOpen ? <ResetDialog user={user} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}
