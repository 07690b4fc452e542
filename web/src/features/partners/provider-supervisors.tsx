import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { TextLink } from '#ui/actions/links.tsx';
import { Card } from '#ui/data/card.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import type { PartnerRecord } from '@diwan/contract/people/partner-registration';
import { addSupervisor, removeSupervisor } from '@diwan/contract/people/partners';
import { getRoleConfirmation } from '@diwan/contract/staff/role-changes';

type Supervisor = PartnerRecord['supervisors'][number];

interface SupervisorsProps {
  record: PartnerRecord;
  onChanged: (fresh: PartnerRecord) => void;
}

/** When a change of supervisors takes effect; nothing until the rule is known. */
function Effect() {
  const { t } = useTranslation('partners');
  const { data } = useCall(getRoleConfirmation, {});
  if (!data) return null;
  return (
    <p className="text-ink-600">
      {t(data.isRequired ? 'supervisors.effectConfirmed' : 'supervisors.effect')}
    </p>
  );
}

function AddDialog({ record, onChanged, onClose }: SupervisorsProps & { onClose: () => void }) {
  const { t } = useTranslation(['partners', 'errors']);
  const form = useForm({ defaultValues: { username: '' } });
  const add = useAction(addSupervisor, {
    skipErrorHandling: true,
    onSuccess: (fresh) => {
      onChanged(fresh);
      if (fresh.pendingSupervisors?.some(({ isAdded }) => isAdded))
        showToast(t('supervisors.waits'), 'info');
      else showToast(t('supervisors.added'), 'success');
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('supervisors.add')}
      submitLabel={t('supervisors.send')}
      cancelLabel={t('decide.cancel')}
      isPending={add.isPending}
      error={add.error}
      fieldOfError={() => 'username'}
      onResetError={add.reset}
      onSubmit={({ username }) => add.mutate({ body: { partnerId: record.partnerId, username } })}
      onClose={onClose}
    >
      <p className="text-ink-600">{t('supervisors.addText')}</p>
      <Effect />
      <FormField
        control={form.control}
        name="username"
        validate={(value) =>
          value.trim() === '' ? t('validation.required', { ns: 'errors' }) : undefined
        }
      >
        {(field) => (
          <TextField
            {...field}
            label={t('supervisors.username')}
            autoComplete="off"
            dir="ltr"
            maxLength={200}
          />
        )}
      </FormField>
    </FormDialog>
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
      if (fresh.pendingSupervisors?.some(({ id }) => id === supervisor.id))
        showToast(t('supervisors.waits'), 'info');
      else showToast(t('supervisors.removed'), 'success');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t('supervisors.removeTitle')}
      confirmLabel={t('supervisors.removeSend')}
      cancelLabel={t('decide.cancel')}
      isDangerous
      isPending={remove.isPending}
      onConfirm={() =>
        remove.mutate({ body: { partnerId: record.partnerId, userId: supervisor.id } })
      }
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <ErrorAlert error={remove.error} />
        <p className="text-lg font-semibold">
          <bdi className="wrap-anywhere">{supervisor.fullName}</bdi>
        </p>
        <p>{t('supervisors.removeText')}</p>
        <Effect />
      </div>
    </ConfirmDialog>
  );
}

/** Who is added or removed once another admin confirms it. */
function PendingSupervisors({ pending = [] }: { pending: PartnerRecord['pendingSupervisors'] }) {
  const { t } = useTranslation('partners');
  if (pending.length === 0) return null;
  return (
    <div className="flex flex-col gap-2 border-t border-ink-100 pt-3">
      <ul className="flex flex-col gap-3">
        {pending.map(({ id, fullName, isAdded, askedBy }) => (
          <li key={id}>
            <bdi className="block wrap-anywhere">{fullName}</bdi>
            <span className="text-sm text-ink-600">
              {t(isAdded ? 'supervisors.pendingAdd' : 'supervisors.pendingRemove', {
                name: `\u2068${askedBy}\u2069`,
              })}
            </span>
          </li>
        ))}
      </ul>
      <TextLink to="/dashboard/security">{t('supervisors.showPending')}</TextLink>
    </div>
  );
}

/** The supervisors of a service provider; an admin adds and removes them. */
export function ProviderSupervisors({ record, onChanged }: SupervisorsProps) {
  const { t } = useTranslation('partners');
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<Supervisor>();
  const isOnly = record.supervisors.filter(({ isSuspended }) => !isSuspended).length < 2;
  return (
    <Card
      title={t('supervisors.title')}
      action={
        <Button
          call={addSupervisor}
          variant="secondary"
          size="sm"
          onPress={() => setIsAdding(true)}
        >
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
                <TextLink to={`/dashboard/users/${supervisor.id}`}>
                  <bdi className="wrap-anywhere">{supervisor.fullName}</bdi>
                </TextLink>
                <bdi dir="ltr" className="block wrap-anywhere text-ink-500 [text-align:start]">
                  {supervisor.email}
                </bdi>
              </span>
              {isOnly && !supervisor.isSuspended ? null : (
                <Button
                  call={removeSupervisor}
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
      <PendingSupervisors pending={record.pendingSupervisors} />
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
