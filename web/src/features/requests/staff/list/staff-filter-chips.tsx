import { BookmarkPlus, Settings2, Star } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import {
  type ListFilters,
  toFilterChoice,
  toListFilters,
  isSameChoice,
  noStaffFilters,
  unfilteredParameter,
  writeFilters,
} from '#features/requests/data/list-filters.ts';
import type { Status } from '#features/requests/data/requests.data.ts';
import { useFigureFilters } from '#features/requests/record/figure-filters.ts';
import { useMayCall } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useSearchParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import type { ActiveFilter } from '#ui/search/filter-chips.tsx';
import { getCompanyById } from '@diwan/contract/people/companies';
import { getAllPartners } from '@diwan/contract/people/partners';
import { getProfile } from '@diwan/contract/people/users';
import { getColleagues } from '@diwan/contract/processing/assignments';
import { getVisibleAgencies, getVisibleServices } from '@diwan/contract/requests/request-lists';
import { SavedFiltersDialog } from './saved-filters-dialog.tsx';
import { useSavedFilters } from './saved-filters.data.ts';
import type { StaffListName } from './staff-lists.ts';

/** The active filters of a list, and the change that removes each. */
export function useActiveFilters(
  filters: ListFilters,
  statuses: readonly Status[],
): ActiveFilter<Partial<ListFilters>>[] {
  const { t } = useTranslation(['requests', 'staff']);
  const figures = useFigureFilters(filters);
  const hour = { staleTime: 3_600_000, skipErrorHandling: true };
  const agencies = useCall(getVisibleAgencies, {
    ...hour,
    enabled: filters.agencyId !== undefined,
  });
  const profile = useCall(getProfile, { ...hour, enabled: filters.teamId !== undefined });
  const service = useCall(getVisibleServices, {
    ...hour,
    query: { ServiceId: filters.serviceId ?? 1 },
    enabled: filters.serviceId !== undefined,
  });
  const mayReadColleagues = useMayCall(getColleagues);
  const colleagues = useCall(getColleagues, {
    query: {},
    ...hour,
    enabled:
      mayReadColleagues &&
      ((filters.holderId !== undefined && filters.holderId !== 'nobody') ||
        filters.figureBy !== undefined),
  });
  const isReader = useMayCall(getAllPartners);
  const partners = useCall(getAllPartners, {
    ...hour,
    query: { Take: 100 },
    enabled: filters.partnerId !== undefined && isReader,
  });
  const company = useCall(getCompanyById, {
    ...hour,
    query: { CompanyId: filters.companyId ?? 1 },
    enabled: filters.companyId !== undefined && isReader,
  });
  const nameOfUser = (id: string) => colleagues.data?.find(({ userId }) => userId === id)?.name;
  const status = statuses.find((each) => each.statusId === filters.statusId);
  const agency = agencies.data?.find(({ id }) => id === filters.agencyId);
  const team = profile.data?.teams?.find(({ id }) => id === filters.teamId);
  const { keyword, due, isMine, holderId, agencyId, teamId, serviceId } = filters;
  const { period, refund, figure, figureBy, partnerId, companyId } = filters;
  const texts: [isActive: unknown, text: () => string, without: Partial<ListFilters>][] = [
    [keyword, () => t('listing.chipKeyword', { text: keyword }), { keyword: '' }],
    [status, () => status?.statusName ?? '', { statusId: undefined }],
    [due, () => t(`staff:filters.due.${due}`), { due: undefined }],
    [isMine, () => t('staff:list.mine'), { isMine: false }],
    [
      holderId,
      () =>
        holderId === 'nobody'
          ? t('staff:filters.nobody')
          : (nameOfUser(holderId ?? '') ?? t('staff:list.holder')),
      { holderId: undefined },
    ],
    [agencyId, () => agency?.name ?? t('fields.agency'), { agencyId: undefined }],
    [teamId, () => team?.name ?? t('staff:filters.team'), { teamId: undefined }],
    [serviceId, () => service.data?.[0]?.name ?? t('fields.service'), { serviceId: undefined }],
    [period, () => t(`listing.periods.${period}`), { period: undefined }],
    [refund, () => t(`refunds.${refund}`), { refund: undefined }],
    [
      figure && figureBy,
      () => nameOfUser(figureBy ?? '') ?? t('staff:filters.endedBy'),
      { figureBy: undefined },
    ],
    [
      partnerId,
      () =>
        partners.data?.items.find(({ id }) => id === partnerId)?.name ?? t('staff:filters.partner'),
      { partnerId: undefined },
    ],
    [companyId, () => company.data?.name ?? t('staff:filters.company'), { companyId: undefined }],
  ];
  return [
    ...texts.flatMap(([isActive, text, without]) => (isActive ? [{ text: text(), without }] : [])),
    ...figures,
  ];
}

interface SavedFilterChipsProps {
  list: StaffListName;
  filters: ListFilters;
  onChange: (changed: Partial<ListFilters>) => void;
}

/**
 * The user's saved filters as buttons. A list that is opened without query parameters starts with
 * the default filter.
 */
export function SavedFilterChips({ list, filters, onChange }: SavedFilterChipsProps) {
  const { t } = useTranslation('staff');
  const [search, setSearch] = useSearchParams();
  const { filters: saved } = useSavedFilters(list);
  const [isOpen, setIsOpen] = useState<'save' | 'manage'>();
  const choice = toFilterChoice(filters);
  const current = saved?.find((each) => isSameChoice(each.choice, choice));
  const isUnfiltered = isSameChoice(choice, toFilterChoice(noStaffFilters));
  const defaultFilter = saved?.find((each) => each.isDefault);
  const stage = useRef<'opening' | 'changing' | 'ready'>('opening');
  useEffect(() => {
    // The address has not changed yet, so this render does not show the new filters.
    if (!saved || (stage.current === 'changing' && String(search) === '')) return;
    const isOpening = stage.current === 'opening';
    stage.current = 'ready';
    if (!defaultFilter || String(search) !== '') return;
    stage.current = 'changing';
    // After the user removes the default filter, a reload must not apply it again.
    setSearch(
      isOpening
        ? writeFilters(new URLSearchParams(), toListFilters(defaultFilter.choice), noStaffFilters)
        : new URLSearchParams({ [unfilteredParameter]: '1' }),
      { replace: true },
    );
  }, [saved, defaultFilter, search, setSearch]);

  // The dialog stays open after its last filter was deleted.
  if (!saved || (saved.length === 0 && isUnfiltered && !isOpen)) return null;
  return (
    <div className="flex flex-wrap items-center gap-2" role="group" aria-label={t('saved.title')}>
      {saved.map((each) => (
        <button
          key={each.id}
          type="button"
          aria-pressed={each === current}
          onClick={() => onChange(each === current ? noStaffFilters : toListFilters(each.choice))}
          className={classNames(
            'inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border px-3 text-sm',
            'font-semibold transition-colors duration-150 md:min-h-8',
            each === current
              ? 'border-primary bg-primary text-white'
              : 'border-ink-200 bg-white text-ink-700 hover:border-gold-600 hover:bg-gold-50',
          )}
        >
          {each.isDefault ? <Star aria-hidden size={16} className="shrink-0" /> : null}
          <bdi className="truncate">{each.name}</bdi>
          {each.isDefault ? <span className="sr-only">{t('saved.isDefault')}</span> : null}
        </button>
      ))}
      {!current && !isUnfiltered ? (
        <Button
          variant="quiet"
          size="sm"
          icon={<BookmarkPlus aria-hidden size={18} />}
          onPress={() => setIsOpen('save')}
        >
          {t('saved.save')}
        </Button>
      ) : null}
      {saved.length > 0 ? (
        <Button
          variant="quiet"
          size="sm"
          icon={<Settings2 aria-hidden size={18} />}
          onPress={() => setIsOpen('manage')}
        >
          {t('saved.manage')}
        </Button>
      ) : null}
      {isOpen ? (
        <SavedFiltersDialog
          list={list}
          saved={saved}
          isSaving={isOpen === 'save'}
          choice={choice}
          onClose={() => setIsOpen(undefined)}
        />
      ) : null}
    </div>
  );
}
