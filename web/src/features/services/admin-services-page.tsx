import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { governmentAgencyCollection } from '@diwan/contract/catalogue/agencies';
import { getServices, type ServiceSummary } from '@diwan/contract/catalogue/services';
import { useFormat } from '../../lib/i18n/format.ts';
import { useAddressFilters } from '../../lib/browser/use-address-filters.ts';
import { useCall } from '../../lib/api/use-call.ts';
import type { Column } from '../../ui/data/data-table.tsx';
import { IconButton } from '../../ui/actions/icon-button.tsx';
import { Money } from '../../ui/values/money.tsx';
import { AdminList, adminPageSize } from '../dashboards/admin-list.tsx';
import { DeleteServiceDialog } from './delete-service-dialog.tsx';

const wholeNumber = /^\d{1,9}$/;

function useColumns(onDelete: (service: ServiceSummary) => void): Column<ServiceSummary>[] {
  const { t } = useTranslation('dashboards');
  const { count } = useFormat();
  return [
    {
      key: 'name',
      header: t('services.name'),
      isPrimary: true,
      cell: (service) => (
        <Link to={`/requests/Create/${service.replacedName}`} className="link">
          {service.name}
        </Link>
      ),
    },
    {
      key: 'agency',
      header: t('services.agency'),
      cell: (service) => service.governmentAgency.name,
    },
    {
      key: 'category',
      header: t('services.category'),
      cell: (service) => service.serviceCategory.name,
    },
    {
      key: 'days',
      header: t('services.days'),
      align: 'end',
      cell: (service) => count(service.workingDays),
    },
    {
      key: 'total',
      header: t('services.total'),
      align: 'end',
      cell: (service) => <Money fils={service.total} short />,
    },
    {
      key: 'delete',
      header: t('services.action'),
      isControl: true,
      cell: (service) => (
        <IconButton
          label={t('services.delete', { name: service.name })}
          onPress={() => onDelete(service)}
        >
          <Trash2 aria-hidden size={18} />
        </IconButton>
      ),
    },
  ];
}

/** The catalogue's services. */
export function AdminServicesPage() {
  const { t } = useTranslation('dashboards');
  const filters = useAddressFilters('agency');
  const [wanted, setWanted] = useState<ServiceSummary>();
  const agencies = useCall(governmentAgencyCollection, { staleTime: 3_600_000 });
  const GovernmentAgencyId =
    wholeNumber.test(filters.values.agency) && Number(filters.values.agency) > 0
      ? Number(filters.values.agency)
      : undefined;
  const list = useCall(getServices, {
    query: {
      SearchKeyword: filters.keyword || undefined,
      GovernmentAgencyId,
      PageNumber: filters.page,
      PageSize: adminPageSize,
    },
    keepPrevious: true,
  });
  const columns = useColumns(setWanted);
  const filter = {
    name: 'agency' as const,
    label: t('services.agency'),
    any: t('services.anyAgency'),
    choices: (agencies.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
  };
  return (
    <>
      <AdminList
        title={t('services.title')}
        lead={t('services.lead')}
        placeholder={t('services.search')}
        filters={filters}
        filter={agencies.data ? filter : undefined}
        list={list}
        columns={columns}
        rowKey={(service) => service.id}
      />
      {wanted ? (
        <DeleteServiceDialog service={wanted} onClose={() => setWanted(undefined)} />
      ) : null}
    </>
  );
}
