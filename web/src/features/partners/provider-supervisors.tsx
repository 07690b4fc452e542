import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PartnerRecord } from '@diwan/contract/people/partner-registration';
import { addSupervisor, removeSupervisor } from '@diwan/contract/people/partner-supervisors';
import { focusOn } from '../../lib/browser/focus-on.ts';
import { messageOf } from '../../lib/api/handle-error.ts';
import { showToast } from '../../lib/browser/toasts.ts';
import { useAction } from '../../lib/api/use-call.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/data/card.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';

type Supervisor = PartnerRecord['supervisors'][number];

interface SupervisorsProps {
  record: PartnerRecord;
  onChanged: (fresh: PartnerRecord) => void;
}

function AddDialog({ record, onChanged, onClose }: SupervisorsProps & { onClose: () => void }) {
  const { t } = useTranslation(['partners', 'errors']);
  const form = useId();
  const [username, setUsername] = useState('');
  const [isBlank, setIsBlank] = useState(false);
  const add = useAction(addSupervisor, {
    skipErrorHandling: true,
    onSuccess: (fresh) => {
      onChanged(fresh);
      showToast(t('supervisors.added'), 'success');
      onClose();
    },
  });
  const send = () => {
    setIsBlank(username.trim() === '');
    if (username.trim() === '') focusOn('username');
    else if (!add.isPending) add.mutate({ body: { partnerId: record.partnerId, username } });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('supervisors.add')}
      isBusy={add.isPending}
      actions={
        <>
          <Button type="submit" form={form} isPending={add.isPending}>
            {t('supervisors.send')}
          </Button>
          <Button variant="quiet" isDisabled={add.isPending} onPress={onClose}>
            {t('decide.cancel')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p className="text-ink-600">{t('supervisors.addText')}</p>
        <TextField
          name="username"
          label={t('supervisors.username')}
          autoComplete="off"
          dir="ltr"
          maxLength={200}
          value={username}
          error={
            isBlank
              ? t('validation.required', { ns: 'errors' })
              : add.error
                ? messageOf(add.error)
                : undefined
          }
          onChange={(value) => {
            setUsername(value);
            setIsBlank(false);
            if (add.error) add.reset();
          }}
        />
      </form>
    </Dialog>
  );
}

function RemoveDialog({
  record,
  supervisor,
  onChanged,
  onClose,
}: SupervisorsProps & { supervisor: Supervisor; onClose: () => void }) {
  const { t } = useTranslation('partners');
  const remove = useAction(removeSupervisor, {
    skipErrorHandling: true,
    onSuccess: (fresh) => {
      onChanged(fresh);
      showToast(t('supervisors.removed'), 'success');
      onClose();
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('supervisors.removeTitle')}
      isBusy={remove.isPending}
      actions={
        <>
          <Button
            variant="danger"
            isPending={remove.isPending}
            onPress={() =>
              remove.mutate({ body: { partnerId: record.partnerId, userId: supervisor.id } })
            }
          >
            {t('supervisors.removeSend')}
          </Button>
          <Button variant="quiet" isDisabled={remove.isPending} onPress={onClose}>
            {t('decide.cancel')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {remove.error ? (
          <Notice tone="danger" isLive>
            {messageOf(remove.error)}
          </Notice>
        ) : null}
        <p className="text-lg font-semibold">
          <bdi className="wrap-anywhere">{supervisor.fullName}</bdi>
        </p>
        <p>{t('supervisors.removeText')}</p>
      </div>
    </Dialog>
  );
}

/** Who works for a service provider; an admin adds further ones and takes them back. */
export function ProviderSupervisors({ record, onChanged }: SupervisorsProps) {
  const { t } = useTranslation('partners');
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<Supervisor>();
  const isOnly = record.supervisors.filter(({ isSuspended }) => !isSuspended).length < 2;
  return (
    <Card
      title={t('supervisors.title')}
      action={
        <Button variant="secondary" size="sm" onPress={() => setIsAdding(true)}>
          {t('supervisors.add')}
        </Button>
      }
    >
      {record.supervisors.length === 0 ? (
        <p className="text-ink-600">{t('record.none')}</p>
      ) : (
        <ul className="divide-y divide-ink-100">
          {record.supervisors.map((supervisor) => (
            <li
              key={supervisor.id}
              className="flex items-center justify-between gap-4 py-3 first:pt-0 last:pb-0"
            >
              <span className="min-w-0">
                <bdi className="block wrap-anywhere">{supervisor.fullName}</bdi>
                <bdi dir="ltr" className="wrap-anywhere text-ink-500">
                  {supervisor.email}
                </bdi>
              </span>
              {isOnly && !supervisor.isSuspended ? null : (
                <Button
                  variant="quiet"
                  size="sm"
                  aria-label={`${t('supervisors.remove')} ${supervisor.fullName}`}
                  onPress={() => setRemoved(supervisor)}
                >
                  {t('supervisors.remove')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isOnly && record.supervisors.length > 0 ? (
        <p className="pt-3 text-sm text-ink-500">{t('supervisors.only')}</p>
      ) : null}
      {isAdding ? (
        <AddDialog record={record} onChanged={onChanged} onClose={() => setIsAdding(false)} />
      ) : null}
      {removed ? (
        <RemoveDialog
          record={record}
          supervisor={removed}
          onChanged={onChanged}
          onClose={() => setRemoved(undefined)}
        />
      ) : null}
    </Card>
  );
}
