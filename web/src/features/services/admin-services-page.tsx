import { useQueryClient } from '@tanstack/react-query';
import { ArrowDownUp, ListChecks, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useCall, useAction } from '#lib/api/use-call.ts';
import { useSearchFilters, type SearchFilters } from '#lib/browser/search-params.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { AdminList, adminPageSize } from '#ui/data/admin-list.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { useAgencyChoices, useIsOfOneAgency } from '#ui/search/agency-choices.ts';
import { Money } from '#ui/values/money.tsx';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import {
  getManagedServices,
  getServices,
  type ServiceSummary,
  deleteService,
  serviceSearch,
} from '@diwan/contract/catalogue/services';
import { prepareBulkChange, prepareCatalogueImport } from '@diwan/contract/catalogue/transfer';
import { pages } from '@diwan/contract/portal/pages';
import { NewService } from '../service-designs/new-service.tsx';
import { WaitingPublications } from '../service-designs/publish/waiting-publication.tsx';
import { RetiredServices } from './retired-services.tsx';
import { DidYouMean } from './service-search-box.tsx';

/** Explains the consequences, then deletes the service from the catalogue. */
function DeleteServiceDialog({
  service,
  onClose,
}: {
  service: ServiceSummary;
  onClose: () => void;
}) {
  const { t } = useTranslation('dashboards');
  const client = useQueryClient();
  const remove = useAction(deleteService, {
    onSuccess: async () => {
      showToast(t('services.deleted'), 'success');
      onClose();
      await Promise.all(
        [getManagedServices.name, getServices.name, serviceSearch.name].map((name) =>
          client.invalidateQueries({ queryKey: [name] }),
        ),
      );
    },
  });
  return (
    <ConfirmDialog
      title={t('services.deleteTitle')}
      confirmLabel={t('services.deleteSend')}
      cancelLabel={t('services.keep')}
      isDangerous
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ params: { serviceId: service.id } })}
      onClose={onClose}
    >
      <p className="font-semibold">
        <bdi>{service.name}</bdi>
      </p>
      <p className="text-ink-600">
        <bdi>{service.governmentAgency.name}</bdi>
      </p>
      <ul className="mt-4 list-disc ps-5">
        {(['lost', 'drafts', 'kept', 'final'] as const).map((name) => (
          <li key={name}>{t(`services.${name}`)}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

const wholeNumber = /^\d{1,9}$/;

function useColumns(onDelete: (service: ServiceSummary) => void): Column<ServiceSummary>[] {
  const { t } = useTranslation(['dashboards', 'designs']);
  const { count } = useFormat();
  const agency: Column<ServiceSummary> = {
    key: 'agency',
    header: t('services.agency'),
    cell: (service) => service.governmentAgency.name,
  };
  const isOfOneAgency = useIsOfOneAgency();
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
    ...(isOfOneAgency ? [] : [agency]),
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
      cell: (service) => <Money fils={service.total} />,
    },
    {
      key: 'edit',
      header: t('designs:edit'),
      isControl: true,
      cell: (service) => (
        <Link
          to={`/dashboard/services/${service.id}`}
          className="link"
          aria-label={t('designs:editName', { name: service.name })}
        >
          {t('designs:edit')}
        </Link>
      ),
    },
    {
      key: 'delete',
      header: t('services.action'),
      isControl: true,
      call: deleteService,
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

/** All services of the catalogue, or those that are no longer offered. */
export function AdminServicesPage() {
  const filters = useSearchFilters('agency', 'show');
  return filters.values.show === 'retired' ? (
    <RetiredServices filters={filters} />
  ) : (
    <OfferedServices filters={filters} />
  );
}

function OfferedServices({ filters }: { filters: SearchFilters<'agency' | 'show'> }) {
  const { t } = useTranslation('dashboards');
  const [serviceToDelete, setServiceToDelete] = useState<ServiceSummary>();
  const agencies = useAgencyChoices(getManagedAgencies);
  const GovernmentAgencyId =
    wholeNumber.test(filters.values.agency) && Number(filters.values.agency) > 0
      ? Number(filters.values.agency)
      : undefined;
  const list = useCall(getManagedServices, {
    query: {
      SearchKeyword: filters.keyword || undefined,
      GovernmentAgencyId,
      PageNumber: filters.page,
      PageSize: adminPageSize,
    },
    keepPrevious: true,
  });
  const columns = useColumns(setServiceToDelete);
  const filter = {
    name: 'agency' as const,
    label: t('services.agency'),
    any: t('services.anyAgency'),
    choices: agencies,
  };
  return (
    <>
      <AdminList
        title={t('services.title')}
        lead={t('services.lead')}
        placeholder={t('services.search')}
        filters={filters}
        filter={agencies.length > 0 ? filter : undefined}
        list={list}
        columns={columns}
        rowKey={(service) => service.id}
        action={
          // Two rows of equal buttons on a phone.
          <div className="flex flex-wrap gap-3 max-md:grid max-md:w-full max-md:grid-cols-2 max-md:items-start">
            <LinkButton
              call={prepareCatalogueImport}
              to="/dashboard/services/import"
              variant="secondary"
              icon={<ArrowDownUp aria-hidden size={18} />}
            >
              {t('services.import')}
            </LinkButton>
            <LinkButton
              call={prepareBulkChange}
              to="/dashboard/services/bulk"
              variant="secondary"
              icon={<ListChecks aria-hidden size={18} />}
            >
              {t('services.bulk')}
            </LinkButton>
            <LinkButton to="/dashboard/services?show=retired" variant="secondary">
              {t('retired.title')}
            </LinkButton>
            <NewService />
          </div>
        }
        notice={<WaitingPublications />}
        searchNote={
          list.data?.didYouMean ? (
            <DidYouMean
              text={list.data.didYouMean}
              onSearch={(keyword) => filters.change({ keyword })}
            />
          ) : null
        }
        emptyText={t('services.emptyText')}
        emptyAction={
          <>
            <LinkButton call={pages.adminAgencies} to="/dashboard/agencies" variant="secondary">
              {t('agencies.title')}
            </LinkButton>
            <LinkButton
              call={pages.adminCategories}
              to="/dashboard/serviceCategories"
              variant="secondary"
            >
              {t('serviceCategories.title')}
            </LinkButton>
          </>
        }
      />
      {serviceToDelete ? (
        <DeleteServiceDialog
          service={serviceToDelete}
          onClose={() => setServiceToDelete(undefined)}
        />
      ) : null}
    </>
  );
}
