import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  getAllRejectionReasons,
  type ReasonRecord,
} from '@diwan/contract/requests/rejection-reasons';
import { useFormat } from '../../../lib/i18n/format.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { useAddressFilters } from '../../../lib/browser/use-address-filters.ts';
import { useCall } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { AdminList } from '../../dashboards/admin-list.tsx';
import { localPage } from '../../dashboards/local-page.ts';
import { ReasonDialog } from '../staff/reason-dialog.tsx';

function useColumns(onEdit: (reason: ReasonRecord) => void): Column<ReasonRecord>[] {
  const { t } = useTranslation(['returns', 'dashboards', 'requests']);
  const { language } = useLanguage();
  const { count } = useFormat();
  return [
    {
      key: 'reason',
      header: t('dashboards:rejectionReasons.reason'),
      isPrimary: true,
      cell: ({ names }) => names[language],
    },
    {
      key: 'state',
      header: t('reasons.state'),
      cell: ({ isRetired }) => (
        <span className={isRetired ? 'text-ink-500' : 'font-semibold text-green-700'}>
          {t(isRetired ? 'reasons.retired' : 'reasons.inUse')}
        </span>
      ),
    },
    {
      key: 'number',
      header: t('dashboards:rejectionReasons.number'),
      align: 'end',
      cell: ({ id }) => count(id),
    },
    {
      key: 'edit',
      header: t('requests:fields.action'),
      cell: (reason) => (
        <Button
          variant="secondary"
          size="sm"
          aria-label={t('reasons.editName', { name: reason.names[language] })}
          onPress={() => onEdit(reason)}
        >
          {t('reasons.edit')}
        </Button>
      ),
    },
  ];
}

/** What staff choose from when they return or refuse a request. */
export function RejectionReasonsPage() {
  const { t } = useTranslation(['returns', 'dashboards']);
  const { language } = useLanguage();
  const filters = useAddressFilters();
  const [open, setOpen] = useState<ReasonRecord | 'new'>();
  const { data, ...rest } = useCall(getAllRejectionReasons, {});
  const columns = useColumns(setOpen);
  // Found by its name in any language, since whoever looks may remember another than the one shown.
  const list = {
    ...rest,
    data: localPage(data, filters, ({ names }) =>
      [names[language], ...Object.values(names)].join(' '),
    ),
  };
  return (
    <>
      <AdminList
        title={t('dashboards:rejectionReasons.title')}
        lead={t('dashboards:rejectionReasons.lead')}
        placeholder={t('dashboards:rejectionReasons.search')}
        filters={filters}
        list={list}
        columns={columns}
        rowKey={(reason) => reason.id}
        action={
          <Button icon={<Plus aria-hidden size={18} />} onPress={() => setOpen('new')}>
            {t('reasons.add')}
          </Button>
        }
      />
      {open ? (
        <ReasonDialog
          key={open === 'new' ? 'new' : `${open.id} ${open.version}`}
          reason={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
    </>
  );
}
