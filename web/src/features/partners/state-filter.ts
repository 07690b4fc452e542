import { useTranslation } from 'react-i18next';
import { partnerStates, type PartnerState } from '@diwan/contract/people/partner-states';

/**
 * The filter of a list by the state of a provider; anybody can type a state into an address, so it
 * is judged.
 */
export function useStateFilter(value: string) {
  const { t } = useTranslation('partners');
  const chosen = partnerStates.find((state): state is PartnerState => state === value);
  return {
    chosen,
    filter: {
      name: 'state' as const,
      label: t('stateFilter.label'),
      any: t('stateFilter.any'),
      choices: partnerStates.map((state) => ({ value: state, label: t(`states.${state}`) })),
    },
  };
}
