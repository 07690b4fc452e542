import { useState } from 'react';
import { queryClient } from '#lib/api/query-client.ts';
import { useMayCall } from '#lib/api/session.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton, TextLink } from '#ui/actions/links.tsx';
import { Card } from '#ui/data/card.tsx';
import { SavedFields } from '#ui/editing/permitted.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { Moment } from '#ui/values/moment.tsx';
import {
  changeRoleConfirmation,
  decideRoleChange,
  getRoleConfirmation,
  type RoleChange,
  type RoleConfirmation,
} from '@diwan/contract/staff/role-changes';
import { getStaffInvitations } from '@diwan/contract/staff/staff-invitations';
import { useAgenciesText } from './agencies-choice.tsx';
import { refreshUser } from './user.data.ts';

/** Roles with the service provider or the agencies, in words. */
export function usePositionText() {
  const { t } = useTranslation(['shell', 'urgent']);
  const agenciesOf = useAgenciesText();
  return (position: RoleChange['after']) => {
    const place = position.partner?.name ?? agenciesOf(position);
    return (
      position.roles.map((role) => t(`roles.${role}`)).join(t('listSeparator')) +
      (place ? ` (\u2068${place}\u2069)` : '') +
      (position.readsUrgently ? t('listSeparator') + t('urgent:right.label') : '')
    );
  };
}

async function refresh(): Promise<void> {
  await Promise.all([
    refreshUser(),
    ...[getRoleConfirmation, getStaffInvitations].map(({ name }) =>
      queryClient.invalidateQueries({ queryKey: [name] }),
    ),
  ]);
}

const decisions = { confirm: 'confirmed', refuse: 'refused', withdraw: 'withdrawn' } as const;

function PendingChange({ change }: { change: RoleChange }) {
  const { t } = useTranslation('people');
  const textOf = usePositionText();
  const decide = useAction(decideRoleChange, {
    skipErrorHandling: true,
    onSuccess: () => refresh(),
    onError: (error) => (error.name === 'RecordHasChanged' ? refresh() : undefined),
  });
  const send = (decision: keyof typeof decisions) =>
    decide.mutate(
      { body: { changeId: change.changeId, decision } },
      { onSuccess: () => showToast(t(`confirm.${decisions[decision]}`), 'success') },
    );
  const sent = decide.isPending ? decide.variables.body.decision : undefined;
  const name =
    change.kind === 'confirmationOff' ? (
      t('confirm.off')
    ) : change.userId ? (
      <TextLink to={`/dashboard/users/${change.userId}`}>{change.fullName ?? ''}</TextLink>
    ) : (
      <>
        <bdi>{change.fullName}</bdi>{' '}
        <span className="font-normal text-ink-600">
          {t('confirm.invitation', { email: change.email ?? '' })}
        </span>
      </>
    );
  const button = (decision: keyof typeof decisions) => (
    <Button
      call={decideRoleChange}
      key={decision}
      size="sm"
      variant={decision === 'confirm' ? 'primary' : 'secondary'}
      isPending={sent === decision}
      isDisabled={sent !== undefined && sent !== decision}
      pendingLabel={t('acts.pending')}
      onPress={() => send(decision)}
    >
      {t(`confirm.${decision}`)}
    </Button>
  );
  return (
    <li className="flex flex-col gap-2 py-4 first:pt-0 last:pb-0">
      <p className="font-semibold">{name}</p>
      {change.kind === 'roles' ? (
        <p>{t('confirm.from', { roles: textOf(change.before) })}</p>
      ) : null}
      {change.kind === 'confirmationOff' ? null : (
        <p>{t('confirm.to', { roles: textOf(change.after) })}</p>
      )}
      <p className="text-sm text-ink-600">
        <span>{t('confirm.askedBy', { name: change.askedBy })}</span> ·{' '}
        <Moment at={change.askedAt} />
      </p>
      {change.isOvertaken ? <Alert tone="warning">{t('confirm.overtaken')}</Alert> : null}
      <ErrorAlert error={decide.error} />
      <div className="flex flex-wrap items-center gap-3">
        {change.isMine ? (
          <>
            {button('withdraw')}
            <span className="text-sm text-ink-600">{t('confirm.mine')}</span>
          </>
        ) : (
          <>
            {change.isOvertaken ? null : button('confirm')}
            {button('refuse')}
          </>
        )}
      </div>
    </li>
  );
}

function Rule({ data }: { data: RoleConfirmation }) {
  const { t } = useTranslation('people');
  const [isRequired, setIsRequired] = useState(data.isRequired);
  const save = useAction(changeRoleConfirmation, {
    skipErrorHandling: true,
    onSuccess: (fresh) => {
      showToast(
        t(fresh.isRequired === isRequired ? 'confirm.saved' : 'confirm.asked'),
        fresh.isRequired === isRequired ? 'success' : 'info',
      );
      setIsRequired(fresh.isRequired);
      return refresh();
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate({ body: { isRequired } });
      }}
    >
      <ErrorAlert error={save.error} />
      <SavedFields call={changeRoleConfirmation}>
        <Checkbox
          name="roleConfirmation"
          label={t('confirm.rule')}
          hint={t('confirm.ruleHint')}
          value={isRequired}
          onChange={(value) => {
            setIsRequired(value);
            if (save.error) save.reset();
          }}
        />
      </SavedFields>
      {isRequired && !data.isRequired && data.adminsCount < 2 ? (
        <Alert tone="warning">{t('confirm.needsTwo')}</Alert>
      ) : null}
      <div>
        <Button
          call={changeRoleConfirmation}
          type="submit"
          isDisabled={isRequired === data.isRequired}
          isPending={save.isPending}
          pendingLabel={t('acts.pending')}
        >
          {t('confirm.save')}
        </Button>
      </div>
    </form>
  );
}

/** The rule that changes of roles wait for a second admin, and the changes that wait. */
export function RoleChanges() {
  const { t } = useTranslation('people');
  const confirmation = useCall(getRoleConfirmation, {});
  const { data, error } = confirmation;
  return (
    <Card title={t('confirm.title')}>
      {data ? (
        <div className="flex flex-col gap-6">
          <Rule key={String(data.isRequired)} data={data} />
          <section>
            <h3 className="pb-3 font-semibold">{t('confirm.pending')}</h3>
            {data.pending.length === 0 ? (
              <p className="text-ink-600">{t('confirm.none')}</p>
            ) : (
              <ul className="divide-y divide-ink-100">
                {data.pending.map((change) => (
                  <PendingChange key={change.changeId} change={change} />
                ))}
              </ul>
            )}
          </section>
        </div>
      ) : error ? (
        <ErrorState
          error={error}
          onRetry={confirmation.refetch}
          isRetrying={confirmation.isRefetching}
        />
      ) : (
        <SkeletonRows count={3} />
      )}
    </Card>
  );
}

/** A line with the number of changes that wait; nothing where none waits. */
export function PendingRoleChanges() {
  const { t } = useTranslation('people');
  const { data } = useCall(getRoleConfirmation, { enabled: useMayCall(getRoleConfirmation) });
  if (!data || data.pending.length === 0) return null;
  return (
    <div className="pb-4">
      <Alert
        tone="warning"
        action={
          <LinkButton to="/dashboard/security" variant="secondary" size="sm">
            {t('confirm.show')}
          </LinkButton>
        }
      >
        {t('confirm.waits', { count: data.pending.length })}
      </Alert>
    </div>
  );
}
