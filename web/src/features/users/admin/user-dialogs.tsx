import { useState, type ReactNode } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { ApiError } from '#lib/api/api-error.ts';
import { useMayCall, useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { ReasonDialog } from '#ui/editing/reason-dialog.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { Checkbox, CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { getAllPartners } from '@diwan/contract/people/partners';
import { resetSecondFactor } from '@diwan/contract/people/second-factor';
import { getRoleConfirmation } from '@diwan/contract/staff/role-changes';
import {
  changeUserRoles,
  restoreUser,
  sendPasswordCode,
  suspendUser,
  type UserAction,
} from '@diwan/contract/staff/user-administration';
import { grantedRoles, type GrantedRole } from '@diwan/contract/wire/call';
import { AgenciesChoice, agenciesBefore, chosenAgencies } from './agencies-choice.tsx';
import { useUserAction, type UserDialogProps } from './user.data.ts';

function Person({ user }: Pick<UserDialogProps, 'user'>) {
  return (
    <p>
      <bdi className="font-semibold wrap-anywhere">{user.fullName}</bdi>{' '}
      <bdi dir="ltr" className="wrap-anywhere text-ink-600">
        {user.username}
      </bdi>
    </p>
  );
}

/** What the account looks like now, where another admin was faster. */
function Conflict({ error }: { error: ApiError | null }) {
  const { t } = useTranslation('people');
  return error?.name === 'RecordHasChanged' ? (
    <Alert tone="warning" isLive>
      {t('conflict.changed')}
    </Alert>
  ) : (
    <ErrorAlert error={error} />
  );
}

/** The service providers by what is typed; the one that the account belongs to at first. */
export function PartnerChoice({
  current,
  ...field
}: {
  current: { id: number; name: string } | undefined;
  name: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation('people');
  const [typed, setTyped] = useState('');
  const { data } = useCall(getAllPartners, {
    query: { SearchKeyword: typed || undefined, Take: 100 },
    keepPrevious: true,
  });
  const found = data?.items ?? [];
  const all = [
    ...(current && !found.some(({ id }) => id === current.id) ? [current] : []),
    ...found,
  ];
  return (
    <ComboField
      {...field}
      label={t('roles.partner')}
      description={t('roles.partnerHint')}
      placeholder={t('roles.findPartner')}
      onSearch={setTyped}
      choices={all.map(({ id, name }) => ({ value: String(id), label: name }))}
    />
  );
}

const hints: Readonly<Record<GrantedRole, string>> = {
  Admin: 'roles.admin',
  Employee: 'roles.employee',
  Finance: 'roles.finance',
  Content: 'roles.content',
  Auditor: 'roles.auditor',
  AgencyAdmin: 'roles.agencyAdmin',
  ServiceProvider: 'roles.serviceProvider',
};

/** The choices of roles with what each of them may do. */
export function useRoleChoices() {
  const { t } = useTranslation(['people', 'shell']);
  const givesAll = useMayCall(getRoleConfirmation);
  // An administrator of agencies has employees.
  const given: readonly GrantedRole[] = givesAll ? grantedRoles : ['Employee'];
  return given.map((role) => ({
    value: role,
    label: t(`roles.${role}`, { ns: 'shell' }),
    hint: t(hints[role]),
  }));
}

/** The agencies that would have no administrator any more, and who manages them then. */
function LostAgencies({ agencies }: { agencies: UserDialogProps['user']['onlyAdministratorOf'] }) {
  const { t } = useTranslation('people');
  const format = useFormat();
  if (agencies.length === 0) return null;
  const names = format.list(agencies.map(({ name }) => `\u2068${name}\u2069`));
  return (
    <Alert tone="warning" isLive>
      {t('agencies.withoutAdministrator', { count: agencies.length, names })}
    </Alert>
  );
}

function RolesDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation(['people', 'urgent']);
  const session = useSession();
  const choices = useRoleChoices();
  const form = useForm({
    defaultValues: {
      roles: grantedRoles.filter((role) => user.roles.includes(role)) as string[],
      partnerId: user.partner ? String(user.partner.id) : '',
      ...agenciesBefore(user),
      readsUrgently: user.readsUrgently,
    },
  });
  const save = useUserAction(changeUserRoles, ({ pendingRoles }) => {
    if (pendingRoles) showToast(t('confirm.rolesWait'), 'info');
    else showToast(t('roles.saved'), 'success');
    onClose();
  });
  const givesAll = useMayCall(getRoleConfirmation);
  const rule = useCall(getRoleConfirmation, { enabled: givesAll });
  const [chosen, agencyIds] = useWatch({ control: form.control, name: ['roles', 'agencyIds'] });
  const lost = user.onlyAdministratorOf.filter(
    ({ id }) => !chosen.includes('AgencyAdmin') || !agencyIds.includes(String(id)),
  );
  const isSupervisor = chosen.includes('ServiceProvider');
  const givesUrgentRight = givesAll && chosen.includes('Employee');
  const losesAdmin =
    user.id === session?.ssid && user.roles.includes('Admin') && !chosen.includes('Admin');
  return (
    <FormDialog
      form={form}
      title={t('roles.title')}
      submitLabel={t('roles.send')}
      pendingLabel={t('acts.pending')}
      cancelLabel={t('acts.cancel')}
      isPending={save.isPending}
      error={save.error}
      errorPosition="none"
      onResetError={save.reset}
      onSubmit={({ partnerId, ...values }) =>
        save.mutate({
          body: {
            userId: user.id,
            version: user.version,
            roles: grantedRoles.filter((role) => values.roles.includes(role)),
            ...chosenAgencies(values),
            ...(givesUrgentRight ? { readsUrgently: values.readsUrgently } : {}),
            ...(isSupervisor ? { partnerId: Number(partnerId) } : {}),
          },
        })
      }
      onClose={onClose}
    >
      <Person user={user} />
      {Object.keys(save.error?.fieldErrors ?? {}).length > 0 ? null : (
        <Conflict error={save.error} />
      )}
      <FormField
        control={form.control}
        name="roles"
        validate={(roles) =>
          roles.includes('ServiceProvider') && roles.length > 1 ? t('roles.onlyAlone') : undefined
        }
      >
        {(field) => (
          <CheckboxGroup
            {...field}
            label={t('roles.roles')}
            description={t('roles.hint')}
            isOptional
            choices={choices}
          />
        )}
      </FormField>
      {isSupervisor ? (
        <FormField
          control={form.control}
          name="partnerId"
          validate={(partnerId) => (partnerId === '' ? t('roles.partnerRequired') : undefined)}
        >
          {(field) => <PartnerChoice {...field} current={user.partner} />}
        </FormField>
      ) : null}
      <AgenciesChoice control={form.control} current={user.agencies} />
      {givesUrgentRight ? (
        <FormField control={form.control} name="readsUrgently">
          {(field) => (
            <Checkbox {...field} label={t('urgent:right.label')} hint={t('urgent:right.hint')} />
          )}
        </FormField>
      ) : null}
      {user.heldRequestsCount > 0 ? <p>{t('agencies.held')}</p> : null}
      {losesAdmin ? <Alert tone="warning">{t('roles.losesAdmin')}</Alert> : null}
      <LostAgencies agencies={lost} />
      {rule.data ? (
        <p className="text-sm text-ink-600">
          {t(rule.data.isRequired ? 'roles.effectConfirmed' : 'roles.effect')}
        </p>
      ) : null}
    </FormDialog>
  );
}

function SuspendDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation('people');
  const suspend = useUserAction(suspendUser, () => {
    showToast(t('suspend.done'), 'success');
    onClose();
  });
  return (
    <ReasonDialog
      title={t('suspend.title')}
      submitLabel={t('suspend.send')}
      cancelLabel={t('acts.cancel')}
      subject={
        <>
          <Person user={user} />
          <LostAgencies agencies={user.onlyAdministratorOf} />
        </>
      }
      consequences={[t('suspend.signedOut'), t('suspend.kept'), t('suspend.messageSent')]}
      problem={<Conflict error={suspend.error} />}
      reasonLabel={t('suspend.reason')}
      reasonHint={t('suspend.reasonHint')}
      reasonRequired={t('suspend.reasonRequired')}
      action={suspend}
      onSubmit={(reason) =>
        suspend.mutate({ body: { userId: user.id, version: user.version, reason } })
      }
      onClose={onClose}
    />
  );
}

function SimpleDialog({
  user,
  onClose,
  title,
  send,
  isDangerous = false,
  action,
  onConfirm,
  children,
}: UserDialogProps & {
  title: string;
  send: string;
  isDangerous?: boolean;
  action: { isPending: boolean; error: ApiError | null };
  onConfirm: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation('people');
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={send}
      pendingLabel={t('acts.pending')}
      cancelLabel={t('acts.cancel')}
      isDangerous={isDangerous}
      isPending={action.isPending}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <Conflict error={action.error} />
        <Person user={user} />
        {children}
      </div>
    </ConfirmDialog>
  );
}

function RestoreDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation('people');
  const restore = useUserAction(restoreUser, () => {
    showToast(t('restore.done'), 'success');
    onClose();
  });
  return (
    <SimpleDialog
      user={user}
      onClose={onClose}
      title={t('restore.title')}
      send={t('restore.send')}
      action={restore}
      onConfirm={() => restore.mutate({ body: { userId: user.id, version: user.version } })}
    >
      <p>{t('restore.text')}</p>
    </SimpleDialog>
  );
}

function CodeDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation('people');
  const send = useUserAction(sendPasswordCode, () => {
    showToast(t('code.done'), 'success');
    onClose();
  });
  return (
    <SimpleDialog
      user={user}
      onClose={onClose}
      title={t('code.title')}
      send={t('code.send')}
      action={send}
      onConfirm={() => send.mutate({ body: { userId: user.id } })}
    >
      <p>{t('code.text')}</p>
      <p>{t('code.check')}</p>
    </SimpleDialog>
  );
}

function ResetDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation('security');
  const reset = useUserAction(resetSecondFactor, () => {
    showToast(t('reset.done'), 'success');
    onClose();
  });
  return (
    <SimpleDialog
      user={user}
      onClose={onClose}
      title={t('reset.title')}
      send={t('reset.send')}
      isDangerous
      action={reset}
      onConfirm={() => reset.mutate({ body: { userId: user.id } })}
    >
      <ul className="list-disc ps-5">
        {(['check', 'lost', 'next'] as const).map((name) => (
          <li key={name}>{t(`reset.${name}`)}</li>
        ))}
      </ul>
    </SimpleDialog>
  );
}

const dialogs = {
  changeRoles: RolesDialog,
  suspend: SuspendDialog,
  restore: RestoreDialog,
  resetSecondFactor: ResetDialog,
  sendPasswordCode: CodeDialog,
};
export type DialogName = keyof typeof dialogs;
export const hasDialog = (action: UserAction): action is DialogName => action in dialogs;

/** The dialog of an action on an account. */
export function UserDialog({ name, ...props }: UserDialogProps & { name: DialogName }) {
  const Dialog = dialogs[name];
  return <Dialog {...props} />;
}
