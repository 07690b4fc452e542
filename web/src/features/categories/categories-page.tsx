import {
  getAllServiceCategory,
  type ServiceCategoryWithCount,
} from '@diwan/contract/catalogue/categories';
import { useTranslation } from '../../lib/i18n/translate.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { useSearchFilters } from '../../lib/browser/search-params.ts';
import { useCall } from '../../lib/api/use-call.ts';
import type { Column } from '../../ui/data/data-table.tsx';
import { AdminList, paginateLocally } from '../../ui/data/admin-list.tsx';

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

/** All categories, also those that have no service yet. */
export function CategoriesPage() {
  const { t } = useTranslation('dashboards');
  const filters = useSearchFilters();
  const { data, ...rest } = useCall(getAllServiceCategory, {});
  const columns = useColumns();
  const list = {
    ...rest,
    data: paginateLocally(data, filters, ({ name, description }) => `${name} ${description}`),
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
