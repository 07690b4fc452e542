import { Check, Search, SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/actions/button.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { refundFilters } from '@diwan/contract/requests/saved-filters';
import type { ListFilters } from './list-filters.ts';
import { PeriodFilter } from './period-filter.tsx';
import type { Status } from '../data/requests.data.ts';
import { ShortcutHint } from './shortcut-hint.tsx';

interface StaffFiltersProps {
  filters: ListFilters;
  onChange: (changed: Partial<ListFilters>) => void;
  /** The statuses to choose from, where a list holds more than one kind. */
  statuses: readonly Status[] | undefined;
  /** Whether its requests are held by somebody. */
  hasHolder: boolean;
  /** Whether the list can be asked for what is given back. */
  hasRefunds: boolean;
}

/**
 * Choices apply at once, what is typed applies on Enter. On a phone the rest waits behind a button.
 */
export function StaffFilters({
  filters,
  onChange,
  statuses,
  hasHolder,
  hasRefunds,
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
        className={`grid grid-cols-2 gap-3 md:flex md:flex-wrap md:items-end xl:max-w-full ${isOpen ? '' : 'max-md:hidden'}`}
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
        {hasRefunds ? (
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
