import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DraftSummary } from '@diwan/contract/requests/drafts';
import type { Service } from '@diwan/contract/catalogue/services';
import { useFormat } from '../../../lib/i18n/format.ts';
import type { Session } from '../../../lib/api/session.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { findOnDevice } from './draft-device.ts';
import { useDiscard, useDrafts } from './draft-list.data.ts';

interface DraftStartProps {
  service: Service;
  session: Session;
  onStart: () => void;
  /** Somebody reaches for the button. */
  onApproach: () => void;
}

/** Begins, or goes on with what was begun here or on another device. */
export function DraftStart({ service, session, onStart, onApproach }: DraftStartProps) {
  // Both at once: a part that brings its texts later would blank the page.
  const { t } = useTranslation(['forms', 'drafts']);
  const { relative } = useFormat();
  const { data } = useDrafts();
  const draft = data?.find(({ serviceId, mends }) => serviceId === service.id && !mends);
  const [isOnDevice] = useState(() => findOnDevice(service.id, session.ssid).length > 0);
  const isBegun = draft !== undefined || isOnDevice;
  return (
    <div className="flex flex-col gap-2">
      <Button
        size="lg"
        isFullWidth
        onPress={onStart}
        onPointerEnter={onApproach}
        onFocus={onApproach}
      >
        {t(isBegun ? 'intro.goOn' : 'intro.start')}
      </Button>
      {draft ? (
        <StartOver key={draft.draftId} draft={draft} savedWhen={relative(draft.savedAt)} />
      ) : null}
    </div>
  );
}

function StartOver({ draft, savedWhen }: { draft: DraftSummary; savedWhen: string }) {
  const { t } = useTranslation(['forms', 'drafts']);
  const [isAsking, setIsAsking] = useState(false);
  const { discard, reload, isPending } = useDiscard(draft);
  if (!isAsking) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p className="text-sm text-ink-500">
          {t('saving.saved', { ns: 'drafts', when: savedWhen })}
        </p>
        <Button variant="quiet" size="sm" onPress={() => setIsAsking(true)}>
          {t('intro.startOver')}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="text-sm">
        {t('startOver.text', { ns: 'drafts' })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="danger"
          size="sm"
          isPending={isPending}
          onPress={() => discard(() => void reload())}
        >
          {t('startOver.discard', { ns: 'drafts' })}
        </Button>
        <Button variant="quiet" size="sm" onPress={() => setIsAsking(false)}>
          {t('startOver.keep', { ns: 'drafts' })}
        </Button>
      </div>
    </div>
  );
}
