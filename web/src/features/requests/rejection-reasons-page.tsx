import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '@diwan/contract/call';
import { rejectionReasonCollection } from '@diwan/contract/requests';
import { useFormat } from '../../lib/format.ts';
import { useAddressFilters } from '../../lib/use-address-filters.ts';
import { useCall } from '../../lib/use-call.ts';
import type { Column } from '../../ui/data-table.tsx';
import { AdminList } from '../dashboards/admin-list.tsx';
import { localPage } from '../dashboards/local-page.ts';

type Reason = ReplyOf<typeof rejectionReasonCollection>[number];

function useColumns(): Column<Reason>[] {
  const { t } = useTranslation('dashboards');
  const { count } = useFormat();
  return [
    { key: 'reason', header: t('rejectionReasons.reason'), isPrimary: true, cell: (reason) => reason.name },
    { key: 'number', header: t('rejectionReasons.number'), align: 'end', cell: (reason) => count(reason.id) },
  ];
}

/** What staff choose from when they return or refuse a request. */
export function RejectionReasonsPage() {
  const { t } = useTranslation('dashboards');
  const filters = useAddressFilters();
  const { data, ...rest } = useCall(rejectionReasonCollection, {});
  const columns = useColumns();
  const list = { ...rest, data: localPage(data, filters, ({ name }) => name) };
  return <AdminList title={t('rejectionReasons.title')} lead={t('rejectionReasons.lead')} placeholder={t('rejectionReasons.search')} filters={filters} list={list} columns={columns} rowKey={(reason) => reason.id} />;
}
