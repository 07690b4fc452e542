import { useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { useRowSelection, type RowSelection } from '#ui/data/row-selection.ts';
import { selectColumn } from '#ui/data/select-box.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { MoneyField, type NumberFieldProps } from '#ui/forms/number-field.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { SelectField, type Choice } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { useAgencyChoices, useIsOfOneAgency } from '#ui/search/agency-choices.ts';
import { getAllAccountTypes } from '@diwan/contract/catalogue/account-types';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import { getManagedServices, type ServiceSummary } from '@diwan/contract/catalogue/services';
import { serviceStates } from '@diwan/contract/catalogue/transfer';
import { maximumCharge } from '@diwan/contract/wire/money';

/** The choice that asks for nothing, or changes nothing. */
export const unchanged = '-';

export const idOf = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined);

/** An amount in fils that one charge may add. */
export function AmountField({
  value,
  minimum = 0,
  maximum = maximumCharge,
  ...rest
}: NumberFieldProps & { minimum?: number; maximum?: number }) {
  const { t } = useTranslation('catalogue');
  const { money } = useFormat();
  const isClear = value !== undefined && !Number.isNaN(value);
  return (
    <MoneyField
      {...rest}
      value={value}
      error={
        isClear && (value < minimum || value > maximum)
          ? t('bulk.wrongAmount', { minimum: money(minimum), maximum: money(maximum) })
          : undefined
      }
    />
  );
}

const pageSize = 20;
const maximumChosen = 1000;

function useColumns(selection: RowSelection<ServiceSummary>): Column<ServiceSummary>[] {
  const { t } = useTranslation(['catalogue', 'dashboards']);
  const agency: Column<ServiceSummary> = {
    key: 'agency',
    header: t('dashboards:services.agency'),
    cell: ({ governmentAgency }) => <bdi>{governmentAgency.name}</bdi>,
  };
  const isOfOneAgency = useIsOfOneAgency();
  return [
    selectColumn(selection, ({ id }) => id, {
      page: t('bulk.selectPage'),
      row: ({ name }) => t('bulk.selectName', { name }),
      card: t('bulk.select'),
    }),
    {
      key: 'name',
      header: t('dashboards:services.name'),
      isPrimary: true,
      cell: ({ name }) => <bdi>{name}</bdi>,
    },
    ...(isOfOneAgency ? [] : [agency]),
  ];
}

type Rows = ReadonlyMap<number, ServiceSummary>;

/** The services of the filter, to be chosen by mouse and keyboard; Shift chooses a range. */
function ServiceRows({
  keyword,
  agencyId,
  chosen,
  onChoose,
}: {
  keyword: string;
  agencyId: number | undefined;
  chosen: Rows;
  onChoose: (rows: Rows) => void;
}) {
  const { t } = useTranslation(['catalogue', 'dashboards']);
  const { count } = useFormat();
  const [page, setPage] = useState(1);
  const list = useCall(getManagedServices, {
    query: {
      SearchKeyword: keyword || undefined,
      GovernmentAgencyId: agencyId,
      PageNumber: page,
      PageSize: pageSize,
    },
    keepPrevious: true,
  });
  const rows = list.data?.items ?? [];
  const selection = useRowSelection(rows, ({ id }) => id, [chosen, onChoose]);
  const columns = useColumns(selection);
  if (!list.data)
    return list.error ? (
      <ErrorState error={list.error} onRetry={list.refetch} isRetrying={list.isRefetching} />
    ) : (
      <SkeletonRows count={6} />
    );
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="text-sm text-ink-600">
          {t('bulk.chosen', { count: chosen.size, number: count(chosen.size) })}
        </p>
        {chosen.size > 0 ? (
          <Button variant="quiet" size="sm" onPress={selection.clear}>
            {t('bulk.clear')}
          </Button>
        ) : null}
      </div>
      <DataTable
        caption={t('dashboards:services.title')}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        isMarked={({ id }) => chosen.has(id)}
      />
      <Pager
        pageNumber={page}
        pageSize={pageSize}
        totalCount={list.data.totalCount}
        onSelect={setPage}
      />
    </div>
  );
}

/** The filters of the address, as the call takes them. */
function readFilter({ agency, category, type, state }: Record<string, string>) {
  return {
    agencyId: idOf(agency ?? ''),
    categoryId: idOf(category ?? ''),
    accountTypeId: idOf(type ?? ''),
    state: serviceStates.find((each) => each === state),
  };
}

/** Which services are changed: all with exact values, or those that are chosen in a list. */
export function useScope() {
  const filters = useSearchFilters('agency', 'category', 'type', 'state');
  const [kind, setKind] = useState('all');
  const [chosen, setChosen] = useState<Rows>(new Map());
  const [fees, setFees] = useState<{ from?: number | undefined; to?: number | undefined }>({});
  // The list follows when the field is left; the change follows what is typed.
  const [typed, setTyped] = useState(filters.keyword);
  const [applied, setApplied] = useState(filters.keyword);
  if (applied !== filters.keyword) {
    setApplied(filters.keyword);
    setTyped(filters.keyword);
  }
  const keyword = typed.trim();
  const isChoosing = kind === 'chosen';
  const isTooMany = isChoosing && chosen.size > maximumChosen;
  const { from, to } = fees;
  const feesAreWrong = [from, to].some(
    (fee) => fee !== undefined && !(fee >= 0 && fee <= maximumCharge),
  );
  return {
    filters,
    typed,
    setTyped,
    search: () => {
      if (keyword !== filters.keyword) filters.change({ keyword });
    },
    kind,
    setKind,
    chosen,
    setChosen,
    fees,
    setFees,
    isChoosing,
    isTooMany,
    isUsable: isChoosing ? chosen.size > 0 && !isTooMany : !feesAreWrong,
    body: isChoosing
      ? { serviceIds: [...chosen.keys()] }
      : {
          all: {
            ...readFilter(filters.values),
            name: keyword || undefined,
            feeFrom: from,
            feeTo: to,
          },
        },
  };
}

type Scope = ReturnType<typeof useScope>;

/** A filter of which one value, or any, is chosen. */
function FilterField({
  scope: { filters },
  name,
  label,
  choices,
}: {
  scope: Scope;
  name: 'agency' | 'category' | 'type' | 'state';
  label: string;
  choices: readonly Choice[];
}) {
  const { t } = useTranslation('catalogue');
  return (
    <SelectField
      label={label}
      value={filters.values[name] || unchanged}
      onChange={(value) => filters.change({ [name]: value === unchanged ? undefined : value })}
      choices={[{ value: unchanged, label: t('bulk.any') }, ...choices]}
    />
  );
}

/** The exact values of the services that are changed. */
function FilterFields({ scope }: { scope: Scope }) {
  const { t } = useTranslation(['catalogue', 'dashboards']);
  const { fees, setFees } = scope;
  const categories = useCall(getAllServiceCategory, {});
  const types = useCall(getAllAccountTypes, {});
  return (
    <>
      <FilterField
        scope={scope}
        name="category"
        label={t('fields.category')}
        choices={(categories.data ?? []).map(({ id, name }) => ({
          value: String(id),
          label: name,
        }))}
      />
      <FilterField
        scope={scope}
        name="type"
        label={t('bulk.accountType')}
        choices={(types.data ?? []).map(({ accountTypeId, accountTypeName }) => ({
          value: String(accountTypeId),
          label: accountTypeName,
        }))}
      />
      <FilterField
        scope={scope}
        name="state"
        label={t('bulk.state')}
        choices={serviceStates.map((value) => ({ value, label: t(`bulk.states.${value}`) }))}
      />
      <AmountField
        name="feeFrom"
        isOptional
        label={t('bulk.feeFrom')}
        value={fees.from}
        onChange={(from) => setFees({ ...fees, from })}
      />
      <AmountField
        name="feeTo"
        isOptional
        label={t('bulk.feeTo')}
        value={fees.to}
        onChange={(to) => setFees({ ...fees, to })}
      />
    </>
  );
}

export function ScopeFields({ scope }: { scope: Scope }) {
  const { t } = useTranslation(['catalogue', 'dashboards']);
  const { filters, kind, setKind, chosen, setChosen, isChoosing } = scope;
  const agencies = useAgencyChoices(getManagedAgencies);
  const agencyId = idOf(filters.values.agency);
  return (
    <>
      <RadioGroup
        label={t('bulk.scope')}
        value={kind}
        onChange={setKind}
        choices={[
          { value: 'all', label: t('bulk.filtered'), hint: t('bulk.filteredHint') },
          {
            value: 'chosen',
            label: t('bulk.onlyChosen'),
            hint: t('bulk.onlyChosenHint', { maximum: maximumChosen }),
          },
        ]}
      />
      <TextField
        name="keyword"
        isOptional
        label={t(isChoosing ? 'dashboards:list.search' : 'bulk.nameContains')}
        placeholder={t('dashboards:services.search')}
        dir="auto"
        maxLength={200}
        value={scope.typed}
        onChange={scope.setTyped}
        onBlur={scope.search}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        {agencies.length > 0 ? (
          <FilterField
            scope={scope}
            name="agency"
            label={t('dashboards:services.agency')}
            choices={agencies}
          />
        ) : null}
        {isChoosing ? null : <FilterFields scope={scope} />}
      </div>
      {isChoosing ? (
        <ServiceRows
          key={`${agencyId} ${filters.keyword}`}
          keyword={filters.keyword}
          agencyId={agencyId}
          chosen={chosen}
          onChoose={setChosen}
        />
      ) : null}
      {scope.isTooMany ? (
        <Alert tone="danger" isLive>
          {t('bulk.tooMany', { maximum: maximumChosen })}
        </Alert>
      ) : null}
    </>
  );
}
