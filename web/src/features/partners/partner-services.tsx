import { useMemo, useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { containsText } from '#lib/i18n/normalize.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { selectRows, useRowSelection, type RowSelection } from '#ui/data/row-selection.ts';
import { selectColumn } from '#ui/data/select-box.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { savePartnerServices } from '@diwan/contract/catalogue/partner-services';
import { getAllServicesForUpdatingPartner } from '@diwan/contract/catalogue/services';
import type { PartnerRecord } from '@diwan/contract/people/partner-registration';
import { HandoverDialog, type Handover, type ServiceRow } from './handover-dialog.tsx';

type Shown = 'every' | 'own' | 'others' | 'nobody';

const pageSize = 20;
const isShown: Record<Shown, (service: ServiceRow) => boolean> = {
  every: () => true,
  own: ({ isOfPartner }) => isOfPartner,
  others: ({ partnerId, isOfPartner }) => partnerId !== null && !isOfPartner,
  nobody: ({ partnerId }) => partnerId === null,
};

function useColumns(selection: RowSelection<ServiceRow>): Column<ServiceRow>[] {
  const { t } = useTranslation('partners');
  return [
    {
      ...selectColumn(selection, ({ id }) => id, {
        page: t('assign.selectPage'),
        row: ({ name }) => t('assign.selectName', { name }),
        card: t('assign.select'),
      }),
      call: savePartnerServices,
    },
    {
      key: 'name',
      header: t('assign.service'),
      isPrimary: true,
      cell: (service) => <bdi>{service.name}</bdi>,
    },
    {
      key: 'agency',
      header: t('assign.agency'),
      cell: (service) => <bdi>{service.governmentAgency.name}</bdi>,
    },
    {
      key: 'provider',
      header: t('assign.provider'),
      cell: (service) =>
        service.isOfPartner ? (
          <StatusTag tone="done">{t('assign.thisOne')}</StatusTag>
        ) : service.partnerName ? (
          <bdi>{service.partnerName}</bdi>
        ) : (
          <span className="text-ink-500">{t('assign.noProvider')}</span>
        ),
    },
  ];
}

interface ServiceFilter {
  text: string;
  shown: Shown;
}

/** The services that fit a filter, a page of them, and which are selected on all pages. */
function useFoundServices(services: readonly ServiceRow[] | undefined) {
  const [filter, setFilter] = useState<ServiceFilter>({ text: '', shown: 'every' });
  const [page, setPage] = useState(1);
  const { text, shown } = filter;
  const found = useMemo(
    () =>
      (services ?? []).filter(
        (service) =>
          isShown[shown](service) &&
          containsText(`${service.name} ${service.governmentAgency.name}`, text),
      ),
    [services, shown, text],
  );
  const rows = found.slice((page - 1) * pageSize, page * pageSize);
  const [selection, setSelection] = useState<ReadonlyMap<number, ServiceRow>>(new Map());
  return {
    filter,
    setFilter: (changed: Partial<ServiceFilter>) => {
      setFilter({ ...filter, ...changed });
      setPage(1);
    },
    found,
    rows,
    page,
    setPage,
    selection,
    onPage: useRowSelection<ServiceRow>(rows, ({ id }) => id, [selection, setSelection]),
    selectFound: () => setSelection(selectRows(selection, found, ({ id }) => id, true)),
    clear: () => setSelection(new Map()),
  };
}

function ServiceFilters({
  filter: { text, shown },
  onChange,
}: {
  filter: ServiceFilter;
  onChange: (changed: Partial<ServiceFilter>) => void;
}) {
  const { t } = useTranslation('partners');
  return (
    <div role="search" className="flex flex-col gap-4 md:flex-row md:items-end">
      <div className="md:grow">
        <TextField
          label={t('assign.search')}
          isOptional
          value={text}
          onChange={(value) => onChange({ text: value })}
          maxLength={200}
          dir="auto"
        />
      </div>
      <div className="md:w-72">
        <SelectField
          label={t('assign.show')}
          value={shown}
          onChange={(value) => onChange({ shown: value as Shown })}
          choices={(Object.keys(isShown) as Shown[]).map((value) => ({
            value,
            label: t(`assign.${value}`),
          }))}
        />
      </div>
    </div>
  );
}

/** How many services are found and selected, with buttons that select all or none. */
function SelectionLine({
  list: { found, rows, selectFound, clear },
  selectedCount,
}: {
  list: Pick<ReturnType<typeof useFoundServices>, 'found' | 'rows' | 'selectFound' | 'clear'>;
  selectedCount: number;
}) {
  const { t } = useTranslation(['partners', 'dashboards']);
  const { count } = useFormat();
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p role="status" className="text-sm text-ink-600">
        <span>{t('dashboards:list.count', { count: found.length })}</span>
        <span>
          {selectedCount > 0 ? ` · ${t('assign.selected', { number: count(selectedCount) })}` : ''}
        </span>
      </p>
      {found.length > rows.length ? (
        <Button call={savePartnerServices} variant="quiet" size="sm" onPress={selectFound}>
          {t('assign.selectFound', { number: count(found.length) })}
        </Button>
      ) : null}
      {selectedCount > 0 ? (
        <Button variant="quiet" size="sm" onPress={clear}>
          {t('assign.clear')}
        </Button>
      ) : null}
    </div>
  );
}

/** Assigns the selected services of others to the provider, and takes back its own. */
function AssignButtons({
  selected,
  isActive,
  onPress,
}: {
  selected: readonly ServiceRow[];
  isActive: boolean;
  onPress: (handover: Handover) => void;
}) {
  const { t } = useTranslation('partners');
  const { count } = useFormat();
  const own = selected.filter(({ isOfPartner }) => isOfPartner);
  const others = selected.filter(({ isOfPartner }) => !isOfPartner);
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        call={savePartnerServices}
        size="sm"
        isDisabled={others.length === 0 || !isActive}
        onPress={() => onPress({ services: others, isAssigned: true })}
      >
        {t('assign.assign', { number: count(others.length) })}
      </Button>
      <Button
        call={savePartnerServices}
        size="sm"
        variant="secondary"
        isDisabled={own.length === 0}
        onPress={() => onPress({ services: own, isAssigned: false })}
      >
        {t('assign.takeBack', { number: count(own.length) })}
      </Button>
      {isActive ? null : <p className="text-sm text-ink-600">{t('assign.notActive')}</p>}
    </div>
  );
}

/** The services of the catalogue; an admin assigns them to a partner and takes them back. */
export function PartnerServices({ record }: { record: PartnerRecord }) {
  const { t } = useTranslation('partners');
  const { data, error, refetch, isRefetching } = useCall(getAllServicesForUpdatingPartner, {
    query: { PartnerId: record.partnerId },
    staleTime: 0,
  });
  const list = useFoundServices(data);
  const { found, rows, selection } = list;
  const [handover, setHandover] = useState<Handover>();
  const columns = useColumns(list.onPage);
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={refetch} isRetrying={isRefetching} />
    ) : (
      <SkeletonRows count={6} />
    );
  // As they are now: another admin may have changed them since they were selected.
  const selected = data.filter(({ id }) => selection.has(id));
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-600">{t('assign.lead')}</p>
      <ServiceFilters filter={list.filter} onChange={list.setFilter} />
      <SelectionLine list={list} selectedCount={selected.length} />
      {selected.length > 0 ? (
        <AssignButtons
          selected={selected}
          isActive={record.state === 'active'}
          onPress={setHandover}
        />
      ) : null}
      {rows.length > 0 ? (
        <DataTable
          caption={t('assign.services')}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          isMarked={({ id }) => selection.has(id)}
        />
      ) : (
        <p className="py-6 text-ink-600">{t('assign.nothing')}</p>
      )}
      <Pager
        pageNumber={list.page}
        pageSize={pageSize}
        totalCount={found.length}
        onSelect={list.setPage}
      />
      {handover ? (
        <HandoverDialog
          {...handover}
          record={record}
          onClose={() => setHandover(undefined)}
          onDone={() => {
            setHandover(undefined);
            list.clear();
          }}
        />
      ) : null}
    </div>
  );
}
