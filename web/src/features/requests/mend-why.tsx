import { useTranslation } from 'react-i18next';
import type { RequestRecord } from '@diwan/contract/requests';
import { StaffWords } from './staff-words.tsx';

/** What was asked for stays in sight while it is mended. */
export function MendWhy({ record }: { record: RequestRecord }) {
  const { t } = useTranslation('requests');
  const entry = record.history.findLast((each) => each.reasons.length > 0 || each.message !== '');
  return entry ? <StaffWords entry={entry} title={t('record.whyReturned')} /> : null;
}
