import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { HistoryEntry } from '@diwan/contract/requests/requests';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Moment } from '../../../ui/values/moment.tsx';
import { Timeline } from '../../../ui/data/timeline.tsx';
import { useActorName } from './actor-name.tsx';
import { StepNotice } from '../staff/step-notice.tsx';
import { StaffWords } from '../staff/staff-words.tsx';

interface RequestStoryProps {
  history: readonly HistoryEntry[];
  /** The page already shows the last reasons and message elsewhere. */
  isLastWordShown?: boolean;
  /** For the person whose request it is, who reads the messages themselves on the same page. */
  isOwn?: boolean;
}

// A request that went back and forth is as long as a book; what is new stands at its end.
const mostShown = 15;
const fewShown = 8;

/** What has happened, from the first line to the last; of a long story the end first. */
export function RequestStory({ history, isLastWordShown, isOwn }: RequestStoryProps) {
  const { t } = useTranslation('requests');
  const { money, count } = useFormat();
  const actorName = useActorName();
  const [isWhole, setIsWhole] = useState(false);
  useEffect(() => {
    // On paper there is no button.
    const showAll = () => flushSync(() => setIsWhole(true));
    window.addEventListener('beforeprint', showAll);
    return () => window.removeEventListener('beforeprint', showAll);
  }, []);
  const hidden = isWhole || history.length <= mostShown ? 0 : history.length - fewShown;
  return (
    <>
      {hidden > 0 ? (
        <div data-no-print className="mb-4">
          <Button variant="secondary" size="sm" onPress={() => setIsWhole(true)}>
            {t('story.earlier', { number: count(hidden) })}
          </Button>
        </div>
      ) : null}
      <Timeline
        items={history
          .map((entry, index) => ({
            id: `${entry.at} ${index}`,
            // Only where it stands now is drawn in the status's own tone; what came before is
            // behind it.
            tone: index === history.length - 1 ? entry.statusTone : 'done',
            title: t(`story.${entry.action}`),
            meta: (
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
                <span className="block">
                  {t('story.became')}: {entry.statusName}
                </span>
                {entry.charged ? (
                  <span className="block text-ink-800">
                    {t('story.charged', { amount: money(entry.charged) })}
                  </span>
                ) : null}
                {isOwn && entry.notice?.outcome === 'sent' ? null : <StepNotice entry={entry} />}
              </>
            ),
            children:
              (entry.reasons.length > 0 || entry.message !== '' || entry.marks.length > 0) &&
              !(isLastWordShown && index === history.length - 1) ? (
                <StaffWords entry={entry} />
              ) : undefined,
          }))
          .slice(hidden)}
      />
    </>
  );
}
