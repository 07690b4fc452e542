import { useTranslation } from 'react-i18next';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useStatuses } from '../data/requests.data.ts';
import { expectationOf } from '../data/status-groups.ts';

/** Why there is nothing to do: for whom or for what the request waits. */
function WaitsFor({ record }: { record: RequestRecord }) {
  const { t } = useTranslation('requests');
  const statuses = useStatuses();
  if (record.allowedActions.length > 0 || !statuses.data) return null;
  const key = statuses.data.find((status) => status.statusId === record.statusId)?.key;
  const standing =
    expectationOf(record.statusTone, key) ??
    (record.statusTone === 'progress' ? 'others' : 'closed');
  return (
    <div data-no-print className="mb-6">
      <Notice>{t(`staff.standing.${standing}`)}</Notice>
    </div>
  );
}

/**
 * How the request stands for the people who work on it. The state of its provider is sent to staff
 * alone, and only while it cannot work.
 */
export function StaffStanding({ record }: { record: RequestRecord }) {
  const { t } = useTranslation(['requests', 'errors']);
  return (
    <>
      {record.serviceProviderState ? (
        <div className="mb-6">
          <Notice tone="warning" title={t('staff.providerStopped')}>
            {t('staff.providerStoppedText')}
          </Notice>
        </div>
      ) : null}
      {record.isOwnCounterRequest ? (
        <div data-no-print className="mb-6">
          <Notice>{t('errors:refusals.OwnCounterRequest')}</Notice>
        </div>
      ) : (
        <WaitsFor record={record} />
      )}
    </>
  );
}
