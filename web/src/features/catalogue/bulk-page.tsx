import { useState } from 'react';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { useRowSelection, type RowSelection } from '#ui/data/row-selection.ts';
import { selectColumn } from '#ui/data/select-box.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { governmentAgencyCollection } from '@diwan/contract/catalogue/agencies';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import { getServices, type ServiceSummary } from '@diwan/contract/catalogue/services';
import { prepareBulkChange, type CatalogueJob } from '@diwan/contract/catalogue/transfer';
import { getAllPartners } from '@diwan/contract/people/partners';
import { toLatinDigits } from '@diwan/contract/wire/typed-number';
import { JobView } from './jobs/job-view.tsx';

const unchanged = '-';
const nobody = 'nobody';
const wholeNumber = /^\d{1,3}$/;
const percentage = /^[+-]?\d{1,4}(\.\d{1,2})?$/;
const idOf = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined);

/** The values of the form, as they are sent; undefined for one that cannot be sent. */
function readValues(
  typed: readonly [days: string, percent: string],
  category: string,
  partner: string,
) {
  const [days, percent] = typed.map((text) => toLatinDigits(text).trim()) as [string, string];
  const workingDays = days === '' ? undefined : Number(days);
  const feePercent = percent === '' ? undefined : Number(percent);
  return {
    workingDays,
    feePercent,
    categoryId: idOf(category),
    partnerId: partner === nobody ? null : idOf(partner),
    daysAreWrong: workingDays !== undefined && (!wholeNumber.test(days) || workingDays > 365),
    percentIsWrong:
      feePercent !== undefined &&
      (!percentage.test(percent) || feePercent < -100 || feePercent > 1000),
  };
}

/** The service provider that the services get; found by name, since there may be thousands. */
function PartnerField({ value, onChange }: { value: string; onChange: (partner: string) => void }) {
  const { t } = useTranslation('catalogue');
  const [typed, setTyped] = useState('');
  const partners = useCall(getAllPartners, {
    query: { SearchKeyword: typed || undefined, State: 'active', Take: 100 },
    keepPrevious: true,
  });
  return (
    <ComboField
      name="partnerId"
      label={t('bulk.partner')}
      description={t('bulk.partnerHint')}
      placeholder={t('bulk.findPartner')}
      value={value}
      onChange={onChange}
      onSearch={setTyped}
      choices={[
        { value: unchanged, label: t('bulk.unchanged') },
        { value: nobody, label: t('bulk.noPartner') },
        ...(partners.data?.items ?? []).map(({ id, name }) => ({
          value: String(id),
          label: name,
        })),
      ]}
    />
  );
}

const pageSize = 20;
const maximumChosen = 1000;

function useColumns(selection: RowSelection<ServiceSummary>): Column<ServiceSummary>[] {
  const { t } = useTranslation(['catalogue', 'dashboards']);
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
    {
      key: 'agency',
      header: t('dashboards:services.agency'),
      cell: ({ governmentAgency }) => <bdi>{governmentAgency.name}</bdi>,
    },
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
  const list = useCall(getServices, {
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

/** Which services are changed: all that a search finds, or those that are chosen in its list. */
function useScope() {
  const filters = useSearchFilters('agency');
  const agencyId = idOf(filters.values.agency);
  const [kind, setKind] = useState('all');
  const [chosen, setChosen] = useState<Rows>(new Map());
  // The list and the count follow when the field is left; the change follows what is typed.
  const [typed, setTyped] = useState(filters.keyword);
  const [applied, setApplied] = useState(filters.keyword);
  if (applied !== filters.keyword) {
    setApplied(filters.keyword);
    setTyped(filters.keyword);
  }
  const keyword = typed.trim();
  const found = useCall(getServices, {
    query: {
      SearchKeyword: filters.keyword || undefined,
      GovernmentAgencyId: agencyId,
      PageSize: 1,
    },
  });
  const isChoosing = kind === 'chosen';
  const isTooMany = isChoosing && chosen.size > maximumChosen;
  const services = isChoosing ? chosen.size : (found.data?.totalCount ?? 0);
  return {
    filters,
    typed,
    setTyped,
    search: () => {
      if (keyword !== filters.keyword) filters.change({ keyword });
    },
    agencyId,
    kind,
    setKind,
    chosen,
    setChosen,
    foundCount: found.data?.totalCount,
    isChoosing,
    isTooMany,
    isUsable: services > 0 && !isTooMany,
    body: isChoosing
      ? { serviceIds: [...chosen.keys()] }
      : { all: { searchKeyword: keyword || undefined, agencyId } },
  };
}

function ScopeFields({
  scope: { filters, agencyId, kind, setKind, chosen, setChosen, foundCount, ...scope },
}: {
  scope: ReturnType<typeof useScope>;
}) {
  const { t } = useTranslation(['catalogue', 'dashboards']);
  const agencies = useCall(governmentAgencyCollection, {});
  return (
    <>
      <SelectField
        label={t('dashboards:services.agency')}
        value={agencyId === undefined ? unchanged : String(agencyId)}
        onChange={(value) => filters.change({ agency: value === unchanged ? undefined : value })}
        choices={[
          { value: unchanged, label: t('dashboards:services.anyAgency') },
          ...(agencies.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <TextField
        name="keyword"
        isOptional
        label={t('dashboards:list.search')}
        placeholder={t('dashboards:services.search')}
        dir="auto"
        maxLength={200}
        value={scope.typed}
        onChange={scope.setTyped}
        onBlur={scope.search}
      />
      <RadioGroup
        label={t('bulk.scope')}
        value={kind}
        onChange={setKind}
        choices={[
          {
            value: 'all',
            label:
              foundCount === undefined
                ? t('bulk.counting')
                : t('bulk.found', { count: foundCount }),
          },
          {
            value: 'chosen',
            label: t('bulk.onlyChosen'),
            hint: t('bulk.onlyChosenHint', { maximum: maximumChosen }),
          },
        ]}
      />
      {scope.isChoosing ? (
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

function BulkForm({ onPrepared }: { onPrepared: (job: CatalogueJob) => void }) {
  const { t } = useTranslation('catalogue');
  const scope = useScope();
  const [days, setDays] = useState('');
  const [percent, setPercent] = useState('');
  const [category, setCategory] = useState(unchanged);
  const [partner, setPartner] = useState(unchanged);
  const categories = useCall(getAllServiceCategory, {});
  const prepare = useAction(prepareBulkChange, { skipErrorHandling: true, onSuccess: onPrepared });
  const values = readValues([days, percent], category, partner);
  const isEmpty =
    values.workingDays === undefined &&
    values.feePercent === undefined &&
    values.categoryId === undefined &&
    values.partnerId === undefined;
  const isWrong = values.daysAreWrong || values.percentIsWrong;
  const isReady = !isEmpty && !isWrong && scope.isUsable;
  return (
    <form
      noValidate
      className="flex max-w-4xl flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        const { workingDays, feePercent, categoryId, partnerId } = values;
        prepare.mutate({
          body: {
            ...scope.body,
            workingDays,
            feePercent,
            categoryId,
            partnerId,
          },
        });
      }}
    >
      <ScopeFields scope={scope} />
      <TextField
        name="workingDays"
        label={t('fields.workingDays')}
        description={t('bulk.stays')}
        inputMode="numeric"
        dir="ltr"
        width="short"
        value={days}
        onChange={setDays}
        error={values.daysAreWrong ? t('bulk.wrongDays') : undefined}
      />
      <TextField
        name="feePercent"
        label={t('bulk.fees')}
        description={t('bulk.feesHint')}
        inputMode="decimal"
        dir="ltr"
        width="short"
        value={percent}
        onChange={setPercent}
        error={values.percentIsWrong ? t('bulk.wrongPercent') : undefined}
      />
      <SelectField
        label={t('fields.category')}
        value={category}
        onChange={setCategory}
        choices={[
          { value: unchanged, label: t('bulk.unchanged') },
          ...(categories.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <PartnerField value={partner} onChange={setPartner} />
      <ErrorAlert error={prepare.error} title={t('failed')} />
      <div>
        <Button type="submit" isPending={prepare.isPending} isDisabled={!isReady}>
          {t('bulk.preview')}
        </Button>
      </div>
    </form>
  );
}

/** Changes working days, fees, category and provider of the services of a search, or of chosen ones. */
export function BulkPage() {
  const { t } = useTranslation(['catalogue', 'dashboards']);
  const [job, setJob] = useState<CatalogueJob>();
  usePageTitle(t('bulk.title'));
  return (
    <div className="page pb-16">
      <AdminPageHeader
        title={t('bulk.title')}
        lead={t('bulk.lead')}
        parent={{ label: t('dashboards:services.title'), to: '/dashboard/services' }}
      />
      {job ? (
        <JobView key={job.jobId} prepared={job} onEnd={() => setJob(undefined)} />
      ) : (
        <BulkForm onPrepared={setJob} />
      )}
    </div>
  );
}
