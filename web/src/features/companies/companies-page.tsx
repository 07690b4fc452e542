import { getAllCompanies, type CompanySummary } from '@diwan/contract/people/companies';
import { useTranslation } from '../../lib/i18n/translate.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { useSearchFilters } from '../../lib/browser/search-params.ts';
import { useCall } from '../../lib/api/use-call.ts';
import type { Column } from '../../ui/data/data-table.tsx';
import { AdminList, adminPageSize } from '../../ui/data/admin-list.tsx';

function useColumns(): Column<CompanySummary>[] {
  const { t } = useTranslation('dashboards');
  const { count } = useFormat();
  return [
    {
      key: 'name',
      header: t('companies.name'),
      isPrimary: true,
      cell: (company) => <bdi>{company.name}</bdi>,
    },
    {
      key: 'users',
      header: t('companies.users'),
      align: 'end',
      cell: (company) => count(company.usersCount),
    },
    {
      key: 'requests',
      header: t('companies.requests'),
      align: 'end',
      cell: (company) => count(company.requestsCount),
    },
  ];
}

export function CompaniesPage() {
  const { t } = useTranslation('dashboards');
  const filters = useSearchFilters();
  const list = useCall(getAllCompanies, {
    query: {
      SearchKeyword: filters.keyword || undefined,
      PageNumber: filters.page,
      Take: adminPageSize,
    },
    keepPrevious: true,
  });
  const columns = useColumns();
  return (
    <AdminList
      title={t('companies.title')}
      lead={t('companies.lead')}
      placeholder={t('companies.search')}
      filters={filters}
      list={list}
      columns={columns}
      rowKey={(company) => company.id}
    />
  );
}
