import { useTranslation } from 'react-i18next';
import type { PartnerState } from '@diwan/contract/people/partner-states';
import { StatusTag } from '../../ui/values/status-tag.tsx';

/** How a state feels to the provider. */
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
