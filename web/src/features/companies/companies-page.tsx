import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters, type SearchFilters } from '#lib/browser/search-params.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { AdminList, adminPageSize } from '#ui/data/admin-list.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  companyOrders,
  companyStates,
  getAllCompanies,
  type CompanySummary,
} from '@diwan/contract/people/companies';

type CompanyFilters = SearchFilters<'state' | 'order'>;
type Order = (typeof companyOrders)[number];

// The address may hold anything.
const orderOf = ({ values }: CompanyFilters): Order =>
  companyOrders.find((order) => order === values.order) ?? 'name';

function useColumns(filters: CompanyFilters): Column<CompanySummary>[] {
  const { t } = useTranslation('dashboards');
  const { count } = useFormat();
  const order = orderOf(filters);
  return [
    {
      key: 'name',
      header: t('companies.name'),
      isPrimary: true,
      sort: {
        order:
          order === 'name' ? 'ascending' : order === 'nameDescending' ? 'descending' : undefined,
        onChange: () => filters.change({ order: order === 'name' ? 'nameDescending' : '' }),
      },
      cell: (company) => (
        <Link to={`/dashboard/companies/${company.id}`} className="row-link">
          <bdi>{company.name}</bdi>
        </Link>
      ),
    },
    {
      key: 'licence',
      header: t('companies.licence'),
      cell: (company) =>
        company.licenceNumber ? (
          <Reference>{company.licenceNumber}</Reference>
        ) : (
          <span className="text-ink-500">{t('none')}</span>
        ),
    },
    {
      key: 'state',
      header: t('companies.state'),
      cell: ({ isSuspended }) => (
        <StatusTag tone={isSuspended ? 'refused' : 'done'}>
          {t(isSuspended ? 'companies.suspended' : 'companies.active')}
        </StatusTag>
      ),
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
  const filters = useSearchFilters('state', 'order');
  const order = orderOf(filters);
  const list = useCall(getAllCompanies, {
    query: {
      SearchKeyword: filters.keyword || undefined,
      State: companyStates.find((state) => state === filters.values.state),
      Order: order,
      PageNumber: filters.page,
      Take: adminPageSize,
    },
    keepPrevious: true,
  });
  const columns = useColumns(filters);
  const orderTexts: Record<Order, string> = {
    name: t('companies.byName'),
    nameDescending: t('companies.byNameDescending'),
    newest: t('companies.newest'),
  };
  return (
    <AdminList
      title={t('companies.title')}
      lead={t('companies.lead')}
      placeholder={t('companies.search')}
      emptyText={t('companies.emptyText')}
      filters={filters}
      filter={{
        name: 'state',
        label: t('companies.state'),
        any: t('companies.anyState'),
        choices: companyStates.map((value) => ({ value, label: t(`companies.${value}`) })),
      }}
      more={
        <div className="md:w-60">
          <SelectField
            label={t('companies.order')}
            value={order}
            onChange={(value) => filters.change({ order: value === 'name' ? '' : value })}
            choices={companyOrders.map((value) => ({ value, label: orderTexts[value] }))}
          />
        </div>
      }
      list={list}
      columns={columns}
      rowKey={(company) => company.id}
    />
  );
}
