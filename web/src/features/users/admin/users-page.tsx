import { useTranslation } from 'react-i18next';
import { roles, type Role } from '@diwan/contract/wire/call';
import { getAllUsers, type UserSummary } from '@diwan/contract/people/users';
import { useAddressFilters } from '../../../lib/browser/use-address-filters.ts';
import { useCall } from '../../../lib/api/use-call.ts';
import type { Column } from '../../../ui/data/data-table.tsx';
import { Moment } from '../../../ui/values/moment.tsx';
import { Reference } from '../../../ui/values/reference.tsx';
import { StatusTag } from '../../../ui/values/status-tag.tsx';
import { AdminList, adminPageSize } from '../../dashboards/admin-list.tsx';
import { SecondFactorCell } from '../second-factor/second-factor-cell.tsx';

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

/** The accounts of the portal. */
export function UsersPage() {
  const { t } = useTranslation('dashboards');
  const filters = useAddressFilters('role');
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
