import { useTranslation } from 'react-i18next';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { StaffWords } from '../staff/staff-words.tsx';

/**
 * What was asked for stays in sight while it is mended; what is marked is told beside each thing.
 */
export function MendWhy({ record }: { record: RequestRecord }) {
  const { t } = useTranslation('requests');
  const entry = record.history.findLast((each) => each.action === 'return');
  return entry && (entry.reasons.length > 0 || entry.message !== '') ? (
    <StaffWords entry={{ ...entry, marks: [] }} title={t('record.whyReturned')} />
  ) : null;
}
