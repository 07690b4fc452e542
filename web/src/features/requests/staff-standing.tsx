import { useTranslation } from 'react-i18next';
import type { RequestRecord } from '@diwan/contract/requests';
import { Notice } from '../../ui/notice.tsx';
import { useStatuses } from './requests.data.ts';
import { expectationOf } from './status-groups.ts';

/** Why there is nothing to do: for whom or for what the request waits. */
export function StaffStanding({ record }: { record: RequestRecord }) {
  const { t } = useTranslation('requests');
  const statuses = useStatuses();
  if (record.allowedActions.length > 0 || !statuses.data) return null;
  const key = statuses.data.find((status) => status.statusId === record.statusId)?.key;
  const standing = expectationOf(record.statusTone, key) ?? (record.statusTone === 'progress' ? 'others' : 'closed');
  return <div data-no-print className="mb-6"><Notice>{t(`staff.standing.${standing}`)}</Notice></div>;
}
