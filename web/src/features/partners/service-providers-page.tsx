import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { getAllServiceProviders, type SupervisorSummary } from '@diwan/contract/people/partners';
import { useAddressFilters } from '../../lib/browser/use-address-filters.ts';
import { useCall } from '../../lib/api/use-call.ts';
import type { Column } from '../../ui/data/data-table.tsx';
import { Moment } from '../../ui/values/moment.tsx';
import { Reference } from '../../ui/values/reference.tsx';
import { StatusTag } from '../../ui/values/status-tag.tsx';
import { AdminList, adminPageSize } from '../dashboards/admin-list.tsx';
import { ProviderState } from './provider-state.tsx';
import { useStateFilter } from './state-filter.ts';

function useColumns(): Column<SupervisorSummary>[] {
  const { t } = useTranslation('dashboards');
  return [
    {
      key: 'name',
      header: t('users.name'),
      isPrimary: true,
      cell: (person) => (
        <>
          <span className="block">
            <bdi>{person.fullName}</bdi>
          </span>
          <span className="block font-normal text-ink-500">
            <Reference isName>{person.username}</Reference>
          </span>
        </>
      ),
    },
    {
      key: 'partner',
      header: t('serviceProviders.partner'),
      cell: (person) =>
        person.partner ? (
          <Link to={`/dashboard/service-providers/${person.partner.id}`} className="link">
            <bdi>{person.partner.name}</bdi>
          </Link>
        ) : (
          <StatusTag tone="waiting">{t('serviceProviders.noPartner')}</StatusTag>
        ),
    },
    {
      key: 'state',
      header: t('serviceProviders.state'),
      cell: (person) =>
        person.partner && !person.isSuspended ? (
          <ProviderState state={person.partner.state} />
        ) : (
          <StatusTag tone={person.isSuspended ? 'refused' : 'done'}>
            {t(person.isSuspended ? 'users.suspended' : 'serviceProviders.active')}
          </StatusTag>
        ),
    },
    {
      key: 'email',
      header: t('users.email'),
      cell: (person) => (
        <bdi dir="ltr" className="wrap-anywhere">
          {person.email}
        </bdi>
      ),
    },
    {
      key: 'phone',
      header: t('users.phone'),
      cell: (person) => <Reference>{person.phoneNumber}</Reference>,
    },
    {
      key: 'lastSignIn',
      header: t('users.lastSignIn'),
      cell: (person) =>
        person.lastSignInAt ? (
          <Moment at={person.lastSignInAt} as="relative" />
        ) : (
          <span className="text-ink-500">{t('users.never')}</span>
        ),
    },
  ];
}

/**
 * The supervisors of partners. Without a partner one sees no requests, and that waits for an admin.
 */
export function ServiceProvidersPage() {
  const { t } = useTranslation('dashboards');
  const filters = useAddressFilters('state');
  const { filter, chosen } = useStateFilter(filters.values.state);
  const list = useCall(getAllServiceProviders, {
    query: {
      SearchKeyword: filters.keyword || undefined,
      State: chosen,
      PageNumber: filters.page,
      Take: adminPageSize,
    },
    keepPrevious: true,
  });
  const columns = useColumns();
  return (
    <AdminList
      title={t('serviceProviders.title')}
      lead={t('serviceProviders.lead')}
      placeholder={t('serviceProviders.search')}
      filters={filters}
      filter={filter}
      list={list}
      columns={columns}
      rowKey={(person) => person.id}
    />
  );
}
