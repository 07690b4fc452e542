import { useState, type ReactNode } from 'react';
import { useForm, useWatch, type Control } from 'react-hook-form';
import { queryClient } from '#lib/api/query-client.ts';
import { useMayCall } from '#lib/api/session.ts';
import { queryKeyOf, useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import { getRoleConfirmation } from '@diwan/contract/staff/role-changes';
import {
  cancelStaffInvitation,
  getStaffInvitations,
  inviteStaff,
  resendStaffInvitation,
  type StaffInvitation,
} from '@diwan/contract/staff/staff-invitations';
import { grantedRoles } from '@diwan/contract/wire/call';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { AgenciesChoice, chosenAgencies, type AgenciesFields } from './agencies-choice.tsx';
import { PendingRoleChanges, usePositionText } from './role-changes.tsx';
import { PartnerChoice, useRoleChoices } from './user-dialogs.tsx';

/** Shows the list that a change answered with. */
function useShowInvitations() {
  const { language } = useLanguage();
  return (fresh: StaffInvitation[]) => {
    queryClient.setQueryData(queryKeyOf(getStaffInvitations, language, {}), fresh);
    return queryClient.invalidateQueries({ queryKey: [getRoleConfirmation.name] });
  };
}

interface InviteForm extends AgenciesFields {
  fullName: string;
  email: string;
  partnerId: string;
  language: string;
}

function Person({ control }: { control: Control<InviteForm> }) {
  const { t } = useTranslation(['people', 'errors']);
  const problemOf = (kind: 'name' | 'email') => (value: string) => {
    const issue = checkContacts({ value: kind }, { value }).issues[0];
    return issue && t(`validation.${issue.code}`, { ns: 'errors', ...issue.params });
  };
  return (
    <>
      <FormField control={control} name="fullName" validate={problemOf('name')}>
        {(field) => (
          <TextField
            {...field}
            label={t('staff.fullName')}
            autoComplete="off"
            dir="auto"
            maxLength={200}
          />
        )}
      </FormField>
      <FormField control={control} name="email" validate={problemOf('email')}>
        {(field) => (
          <TextField
            {...field}
            type="email"
            label={t('staff.email')}
            description={t('staff.emailHint')}
            autoComplete="off"
            dir="ltr"
            maxLength={254}
          />
        )}
      </FormField>
    </>
  );
}

function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('people');
  const { language } = useLanguage();
  const format = useFormat();
  const show = useShowInvitations();
  const choices = useRoleChoices();
  const rule = useCall(getRoleConfirmation, { enabled: useMayCall(getRoleConfirmation) });
  const form = useForm<InviteForm>({
    defaultValues: {
      fullName: '',
      email: '',
      // An admin who invites an auditor must not give the role of an employee by accident.
      roles: [],
      partnerId: '',
      // Nor see the requests of an agency.
      allAgencies: 'some',
      agencyIds: [],
      language,
    },
  });
  const invite = useAction(inviteStaff, {
    skipErrorHandling: true,
    onSuccess: async (fresh) => {
      const email = form.getValues('email').trim().toLowerCase();
      const waits = fresh.find((each) => each.email === email)?.state === 'unconfirmed';
      showToast(t(waits ? 'staff.waits' : 'staff.sent'), waits ? 'info' : 'success');
      onClose();
      await show(fresh);
    },
  });
  const isSupervisor = useWatch({ control: form.control, name: 'roles' }).includes(
    'ServiceProvider',
  );
  return (
    <FormDialog
      form={form}
      title={t('staff.invite')}
      submitLabel={t('staff.send')}
      pendingLabel={t('acts.pending')}
      cancelLabel={t('acts.cancel')}
      isPending={invite.isPending}
      error={invite.error}
      fieldOfError={(error) => (error.name === 'AddressHasAccount' ? 'email' : undefined)}
      onResetError={invite.reset}
      onSubmit={({ partnerId, ...values }) =>
        invite.mutate({
          body: {
            fullName: values.fullName,
            email: values.email,
            language: values.language as Language,
            roles: grantedRoles.filter((role) => values.roles.includes(role)),
            ...chosenAgencies(values),
            ...(isSupervisor ? { partnerId: Number(partnerId) } : {}),
          },
        })
      }
      onClose={onClose}
    >
      <p className="text-ink-600">{t('staff.link')}</p>
      {rule.data?.isRequired ? <p className="text-ink-600">{t('staff.linkConfirmed')}</p> : null}
      <Person control={form.control} />
      <FormField
        control={form.control}
        name="roles"
        validate={(roles) =>
          roles.length === 0
            ? t('staff.rolesRequired')
            : roles.includes('ServiceProvider') && roles.length > 1
              ? t('roles.onlyAlone')
              : undefined
        }
      >
        {(field) => <CheckboxGroup {...field} label={t('staff.roles')} choices={choices} />}
      </FormField>
      {isSupervisor ? (
        <FormField
          control={form.control}
          name="partnerId"
          validate={(partnerId) => (partnerId === '' ? t('roles.partnerRequired') : undefined)}
        >
          {(field) => <PartnerChoice {...field} current={undefined} />}
        </FormField>
      ) : null}
      <AgenciesChoice control={form.control} />
      <FormField control={form.control} name="language">
        {(field) => (
          <SelectField
            {...field}
            label={t('staff.language')}
            choices={languages.map((value) => ({ value, label: format.language(value) }))}
          />
        )}
      </FormField>
    </FormDialog>
  );
}

function CancelDialog({
  invitation,
  onClose,
}: {
  invitation: StaffInvitation;
  onClose: () => void;
}) {
  const { t } = useTranslation('people');
  const show = useShowInvitations();
  const cancel = useAction(cancelStaffInvitation, {
    skipErrorHandling: true,
    onSuccess: async (fresh) => {
      showToast(t('staff.cancelled'), 'success');
      onClose();
      await show(fresh);
    },
  });
  return (
    <ConfirmDialog
      title={t('staff.cancelTitle')}
      confirmLabel={t('staff.cancel')}
      pendingLabel={t('acts.pending')}
      cancelLabel={t('staff.keep')}
      isDangerous
      isPending={cancel.isPending}
      onConfirm={() => cancel.mutate({ body: { invitationId: invitation.invitationId } })}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <ErrorAlert error={cancel.error} />
        <p>
          <bdi className="font-semibold">{invitation.fullName}</bdi>{' '}
          <bdi dir="ltr" className="wrap-anywhere text-ink-600">
            {invitation.email}
          </bdi>
        </p>
        <p>{t('staff.cancelText')}</p>
      </div>
    </ConfirmDialog>
  );
}

const tones = {
  unconfirmed: 'waiting',
  notSent: 'refused',
  sent: 'progress',
  expired: 'refused',
} as const;

function useColumns(actionsOf: (invitation: StaffInvitation) => ReactNode) {
  const { t } = useTranslation('people');
  const textOf = usePositionText();
  const { date } = useFormat();
  const columns: Column<StaffInvitation>[] = [
    {
      key: 'name',
      header: t('staff.name'),
      isPrimary: true,
      cell: (invitation) => (
        <>
          <bdi className="block">{invitation.fullName}</bdi>
          <bdi dir="ltr" className="font-normal wrap-anywhere text-ink-500">
            {invitation.email}
          </bdi>
        </>
      ),
    },
    { key: 'roles', header: t('staff.roles'), cell: textOf },
    {
      key: 'state',
      header: t('staff.state'),
      cell: (invitation) => (
        <>
          <StatusTag tone={tones[invitation.state]}>
            {t(`staff.states.${invitation.state}`)}
          </StatusTag>
          {invitation.state === 'sent' && invitation.expiresAt ? (
            <span className="block text-sm text-ink-500">
              {t('staff.until', { date: `\u2068${date(invitation.expiresAt)}\u2069` })}
            </span>
          ) : null}
        </>
      ),
    },
    {
      key: 'invitedBy',
      header: t('staff.invitedBy'),
      cell: (invitation) => <bdi>{invitation.invitedBy}</bdi>,
    },
    {
      key: 'actions',
      header: t('staff.actions'),
      align: 'end',
      isControl: true,
      call: inviteStaff,
      cell: actionsOf,
    },
  ];
  return columns;
}

/** The open invitations of staff; an admin invites, sends again and cancels. */
export function StaffPage() {
  const { t } = useTranslation(['people', 'dashboards']);
  usePageTitle(t('staff.title'));
  const list = useCall(getStaffInvitations, {});
  const show = useShowInvitations();
  const [isInviting, setIsInviting] = useState(false);
  const [cancelled, setCancelled] = useState<StaffInvitation>();
  const resend = useAction(resendStaffInvitation, {
    skipErrorHandling: true,
    onSuccess: async (fresh) => {
      showToast(t('staff.sent'), 'success');
      await show(fresh);
    },
  });
  const columns = useColumns((invitation) => (
    <div className="flex flex-wrap gap-2 md:justify-end">
      {invitation.state === 'unconfirmed' ? null : (
        <Button
          variant="quiet"
          size="sm"
          aria-label={`${t('staff.resend')}: ${invitation.email}`}
          isPending={
            resend.isPending && resend.variables.body.invitationId === invitation.invitationId
          }
          onPress={() => resend.mutate({ body: { invitationId: invitation.invitationId } })}
        >
          {t('staff.resend')}
        </Button>
      )}
      <Button
        variant="quiet"
        size="sm"
        aria-label={`${t('staff.cancel')}: ${invitation.email}`}
        onPress={() => setCancelled(invitation)}
      >
        {t('staff.cancel')}
      </Button>
    </div>
  ));
  const invite = (
    <Button call={inviteStaff} onPress={() => setIsInviting(true)}>
      {t('staff.invite')}
    </Button>
  );
  return (
    <div className="page pb-16">
      <AdminPageHeader
        title={t('staff.title')}
        lead={t('staff.lead')}
        parent={{ label: t('users.title', { ns: 'dashboards' }), to: '/dashboard/users' }}
        action={list.data && list.data.length > 0 ? invite : undefined}
      />
      <PendingRoleChanges />
      {resend.error ? (
        <div className="pb-4">
          <ErrorAlert error={resend.error} />
        </div>
      ) : null}
      {list.data ? (
        list.data.length === 0 ? (
          <EmptyState title={t('staff.none')} action={invite}>
            {t('staff.noneText')}
          </EmptyState>
        ) : (
          <DataTable
            caption={t('staff.title')}
            columns={columns}
            rows={list.data}
            rowKey={(invitation) => invitation.invitationId}
          />
        )
      ) : list.error ? (
        <ErrorState error={list.error} onRetry={list.refetch} isRetrying={list.isRefetching} />
      ) : (
        <SkeletonRows count={4} />
      )}
      {isInviting ? <InviteDialog onClose={() => setIsInviting(false)} /> : null}
      {cancelled ? (
        <CancelDialog invitation={cancelled} onClose={() => setCancelled(undefined)} />
      ) : null}
    </div>
  );
}
