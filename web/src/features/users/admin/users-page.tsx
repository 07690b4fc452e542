import { useState } from 'react';
import { roles, type Role } from '@diwan/contract/wire/call';
import { getAllUsers, type UserSummary } from '@diwan/contract/people/users';
import { resetSecondFactor } from '@diwan/contract/people/second-factor';
import { useTranslation } from '../../../lib/i18n/translate.ts';
import { useSearchFilters } from '../../../lib/browser/search-params.ts';
import { useCall, useAction } from '../../../lib/api/use-call.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { useSession } from '../../../lib/api/session.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import type { Column } from '../../../ui/data/data-table.tsx';
import { Moment } from '../../../ui/values/moment.tsx';
import { Reference } from '../../../ui/values/reference.tsx';
import { StatusTag } from '../../../ui/values/status-tag.tsx';
import { AdminList, adminPageSize } from '../../../ui/data/admin-list.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';

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
    <ConfirmDialog
      title={t('reset.title')}
      confirmLabel={t('reset.send')}
      pendingLabel={t('factor.working')}
      cancelLabel={t('reset.keep')}
      cancelVariant="secondary"
      isDangerous
      isPending={reset.isPending}
      onConfirm={() => reset.mutate({ body: { userId: user.id } })}
      onClose={onClose}
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
    </ConfirmDialog>
  );
}

/** The second factor of a user, and a button to reset it. Admins cannot reset their own here. */
function SecondFactorCell({ user }: { user: UserSummary }) {
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

function useRoleName(): (role: Role) => string {
  const { t } = useTranslation('shell');
  return (role) => t(`roles.${role}`);
}

function useColumns(): Column<UserSummary>[] {
  const { t } = useTranslation(['dashboards', 'shell', 'security']);
  const roleName = useRoleName();
  return [
    {
      key: 'name',
      header: t('users.name'),
      isPrimary: true,
      cell: (user) => (
        <>
          <span className="block">
            <bdi>{user.fullName}</bdi>
          </span>
          <span className="block font-normal text-ink-500">
            <Reference isName>{user.username}</Reference>
          </span>
          {user.isSuspended ? <StatusTag tone="refused">{t('users.suspended')}</StatusTag> : null}
        </>
      ),
    },
    {
      key: 'roles',
      header: t('users.roles'),
      cell: (user) => user.roles.map(roleName).join(t('listSeparator', { ns: 'shell' })),
    },
    {
      key: 'belongs',
      header: t('users.belongs'),
      cell: (user) =>
        user.company?.name ??
        user.partner?.name ?? <span className="text-ink-500">{t('none')}</span>,
    },
    {
      key: 'email',
      header: t('users.email'),
      cell: (user) => (
        <span className="inline-block lg:min-w-48">
          <bdi dir="ltr" className="wrap-anywhere">
            {user.email}
          </bdi>
        </span>
      ),
    },
    {
      key: 'phone',
      header: t('users.phone'),
      cell: (user) => <Reference>{user.phoneNumber}</Reference>,
    },
    {
      key: 'lastSignIn',
      header: t('users.lastSignIn'),
      cell: (user) =>
        user.lastSignInAt ? (
          <Moment at={user.lastSignInAt} as="relative" />
        ) : (
          <span className="text-ink-500">{t('users.never')}</span>
        ),
    },
    {
      key: 'secondFactor',
      header: t('reset.column', { ns: 'security' }),
      cell: (user) => <SecondFactorCell user={user} />,
    },
  ];
}

/** All user accounts. */
export function UsersPage() {
  const { t } = useTranslation('dashboards');
  const filters = useSearchFilters('role');
  const chosen = roles.find((role) => role === filters.values.role);
  const list = useCall(getAllUsers, {
    query: {
      SearchKeyword: filters.keyword || undefined,
      Role: chosen,
      PageNumber: filters.page,
      Take: adminPageSize,
    },
    keepPrevious: true,
  });
  const roleName = useRoleName();
  const columns = useColumns();
  const filter = {
    name: 'role' as const,
    label: t('users.role'),
    any: t('users.anyRole'),
    choices: roles.map((role) => ({ value: role, label: roleName(role) })),
  };
  return (
    <AdminList
      title={t('users.title')}
      lead={t('users.lead')}
      placeholder={t('users.search')}
      filters={filters}
      filter={filter}
      list={list}
      columns={columns}
      rowKey={(user) => user.id}
    />
  );
}
