import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SavedDraft } from '@diwan/contract/requests/drafts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { LinkButton } from '../../../ui/actions/link-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';

const kinds = ['removed', 'changed', 'added'] as const;

/** What has become of the form since the draft was written; until the person has seen it. */
export function FormChanges({ changes }: { changes: SavedDraft['formChanges'] }) {
  const { t } = useTranslation('drafts');
  const { list } = useFormat();
  const [isSeen, setIsSeen] = useState(false);
  if (changes.length === 0 || isSeen) return null;
  const titlesOf = (kind: (typeof kinds)[number]) =>
    changes.filter((each) => each.kind === kind).map((each) => each.title);
  return (
    <div className="mb-6">
      <Notice
        tone="info"
        title={t('changed.title')}
        action={
          <Button variant="secondary" size="sm" onPress={() => setIsSeen(true)}>
            {t('changed.seen')}
          </Button>
        }
      >
        <ul className="flex flex-col gap-1">
          {kinds
            .filter((kind) => titlesOf(kind).length > 0)
            .map((kind) => (
              <li key={kind}>{t(`changed.${kind}`, { fields: list(titlesOf(kind)) })}</li>
            ))}
        </ul>
      </Notice>
    </div>
  );
}

/** Sent from another window or device: there is nothing more to write here. */
export function DraftSent({ onBeginAnew }: { onBeginAnew: () => void }) {
  const { t } = useTranslation('drafts');
  return (
    <Notice
      tone="success"
      isLive
      title={t('sent.title')}
      action={
        <div className="flex flex-wrap gap-3">
          <LinkButton to="/requests">{t('sent.myRequests')}</LinkButton>
          <Button variant="secondary" onPress={onBeginAnew}>
            {t('sent.beginAnew')}
          </Button>
        </div>
      }
    >
      {t('sent.text')}
    </Notice>
  );
}
