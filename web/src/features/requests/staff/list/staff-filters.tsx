import { Search, SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import type { ListFilters } from '#features/requests/data/list-filters.ts';
import type { Status } from '#features/requests/data/requests.data.ts';
import { useMayCall } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { SelectField, type Choice } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { useAgencyChoices } from '#ui/search/agency-choices.ts';
import { DayPeriod } from '#ui/search/day-period.tsx';
import { getProfile } from '@diwan/contract/people/users';
import { getColleagues } from '@diwan/contract/processing/assignments';
import {
  dueFilters,
  getVisibleAgencies,
  getVisibleServices,
  sortColumns,
} from '@diwan/contract/requests/request-lists';
import { filterPeriods, listOrders, refundFilters } from '@diwan/contract/requests/saved-filters';
import { isRealDay } from '@diwan/contract/wire/days';

interface StaffFiltersProps {
  filters: ListFilters;
  onChange: (changed: Partial<ListFilters>) => void;
  /** The choices of the status filter; undefined for a list with fixed statuses. */
  statuses: readonly Status[] | undefined;
  /** Whether the list can be limited to the requests of a holder. */
  hasHolder: boolean;
  /** Whether the list can be limited to requests with a refund. */
  hasRefundFilter: boolean;
}

/** The value of a choice that filters nothing. */
const any = 'any';

interface FilterSelectProps {
  label: string;
  /** The text of the choice that filters nothing. */
  anyText: string;
  value: string | undefined;
  choices: readonly Choice[];
  onChange: (value: string | undefined) => void;
}

function FilterSelect({ label, anyText, value = any, choices, onChange }: FilterSelectProps) {
  return (
    <div className={filterWidth}>
      <SelectField
        label={label}
        isLabelHidden
        value={value}
        onChange={(chosen) => onChange(chosen === any ? undefined : chosen)}
        choices={[{ value: any, label: anyText }, ...choices]}
      />
    </div>
  );
}

const filterWidth = 'min-w-0 max-md:col-span-2 md:max-xl:w-[calc(25%-6px)] xl:flex-1';

/** Choices apply immediately, the keyword on Enter. On a phone a button opens the choices. */
export function StaffFilters({
  filters,
  onChange,
  statuses,
  hasHolder,
  hasRefundFilter,
}: StaffFiltersProps) {
  const { t } = useTranslation('requests');
  const [keyword, setKeyword] = useState(filters.keyword);
  const [isOpen, setIsOpen] = useState(false);
  const rest = useId();
  const apply = (changed: Partial<ListFilters> = {}) =>
    onChange({ keyword: keyword.trim(), ...changed });
  const shared = { filters, onChange: apply };
  return (
    <form
      role="search"
      data-toolbar
      data-no-print
      aria-label={t('listing.search')}
      className="flex flex-col gap-2 pb-2 xl:flex-row xl:items-start"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <div className="flex min-w-0 items-end gap-2 xl:w-60 xl:shrink-0 2xl:w-80">
        <div className="min-w-0 grow">
          <TextField
            name="listKeyword"
            label={t('listing.search')}
            isLabelHidden
            isOptional
            placeholder={t('listing.searchStaff')}
            value={keyword}
            onChange={setKeyword}
            maxLength={200}
            dir={keyword === '' ? undefined : 'auto'}
          />
        </div>
        <div className="md:-ms-1 md:-me-2">
          <IconButton type="submit" label={t('listing.find')}>
            <Search aria-hidden size={20} />
          </IconButton>
        </div>
        <div className="md:hidden">
          <Button
            variant="quiet"
            aria-label={t('listing.filters')}
            aria-expanded={isOpen}
            aria-controls={rest}
            onPress={() => setIsOpen(!isOpen)}
          >
            <SlidersHorizontal aria-hidden size={20} />
          </Button>
        </div>
      </div>
      <div
        id={rest}
        className={classNames(
          'grid min-w-0 grid-cols-2 gap-2 md:flex md:flex-wrap md:items-start xl:grow',
          !isOpen && 'max-md:hidden',
        )}
      >
        {statuses ? <StatusFilter {...shared} statuses={statuses} /> : null}
        <DueFilter {...shared} />
        {hasHolder ? <HolderFilter {...shared} /> : null}
        <AgencyFilter {...shared} />
        <TeamFilter {...shared} />
        <ServiceFilter
          key={filters.serviceId}
          serviceId={filters.serviceId}
          onChange={(serviceId) => apply({ serviceId })}
        />
        <PeriodFilter {...shared} />
        {hasRefundFilter ? <RefundFilter {...shared} /> : null}
        <OrderField {...shared} />
      </div>
    </form>
  );
}

type FilterProps = Pick<StaffFiltersProps, 'filters' | 'onChange'>;

interface StatusFilterProps extends FilterProps {
  statuses: readonly Status[];
}

function StatusFilter({ filters: { statusId }, onChange, statuses }: StatusFilterProps) {
  const { t } = useTranslation('requests');
  return (
    <FilterSelect
      label={t('fields.status')}
      anyText={t('listing.anyStatus')}
      value={statusId === undefined ? undefined : String(statusId)}
      onChange={(id) => onChange({ statusId: id === undefined ? undefined : Number(id) })}
      choices={statuses.map((status) => ({
        value: String(status.statusId),
        label: status.statusName,
      }))}
    />
  );
}

function DueFilter({ filters, onChange }: FilterProps) {
  const { t } = useTranslation('staff');
  return (
    <FilterSelect
      label={t('due.title')}
      anyText={t('filters.anyDue')}
      value={filters.due}
      onChange={(value) => onChange({ due: dueFilters.find((due) => due === value) })}
      choices={dueFilters.map((due) => ({ value: due, label: t(`filters.due.${due}`) }))}
    />
  );
}

/** Who works on the request: the user, nobody, or a colleague. */
function HolderFilter({ filters, onChange }: FilterProps) {
  const { t } = useTranslation('staff');
  const colleagues = useCall(getColleagues, {
    query: {},
    enabled: useMayCall(getColleagues),
    staleTime: 60_000,
  });
  return (
    <FilterSelect
      label={t('list.holder')}
      anyText={t('filters.anyHolder')}
      value={filters.isMine ? 'mine' : filters.holderId}
      onChange={(value) =>
        onChange({ isMine: value === 'mine', holderId: value === 'mine' ? undefined : value })
      }
      choices={[
        { value: 'mine', label: t('list.mine') },
        { value: 'nobody', label: t('filters.nobody') },
        ...(colleagues.data ?? []).map(({ userId, name }) => ({ value: userId, label: name })),
      ]}
    />
  );
}

function AgencyFilter({ filters: { agencyId }, onChange }: FilterProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const choices = useAgencyChoices(getVisibleAgencies);
  if (choices.length === 0) return null;
  return (
    <FilterSelect
      label={t('fields.agency')}
      anyText={t('staff:filters.anyAgency')}
      value={agencyId === undefined ? undefined : String(agencyId)}
      onChange={(id) => onChange({ agencyId: id === undefined ? undefined : Number(id) })}
      choices={choices}
    />
  );
}

/** The work of a team of the user; nothing for others, and for those who see nothing else. */
function TeamFilter({ filters: { teamId }, onChange }: FilterProps) {
  const { t } = useTranslation('staff');
  const { data: profile } = useCall(getProfile, { staleTime: 60_000 });
  const { teams = [], agencies = [], limitedAgencyIds = [] } = profile ?? {};
  // To choose the only team of somebody who sees nothing else would change nothing.
  const seesMore = teams.length > 1 || agencies.some(({ id }) => !limitedAgencyIds.includes(id));
  if (teams.length === 0 || !seesMore) return null;
  return (
    <FilterSelect
      label={t('filters.team')}
      anyText={t('filters.anyTeam')}
      value={teamId === undefined ? undefined : String(teamId)}
      onChange={(id) => onChange({ teamId: id === undefined ? undefined : Number(id) })}
      choices={teams.map(({ id, name }) => ({ value: String(id), label: name }))}
    />
  );
}

function RefundFilter({ filters, onChange }: FilterProps) {
  const { t } = useTranslation('requests');
  return (
    <FilterSelect
      label={t('refunds.filter')}
      anyText={t('refunds.any')}
      value={filters.refund}
      onChange={(value) => onChange({ refund: refundFilters.find((refund) => refund === value) })}
      choices={refundFilters.map((refund) => ({ value: refund, label: t(`refunds.${refund}`) }))}
    />
  );
}

/** The order of the cards. The heads of the table sort it, and cards have none. */
function OrderField({ filters: { sort }, onChange }: FilterProps) {
  const { t } = useTranslation(['requests', 'staff']);
  return (
    <div className="max-md:col-span-2 md:w-[calc(25%-6px)] lg:hidden">
      <SelectField
        label={t('listing.order')}
        isLabelHidden
        value={sort === 'dueLast' ? sort : sort.replace(/Last$/, '')}
        onChange={(value) =>
          onChange({ sort: listOrders.find((order) => order === value) ?? 'due' })
        }
        choices={[
          { value: 'due', label: t('staff:filters.dueFirst') },
          { value: 'dueLast', label: t('staff:filters.dueLast') },
          { value: 'desc', label: t('listing.newestFirst') },
          { value: 'asc', label: t('listing.oldestFirst') },
          ...sortColumns
            .filter((column) => column !== 'holder')
            .map((column) => ({
              value: column,
              label: t('staff:filters.sortedBy', { column: t(`fields.${column}`) }),
            })),
        ]}
      />
    </div>
  );
}

interface ServiceFilterProps {
  serviceId: number | undefined;
  onChange: (serviceId: number | undefined) => void;
}

/** A service, found by typing: a portal may have thousands. */
function ServiceFilter({ serviceId, onChange }: ServiceFilterProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const [text, setText] = useState('');
  const [isUsed, setIsUsed] = useState(false);
  const chosen = useCall(getVisibleServices, {
    query: { ServiceId: serviceId ?? 1 },
    enabled: serviceId !== undefined,
    skipErrorHandling: true,
    staleTime: 3_600_000,
  });
  const name = serviceId === undefined ? '' : (chosen.data?.[0]?.name ?? '');
  const isTyped = text.trim() !== '' && text !== name;
  const found = useCall(getVisibleServices, {
    query: isTyped ? { SearchKeyword: text.trim().slice(0, 100) } : {},
    enabled: isUsed,
    keepPrevious: true,
    staleTime: 60_000,
  });
  const own =
    serviceId === undefined || name === '' ? [] : [{ value: String(serviceId), label: name }];
  return (
    <div className={filterWidth} onFocus={() => setIsUsed(true)}>
      <ComboField
        // The box takes the name of the chosen service when it is known.
        key={name}
        label={t('fields.service')}
        isLabelHidden
        placeholder={t('staff:filters.anyService')}
        value={serviceId === undefined ? '' : String(serviceId)}
        onChange={(value) => onChange(value === '' ? undefined : Number(value))}
        onSearch={setText}
        choices={[
          ...own,
          ...(found.data ?? [])
            .filter(({ id }) => id !== serviceId)
            .map((service) => ({ value: String(service.id), label: service.name })),
        ]}
      />
    </div>
  );
}

const anyTime = 'any';
const customDates = 'own';

/** The period in which a request was submitted: a predefined one, or custom dates. */
function PeriodFilter({ filters, onChange }: FilterProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const { from, to, period } = filters;
  const hasDays = from !== '' || to !== '';
  const [isCustom, setIsCustom] = useState(false);
  const choose = (value: string) => {
    setIsCustom(value === customDates);
    if (value !== customDates || period)
      onChange({ period: filterPeriods.find((each) => each === value), from: '', to: '' });
  };
  return (
    <>
      <div className={filterWidth}>
        <SelectField
          label={t('listing.period')}
          isLabelHidden
          value={period ?? (hasDays || isCustom ? customDates : anyTime)}
          onChange={choose}
          choices={[
            { value: anyTime, label: t('staff:filters.anyTime') },
            ...[...filterPeriods, customDates].map((value) => ({
              value,
              label: t(`listing.periods.${value}`),
            })),
          ]}
        />
      </div>
      {!period && (hasDays || isCustom) ? (
        <CustomDates from={from} to={to} onChange={onChange} />
      ) : null}
    </>
  );
}

/** Two dates, none of them after today. */
function CustomDates({
  from,
  to,
  onChange,
}: {
  from: string;
  to: string;
  onChange: FilterProps['onChange'];
}) {
  const { t } = useTranslation('requests');
  return (
    <DayPeriod
      from={from}
      until={to}
      names={['from', 'to']}
      labels={{ from: t('listing.from'), until: t('listing.to') }}
      limits={(typed) => ({
        from: { max: isRealDay(typed.until) ? typed.until : serverToday() },
        until: { min: isRealDay(typed.from) ? typed.from : undefined },
      })}
      className="md:w-[9.5rem]"
      onChange={(days) => onChange({ from: days.from, to: days.until })}
    />
  );
}
