import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DraftSummary } from '@diwan/contract/requests/drafts';
import { Button } from '../../../ui/actions/button.tsx';
import { useDrafts } from './draft-list.data.ts';
import { DraftRow } from './draft-row.tsx';
import { useStatuses } from '../data/requests.data.ts';

const shownFirst = 3;

/**
 * What the person has begun and not sent, above what they have sent; nothing where there is
 * nothing.
 */
export function DraftList() {
  const { t } = useTranslation('drafts');
  const { data } = useDrafts();
  const statuses = useStatuses();
  const [isWhole, setIsWhole] = useState(false);
  // What was discarded here stays in its place, so that it can be taken back.
  const [gone, setGone] = useState<readonly { draft: DraftSummary; index: number }[]>([]);
  const isGone = (draft: DraftSummary) => gone.some((each) => each.draft.draftId === draft.draftId);
  const known = [...(data ?? [])];
  for (const { draft, index } of gone)
    if (known.every(({ draftId }) => draftId !== draft.draftId)) known.splice(index, 0, draft);
  if (known.length === 0) return null;
  const statusName =
    statuses.data?.find(({ key }) => key === 'draft')?.statusName ?? t('list.status');
  return (
    <section aria-labelledby="drafts" className="mb-10">
      <h2 id="drafts" className="mb-1 text-xl">
        {t('list.title')}
      </h2>
      <p className="mb-4 text-ink-600">{t('list.lead')}</p>
      <ul className="flex flex-col gap-4">
        {(isWhole ? known : known.slice(0, shownFirst)).map((draft, index) => (
          <DraftRow
            key={draft.draftId}
            draft={draft}
            statusName={statusName}
            isGone={isGone(draft)}
            onGone={(hasGone) =>
              setGone((before) =>
                hasGone
                  ? [...before, { draft, index }]
                  : before.filter((each) => each.draft.draftId !== draft.draftId),
              )
            }
          />
        ))}
      </ul>
      {!isWhole && known.length > shownFirst ? (
        <div className="mt-4">
          <Button variant="secondary" onPress={() => setIsWhole(true)}>
            {t('list.showAll', { count: known.length })}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
