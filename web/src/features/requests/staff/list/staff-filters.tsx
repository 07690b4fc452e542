import { Check, Search, SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import { refundFilters, filterPeriods } from '@diwan/contract/requests/saved-filters';
import { isRealDay, todayInDubai } from '@diwan/contract/wire/days';
import { classNames } from '../../../../lib/browser/class-names.ts';
import { useTranslation } from '../../../../lib/i18n/translate.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { SelectField } from '../../../../ui/forms/select-field.tsx';
import { TextField } from '../../../../ui/forms/text-field.tsx';
import { DayField } from '../../../../ui/forms/day-field.tsx';
import type { ListFilters } from '../../data/list-filters.ts';
import type { Status } from '../../data/requests.data.ts';
import { ShortcutHint } from '../shortcuts/shortcut-hint.tsx';

interface StaffFiltersProps {
  filters: ListFilters;
  onChange: (changed: Partial<ListFilters>) => void;
  /** The choices of the status filter; undefined for a list with fixed statuses. */
  statuses: readonly Status[] | undefined;
  /** Whether the list can be limited to the requests that the user has received. */
  hasHolder: boolean;
  /** Whether the list can be limited to requests with a refund. */
  hasRefundFilter: boolean;
}

/** Choices apply immediately, the keyword on Enter. On a phone a button opens the choices. */
export function StaffFilters({
  filters,
  onChange,
  statuses,
  hasHolder,
  hasRefundFilter,
}: StaffFiltersProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const [keyword, setKeyword] = useState(filters.keyword);
  const [isOpen, setIsOpen] = useState(false);
  const rest = useId();
  const apply = (changed: Partial<ListFilters> = {}) =>
    onChange({ keyword: keyword.trim(), ...changed });
  const anyStatus = '0';
  const anyRefund = 'any';
  return (
    <form
      role="search"
      aria-label={t('listing.search')}
      className="flex flex-col gap-4 pb-2 xl:flex-row xl:flex-wrap xl:items-end"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <div className="flex min-w-0 items-end gap-2 xl:grow xl:basis-96">
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
        <Button
          type="submit"
          variant="secondary"
          isIconOnPhone
          icon={<Search aria-hidden size={20} />}
        >
          {t('listing.find')}
        </Button>
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
          'grid grid-cols-2 gap-3 md:flex md:flex-wrap md:items-end xl:max-w-full',
          !isOpen && 'max-md:hidden',
        )}
      >
        <PeriodFilter filters={filters} onChange={apply} />
        {statuses ? (
          <div className="max-md:col-span-2 md:w-[11rem]">
            <SelectField
              label={t('fields.status')}
              value={String(filters.statusId ?? anyStatus)}
              onChange={(value) =>
                apply({ statusId: value === anyStatus ? undefined : Number(value) })
              }
              choices={[
                { value: anyStatus, label: t('listing.anyStatus') },
                ...statuses.map(({ statusId, statusName }) => ({
                  value: String(statusId),
                  label: statusName,
                })),
              ]}
            />
          </div>
        ) : null}
        <div className="max-md:col-span-2 md:w-[9.5rem]">
          <SelectField
            label={t('listing.order')}
            value={filters.sort}
            onChange={(value) => apply({ sort: value === 'asc' ? 'asc' : 'desc' })}
            choices={[
              { value: 'desc', label: t('listing.newestFirst') },
              { value: 'asc', label: t('listing.oldestFirst') },
            ]}
          />
        </div>
        {hasRefundFilter ? (
          <div className="max-md:col-span-2 md:w-[9.5rem]">
            <SelectField
              label={t('refunds.filter')}
              value={filters.refund ?? anyRefund}
              onChange={(value) =>
                apply({ refund: refundFilters.find((refund) => refund === value) })
              }
              choices={[
                { value: anyRefund, label: t('refunds.any') },
                ...refundFilters.map((refund) => ({
                  value: refund,
                  label: t(`refunds.${refund}`),
                })),
              ]}
            />
          </div>
        ) : null}
        {hasHolder ? (
          <div className="max-md:col-span-2">
            <Button
              variant="secondary"
              isFullWidth
              aria-pressed={filters.isMine}
              aria-keyshortcuts="m"
              icon={filters.isMine ? <Check aria-hidden size={18} /> : undefined}
              onPress={() => apply({ isMine: !filters.isMine })}
            >
              {t('staff:list.mine')}
              <ShortcutHint of="m" />
            </Button>
          </div>
        ) : null}
      </div>
    </form>
  );
}

interface PeriodFilterProps {
  filters: ListFilters;
  onChange: (changed: Partial<ListFilters>) => void;
}

const anyTime = 'any';
const customDates = 'own';
const isDayOrNone = (text: string) => text === '' || isRealDay(text);

/** The period in which a request was submitted: a predefined one, or custom dates. */
function PeriodFilter({ filters, onChange }: PeriodFilterProps) {
  const { t } = useTranslation('requests');
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
      <div className="max-md:col-span-2 md:w-[10rem]">
        <SelectField
          label={t('listing.period')}
          value={period ?? (hasDays || isCustom ? customDates : anyTime)}
          onChange={choose}
          choices={[anyTime, ...filterPeriods, customDates].map((value) => ({
            value,
            label: t(`listing.periods.${value}`),
          }))}
        />
      </div>
      {!period && (hasDays || isCustom) ? (
        <CustomDates from={from} to={to} onChange={onChange} />
      ) : null}
    </>
  );
}

/** Two dates. They apply when both are valid and in order; until then the typed text stays. */
function CustomDates({
  from,
  to,
  onChange,
}: {
  from: string;
  to: string;
  onChange: PeriodFilterProps['onChange'];
}) {
  const { t } = useTranslation('requests');
  const applied = `${from} ${to}`;
  const [typed, setTyped] = useState({ applied, from, to });
  if (typed.applied !== applied) setTyped({ applied, from, to });
  const isBackwards = isRealDay(typed.from) && isRealDay(typed.to) && typed.to < typed.from;
  const change = (changed: { from?: string; to?: string }) => {
    const next = { ...typed, ...changed };
    setTyped(next);
    const isReady =
      isDayOrNone(next.from) &&
      isDayOrNone(next.to) &&
      (next.from === '' || next.to === '' || next.from <= next.to);
    if (isReady && `${next.from} ${next.to}` !== applied)
      onChange({ from: next.from, to: next.to });
  };
  return (
    <>
      <div className="md:w-[9.5rem]">
        <DayField
          name="from"
          label={t('listing.from')}
          value={typed.from}
          onChange={(day) => change({ from: day })}
          max={isRealDay(typed.to) ? typed.to : todayInDubai()}
        />
      </div>
      <div className="md:w-[9.5rem]">
        <DayField
          name="to"
          label={t('listing.to')}
          value={typed.to}
          onChange={(day) => change({ to: day })}
          min={isRealDay(typed.from) ? typed.from : undefined}
          error={isBackwards ? t('listing.dateOrder') : undefined}
        />
      </div>
    </>
  );
}
