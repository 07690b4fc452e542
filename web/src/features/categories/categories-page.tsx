import { useTranslation } from 'react-i18next';
import {
  getAllServicesCategoriesWithServices,
  type ServiceCategoryWithCount,
} from '@diwan/contract/catalogue/categories';
import { useFormat } from '../../lib/i18n/format.ts';
import { useAddressFilters } from '../../lib/browser/use-address-filters.ts';
import { useCall } from '../../lib/api/use-call.ts';
import type { Column } from '../../ui/data/data-table.tsx';
import { AdminList } from '../dashboards/admin-list.tsx';
import { localPage } from '../dashboards/local-page.ts';

function useColumns(): Column<ServiceCategoryWithCount>[] {
  const { t } = useTranslation('dashboards');
  const { count } = useFormat();
  return [
    {
      key: 'name',
      header: t('serviceCategories.name'),
      isPrimary: true,
      cell: (category) => (
        <span className="flex items-center gap-3">
          <img
            src={category.logo}
            alt=""
            width={32}
            height={32}
            loading="lazy"
            className="size-8 shrink-0"
          />
          {category.name}
        </span>
      ),
    },
    {
      key: 'description',
      header: t('serviceCategories.description'),
      cell: (category) => category.description,
    },
    {
      key: 'services',
      header: t('serviceCategories.services'),
      align: 'end',
      cell: (category) => count(category.servicesCount),
    },
  ];
}

/** What services are grouped by. */
export function CategoriesPage() {
  const { t } = useTranslation('dashboards');
  const filters = useAddressFilters();
  const { data, ...rest } = useCall(getAllServicesCategoriesWithServices, {});
  const columns = useColumns();
  const list = {
    ...rest,
    data: localPage(data, filters, ({ name, description }) => `${name} ${description}`),
  };
  return (
    <AdminList
      title={t('serviceCategories.title')}
      lead={t('serviceCategories.lead')}
      placeholder={t('serviceCategories.search')}
      filters={filters}
      list={list}
      columns={columns}
      rowKey={(category) => category.id}
    />
  );
}
