import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { AdminList } from '#ui/data/admin-list.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { getAllPartners, type PartnerSummary } from '@diwan/contract/people/partners';
import { ProviderState, usePartnerListFilters } from './provider-state.tsx';

function useColumns(): Column<PartnerSummary>[] {
  const { t } = useTranslation('dashboards');
  const { count } = useFormat();
  return [
    {
      key: 'name',
      header: t('partners.name'),
      isPrimary: true,
      cell: (partner) => (
        <Link to={`/dashboard/service-providers/${partner.id}`} className="row-link">
          <bdi>{partner.name}</bdi>
        </Link>
      ),
    },
    {
      key: 'state',
      header: t('partners.state'),
      cell: (partner) => <ProviderState state={partner.state} />,
    },
    {
      key: 'services',
      header: t('partners.services'),
      align: 'end',
      cell: (partner) => count(partner.servicesCount),
    },
    {
      key: 'supervisors',
      header: t('partners.supervisors'),
      align: 'end',
      cell: (partner) => count(partner.supervisorsCount),
    },
    {
      key: 'requests',
      header: t('partners.requests'),
      align: 'end',
      cell: (partner) => count(partner.requestsCount),
    },
  ];
}

export function PartnersPage() {
  const { t } = useTranslation('dashboards');
  const { filters, filter, query } = usePartnerListFilters();
  const list = useCall(getAllPartners, { query, keepPrevious: true });
  const columns = useColumns();
  return (
    <AdminList
      title={t('partners.title')}
      lead={t('partners.lead')}
      placeholder={t('partners.search')}
      emptyText={t('partners.emptyText')}
      filters={filters}
      filter={filter}
      list={list}
      columns={columns}
      rowKey={(partner) => partner.id}
    />
  );
}
