import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryEntry, RequestRecord } from '@diwan/contract/requests/requests';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useLooks } from './last-look.ts';

// The whole story is further down.
const mostTold = 6;

function ChangeList({ entries }: { entries: readonly HistoryEntry[] }) {
  const { t } = useTranslation('requests');
  const { dateTime } = useFormat();
  return (
    <ul>
      {entries.slice(-mostTold).map((entry, index) => (
        <li key={`${entry.at} ${index}`}>
          <span className="font-semibold">{t(`story.${entry.action}`)}</span> ·{' '}
          <bdi>{entry.actorName || t(`actors.${entry.actorKind}`)}</bdi> ·{' '}
          <bdi>{dateTime(entry.at)}</bdi>
        </li>
      ))}
    </ul>
  );
}

const ofOthers = (entries: readonly HistoryEntry[]) =>
  entries.filter(({ actorKind }) => actorKind !== 'you');

/**
 * What others did since the person last had this request open, and what they do while it is open.
 */
export function ChangedNotice({ record }: { record: RequestRecord }) {
  const { t } = useTranslation('staff');
  const { lookAt, keep } = useLooks();
  const [lastLook] = useState(() => lookAt(record.requestId));
  const [opened] = useState(record.history.length);
  const { requestId, updatedAt } = record;
  useEffect(() => keep(requestId, updatedAt), [keep, requestId, updatedAt]);
  const before = record.history.slice(0, opened);
  const since = lastLook === undefined ? [] : ofOthers(before.filter(({ at }) => at > lastLook));
  const now = ofOthers(record.history.slice(opened));
  return (
    <>
      {since.length > 0 ? (
        <div data-no-print data-changed="since" className="mb-4">
          <Notice title={t('changes.since')}>
            <ChangeList entries={since} />
          </Notice>
        </div>
      ) : null}
      <div data-no-print aria-live="polite">
        {now.length > 0 ? (
          <div data-changed="now" className="mb-4">
            <Notice tone="warning" title={t('changes.now')}>
              <ChangeList entries={now} />
            </Notice>
          </div>
        ) : null}
      </div>
    </>
  );
}
