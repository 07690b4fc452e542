import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Timeline } from '#ui/data/timeline.tsx';
import { Moment } from '#ui/values/moment.tsx';
import type { HistoryEntry } from '@diwan/contract/requests/requests';
import { useActorName } from './actor-name.tsx';
import { isPrintingFullRecord } from './print-frame.tsx';
import { StaffMessage } from './staff-message.tsx';

interface RequestTimelineProps {
  history: readonly HistoryEntry[];
  /** The page shows the latest reasons and message elsewhere. */
  isLatestMessageShown?: boolean;
  /**
   * The applicant reads the notifications on the same page, so sent ones are not listed here, and
   * what a step led to is shown by its title. A workflow may have several steps of one action, such as
   * two approvals: then the status that each led to tells them apart.
   */
  isForApplicant?: boolean;
}

// A long timeline shows its latest entries first.
const staffLimits = { maximumShown: 15, shownAtFirst: 8 };
const applicantLimits = { maximumShown: 4, shownAtFirst: 3 };

/** The history of a request, oldest entry first. A long one starts with its end. */
export function RequestTimeline({
  history,
  isLatestMessageShown,
  isForApplicant,
}: RequestTimelineProps) {
  const { t } = useTranslation('requests');
  const { count } = useFormat();
  const [isComplete, setIsComplete] = useState(false);
  useEffect(() => {
    // Paper has no button to show the rest. The applicant's short print needs only the latest steps.
    const showAll = () => {
      if (!isForApplicant || isPrintingFullRecord()) flushSync(() => setIsComplete(true));
    };
    window.addEventListener('beforeprint', showAll);
    return () => window.removeEventListener('beforeprint', showAll);
  }, [isForApplicant]);
  const { maximumShown, shownAtFirst } = isForApplicant ? applicantLimits : staffLimits;
  const hasSeveralSteps = ({ action, statusId }: HistoryEntry) =>
    history.some((other) => other.action === action && other.statusId !== statusId);
  const hidden = isComplete || history.length <= maximumShown ? 0 : history.length - shownAtFirst;
  return (
    <>
      {hidden > 0 ? (
        <div data-no-print className="mb-4">
          <Button variant="secondary" size="sm" onPress={() => setIsComplete(true)}>
            {t('story.earlier', { number: count(hidden) })}
          </Button>
        </div>
      ) : null}
      <Timeline
        items={history
          .map((entry, index) => ({
            id: `${entry.at} ${index}`,
            // A step has happened: the last one differs where it waits for somebody or ended the request.
            tone:
              index === history.length - 1 && entry.statusTone !== 'progress'
                ? entry.statusTone
                : 'done',
            title: t(`story.${entry.action}`),
            meta: (
              <StepDetails
                entry={entry}
                isForApplicant={isForApplicant}
                isStatusShown={!isForApplicant || hasSeveralSteps(entry)}
              />
            ),
            children:
              entry.action !== 'reassign' &&
              (entry.reasons.length > 0 || entry.message !== '' || entry.marks.length > 0) &&
              !(isLatestMessageShown && index === history.length - 1) ? (
                <div data-print-full={isForApplicant || undefined}>
                  <StaffMessage entry={entry} />
                </div>
              ) : undefined,
          }))
          .slice(hidden)}
      />
    </>
  );
}

/** Who did a step and when, what it changed, and its notifications. */
function StepDetails({
  entry,
  isForApplicant,
  isStatusShown,
}: {
  entry: HistoryEntry;
  isForApplicant: boolean | undefined;
  isStatusShown: boolean;
}) {
  const { t } = useTranslation(['requests', 'staff']);
  const { money, date } = useFormat();
  const actorName = useActorName();
  return (
    <>
      <span className="flex flex-wrap gap-x-3">
        <span className="text-ink-700">
          {actorName({
            kind: entry.actorKind,
            name: entry.actorName,
            actedFor: entry.actedFor,
          })}
        </span>
        <Moment at={entry.at} />
      </span>
      {entry.action === 'reassign' ? (
        <span className="block">
          {t('staff:list.holder')}: <bdi>{entry.message}</bdi>
        </span>
      ) : isStatusShown ? (
        <span className="block">
          {t('story.became')}: <span>{entry.statusName}</span>
        </span>
      ) : null}
      {entry.holdUntil ? (
        <span className="block text-ink-800">
          {t('hold.until', { date: date(entry.holdUntil) })}
        </span>
      ) : null}
      {entry.charged ? (
        <span className="block text-ink-800">
          {t('story.charged', { amount: money(entry.charged) })}
        </span>
      ) : null}
      {entry.confirmedBy ? (
        <span className="block text-ink-800">
          {t('story.confirmedBy', { name: `\u2068${entry.confirmedBy}\u2069` })}
        </span>
      ) : null}
      {isForApplicant && entry.notice?.outcome === 'sent' ? null : (
        <NotificationStatus entry={entry} />
      )}
    </>
  );
}

/**
 * The notifications of a step: the channels, and whether each message reached its gateway. Empty
 * for steps without a notification.
 */
function NotificationStatus({ entry: { notice } }: { entry: HistoryEntry }) {
  const { t } = useTranslation(['messages', 'shell']);
  if (!notice) return null;
  if (notice.outcome !== 'sent')
    return <span className="block">{t(`notice.${notice.outcome}`)}</span>;
  // The messages of old steps are deleted.
  if (notice.messages.length === 0) return null;
  const channels = [
    ...new Set(
      notice.messages.map(
        ({ channel, state }) => `${t(`channels.${channel}`)} (${t(`states.${state}`)})`,
      ),
    ),
  ];
  return (
    <span className="block">
      {t('notice.sent')} <span>{channels.join(t('shell:listSeparator'))}</span>
    </span>
  );
}
