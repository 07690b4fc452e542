import { useCall } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { AdminList } from '#ui/data/admin-list.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { EmailAddress, Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { getAllServiceProviders, type SupervisorSummary } from '@diwan/contract/people/partners';
import { ProviderState, usePartnerListFilters } from './provider-state.tsx';

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
      cell: (person) => <EmailAddress>{person.email}</EmailAddress>,
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
 * The supervisors of partners. A supervisor without a partner sees no requests until an admin
 * assigns one.
 */
export function ServiceProvidersPage() {
  const { t } = useTranslation('dashboards');
  const { filters, filter, query } = usePartnerListFilters();
  const list = useCall(getAllServiceProviders, { query, keepPrevious: true });
  const columns = useColumns();
  return (
    <AdminList
      title={t('serviceProviders.title')}
      lead={t('serviceProviders.lead')}
      placeholder={t('serviceProviders.search')}
      emptyText={t('serviceProviders.emptyText')}
      filters={filters}
      filter={filter}
      list={list}
      columns={columns}
      rowKey={(person) => person.id}
    />
  );
}
