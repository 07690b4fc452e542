import { useSearchFilters } from '#lib/browser/search-params.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { adminPageSize } from '#ui/data/admin-list.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { type PartnerState, partnerStates } from '@diwan/contract/people/partner-states';

/** The tone of each state from the provider's point of view. */
export const toneOfState = {
  registered: 'progress',
  verifying: 'progress',
  needsDocuments: 'waiting',
  active: 'done',
  refused: 'refused',
  suspended: 'refused',
} as const satisfies Record<PartnerState, string>;

export function ProviderState({ state }: { state: PartnerState }) {
  const { t } = useTranslation('partners');
  return <StatusTag tone={toneOfState[state]}>{t(`states.${state}`)}</StatusTag>;
}

/** The filters and the query of a list of partners or of their supervisors. */
export function usePartnerListFilters() {
  const { t } = useTranslation('partners');
  const filters = useSearchFilters('state');
  // The state comes from the address, so it is validated.
  const chosen = partnerStates.find((state) => state === filters.values.state);
  return {
    filters,
    filter: {
      name: 'state' as const,
      label: t('stateFilter.label'),
      any: t('stateFilter.any'),
      choices: partnerStates.map((state) => ({ value: state, label: t(`states.${state}`) })),
    },
    query: {
      SearchKeyword: filters.keyword || undefined,
      State: chosen,
      PageNumber: filters.page,
      Take: adminPageSize,
    },
  };
}
