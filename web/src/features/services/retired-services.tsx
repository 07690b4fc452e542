import { useState } from 'react';
import { queryClient } from '#lib/api/query-client.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import type { SearchFilters } from '#lib/browser/search-params.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { AdminList, adminPageSize } from '#ui/data/admin-list.tsx';
import { buttonColumn, type Column } from '#ui/data/data-table.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { useIsOfOneAgency } from '#ui/search/agency-choices.ts';
import { Moment } from '#ui/values/moment.tsx';
import {
  getRetiredServices,
  restoreService,
  type RetiredService,
} from '@diwan/contract/catalogue/service-designs';

function RestoreDialog({ service, onClose }: { service: RetiredService; onClose: () => void }) {
  const { t } = useTranslation('dashboards');
  const restore = useAction(restoreService, {
    skipErrorHandling: true,
    onSuccess: async () => {
      showToast(t('retired.done'), 'success');
      onClose();
      await queryClient.invalidateQueries();
    },
  });
  return (
    <ConfirmDialog
      title={t('retired.confirmTitle')}
      confirmLabel={t('retired.restore')}
      cancelLabel={t('retired.cancel')}
      isPending={restore.isPending}
      onConfirm={() => restore.mutate({ body: { serviceId: service.serviceId } })}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <ErrorAlert error={restore.error} />
        <p className="font-semibold">
          <bdi>{service.name}</bdi>
        </p>
        <p>{t('retired.confirmText')}</p>
      </div>
    </ConfirmDialog>
  );
}

function useColumns(onRestore: (service: RetiredService) => void): Column<RetiredService>[] {
  const { t } = useTranslation('dashboards');
  const agency: Column<RetiredService> = {
    key: 'agency',
    header: t('services.agency'),
    cell: (service) => service.agencyName,
  };
  const isOfOneAgency = useIsOfOneAgency();
  return [
    {
      key: 'name',
      header: t('services.name'),
      isPrimary: true,
      cell: (service) => (
        <Link to={`/dashboard/services/${service.serviceId}`} className="link">
          <bdi>{service.name}</bdi>
        </Link>
      ),
    },
    ...(isOfOneAgency ? [] : [agency]),
    {
      key: 'retired',
      header: t('retired.since'),
      cell: (service) => <Moment at={service.retiredAt} as="date" />,
    },
    buttonColumn({
      call: restoreService,
      key: 'restore',
      header: t('services.action'),
      text: t('retired.restore'),
      labelOf: ({ name }) => t('retired.restoreName', { name }),
      onPress: onRestore,
    }),
  ];
}

/** The services that are no longer offered; an admin offers them again. */
export function RetiredServices({ filters }: { filters: SearchFilters<'agency' | 'show'> }) {
  const { t } = useTranslation('dashboards');
  const [chosen, setChosen] = useState<RetiredService>();
  const list = useCall(getRetiredServices, {
    query: {
      SearchKeyword: filters.keyword || undefined,
      PageNumber: filters.page,
      Take: adminPageSize,
    },
    keepPrevious: true,
  });
  const columns = useColumns(setChosen);
  return (
    <>
      <AdminList
        title={t('retired.title')}
        lead={t('retired.lead')}
        placeholder={t('services.name')}
        filters={{ ...filters, isFiltered: filters.keyword !== '' }}
        list={list}
        columns={columns}
        rowKey={({ serviceId }) => serviceId}
        emptyTitle={t('retired.none')}
        action={
          <LinkButton to="/dashboard/services" variant="secondary">
            {t('retired.back')}
          </LinkButton>
        }
      />
      {chosen ? <RestoreDialog service={chosen} onClose={() => setChosen(undefined)} /> : null}
    </>
  );
}
