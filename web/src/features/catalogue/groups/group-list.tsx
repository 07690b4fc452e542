import { useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { AdminList, paginateLocally } from '#ui/data/admin-list.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { OrderDialog, OrderedListActions } from '#ui/editing/order-dialog.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { saveAgencyDiscounts } from '@diwan/contract/catalogue/agencies';
import type { GroupRecord } from '@diwan/contract/catalogue/groups';
import { RecordState } from '../record-state.tsx';
import { AgencyDiscountsDialog } from './agency-discounts-dialog.tsx';
import { groupCalls, type GroupKind } from './group-calls.ts';
import { GroupDialog } from './group-dialog.tsx';

function useColumns(
  kind: GroupKind,
  onEdit: (group: GroupRecord) => void,
  onDiscounts: (group: GroupRecord) => void,
): Column<GroupRecord>[] {
  const { t } = useTranslation('catalogue');
  const { language } = useLanguage();
  const { count } = useFormat();
  const { filter, save } = groupCalls[kind];
  return [
    {
      key: 'name',
      header: t('groups.name'),
      isPrimary: true,
      cell: ({ logo, name }) => (
        <span className="flex items-center gap-3">
          <img
            src={logo}
            alt=""
            width={32}
            height={32}
            loading="lazy"
            className="size-8 shrink-0"
          />
          <span>{name[language]}</span>
        </span>
      ),
    },
    ...(kind === 'categories'
      ? [
          {
            key: 'description',
            header: t('groups.description'),
            isHiddenOnPhone: true,
            cell: ({ description }: GroupRecord) => description?.[language],
          },
        ]
      : []),
    {
      key: 'state',
      header: t('state'),
      cell: ({ isRetired, administratorsCount, administratorLostAt }) => (
        <>
          <RecordState isRetired={isRetired} />
          {administratorsCount === 0 && !isRetired ? (
            <span className="block text-sm text-amber-800">
              {t('agencies.noAdministrator')}
              {administratorLostAt ? (
                <>
                  {' · '}
                  <Moment at={administratorLostAt} as="date" />
                </>
              ) : null}
            </span>
          ) : null}
        </>
      ),
    },
    {
      key: 'services',
      header: t('groups.services'),
      align: 'end',
      cell: ({ id, servicesCount }) =>
        servicesCount > 0 ? (
          <Link to={`/dashboard/services?${filter}=${id}`} className="link">
            {count(servicesCount)}
          </Link>
        ) : (
          count(0)
        ),
    },
    {
      key: 'edit',
      header: t('action'),
      isControl: true,
      // The administrator of an agency changes its discounts only.
      call: kind === 'agencies' ? saveAgencyDiscounts : save,
      cell: (group) => (
        <span className="flex flex-wrap gap-2">
          <Button
            call={save}
            variant="secondary"
            size="sm"
            aria-label={t('editName', { name: group.name[language] })}
            onPress={() => onEdit(group)}
          >
            {t('edit')}
          </Button>
          {group.discounts ? (
            <Button
              variant="quiet"
              size="sm"
              aria-label={t('discounts.of', { name: group.name[language] })}
              onPress={() => onDiscounts(group)}
            >
              {t('discounts.open', { number: count(group.discounts.length) })}
            </Button>
          ) : null}
        </span>
      ),
    },
  ];
}

/** All agencies or categories, retired ones too: add, edit, put in order, retire and restore. */
export function GroupList({ kind }: { kind: GroupKind }) {
  const { t } = useTranslation(['catalogue', 'dashboards']);
  const filters = useSearchFilters();
  const [open, setOpen] = useState<GroupRecord | 'new' | 'order'>();
  const query = useCall(groupCalls[kind].read, {});
  const [discounted, setDiscounted] = useState<GroupRecord>();
  const columns = useColumns(kind, setOpen, setDiscounted);
  // A group is found by its name in any language.
  const list = paginateLocally(query, filters, ({ name, description }) =>
    [...Object.values(name), ...Object.values(description ?? {})].join(' '),
  );
  const close = () => setOpen(undefined);
  return (
    <>
      <AdminList
        title={t(
          kind === 'agencies' ? 'dashboards:agencies.title' : 'dashboards:serviceCategories.title',
        )}
        lead={t(`${kind}.lead`)}
        placeholder={t(`${kind}.search`)}
        filters={filters}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        emptyTitle={t(`${kind}.empty`)}
        action={
          <OrderedListActions
            addLabel={t(`${kind}.add`)}
            calls={groupCalls[kind]}
            count={query.data?.length ?? 0}
            onOpen={setOpen}
          />
        }
      />
      {open === 'order' ? (
        <OrderDialog
          records={query.data ?? []}
          call={groupCalls[kind].order}
          reads={[groupCalls[kind].read, groupCalls[kind].changes]}
          onClose={close}
        />
      ) : open ? (
        <GroupDialog
          key={open === 'new' ? 'new' : open.id}
          kind={kind}
          group={open === 'new' ? undefined : open}
          onClose={close}
        />
      ) : null}
      {discounted ? (
        <AgencyDiscountsDialog agency={discounted} onClose={() => setDiscounted(undefined)} />
      ) : null}
    </>
  );
}
