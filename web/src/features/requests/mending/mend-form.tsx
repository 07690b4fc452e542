import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { updateRequest, type RequestRecord } from '@diwan/contract/requests/requests';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Bone, Skeleton, SkeletonText } from '../../../ui/feedback/skeleton.tsx';
import type { SendError } from '../../../lib/api/send-error.ts';
import { useDocumentUploads } from '../documents/document-uploads-state.ts';
import { DraftConflicts } from '../drafts/draft-conflict.tsx';
import { useKeptFocus } from '../drafts/draft-focus.ts';
import { useDraftView, type OpenDraft } from '../drafts/draft-in-hand.ts';
import { useRequestAction } from '../data/request-actions.data.ts';
import { MendFields } from './mend-fields.tsx';
import { useMendDraft } from './mend-start.ts';

interface MendFormProps {
  record: RequestRecord;
  reload: () => Promise<unknown>;
  onClose: () => void;
}

/**
 * A returned request, open again: just what is marked, or the same questions and documents as when
 * it was made.
 */
export function MendForm({ record, reload, onClose }: MendFormProps) {
  // What was asked when this form opened stays, whatever happens to the request meanwhile.
  const [begun] = useState(record);
  const open = useMendDraft(begun);
  if (!open)
    return (
      <Skeleton>
        <div className="flex max-w-form flex-col gap-6">
          <Bone className="h-9 w-4/5" />
          <SkeletonText lines={6} />
        </div>
      </Skeleton>
    );
  return (
    <OpenMend
      begun={begun}
      hasChanged={record.version !== begun.version}
      open={open}
      reload={reload}
      onClose={onClose}
    />
  );
}

const isTooLate = (error: SendError | null): error is SendError =>
  error?.name === 'VersionHasChanged' || error?.name === 'ActionNotAllowed';

function OpenMend({
  begun,
  hasChanged,
  open,
  reload,
  onClose,
}: {
  begun: RequestRecord;
  hasChanged: boolean;
  open: OpenDraft;
  reload: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { saver } = open;
  const view = useDraftView(open);
  const action = useRequestAction(updateRequest);
  const [hasAgreed, setHasAgreed] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const { heading, remember } = useKeptFocus(view.merges);
  const uploads = useDocumentUploads({
    serviceId: begun.serviceId,
    requestId: begun.requestId,
    rules: begun.attachmentRules,
    value: view.draft.documents,
    onChange: (update) => saver.change((before) => ({ documents: update(before.documents) })),
  });
  // A send that is on its way, or has arrived, changes the request itself.
  const isSending = action.isPending || action.isSuccess;
  const tooLate = isTooLate(action.error)
    ? action.error
    : isTooLate(view.problem)
      ? view.problem
      : null;
  const isOver = !isSending && (hasChanged || tooLate !== null);
  const leave = () => {
    saver.finish();
    void reload();
    onClose();
  };
  return (
    <div onBlur={() => saver.flush()} onFocus={remember} className="flex max-w-form flex-col gap-6">
      {/* In sight wherever in the form somebody is writing. */}
      {isOver ? (
        <div className="sticky top-2 z-10">
          <MendOver error={tooLate} onLeave={leave} />
        </div>
      ) : null}
      <MendFields
        key={view.merges}
        record={begun}
        view={view}
        uploads={uploads}
        action={action}
        heading={heading}
        isOver={isOver}
        hasAgreed={hasAgreed}
        onAgree={setHasAgreed}
        hasTried={hasTried}
        onTry={() => setHasTried(true)}
        onChange={saver.change.bind(saver)}
        onSent={() => {
          saver.finish();
          onClose();
        }}
        onClose={onClose}
      />
      {view.conflicts.length > 0 ? (
        <DraftConflicts
          form={begun.form}
          conflicts={view.conflicts}
          onChoose={(chosen) => saver.choose(chosen)}
        />
      ) : null}
    </div>
  );
}

/**
 * The request has moved on. What was typed stays in sight until the person leaves it: it answered
 * what was asked then, and is not laid over what may be asked now.
 */
function MendOver({ error, onLeave }: { error: SendError | null; onLeave: () => void }) {
  const { t } = useTranslation(['requests', 'returns']);
  return (
    <Notice
      tone="warning"
      isLive
      title={t('faster.ownTitle')}
      action={
        <Button
          variant="secondary"
          size="sm"
          icon={<RotateCw aria-hidden size={18} />}
          onPress={onLeave}
        >
          {t('faster.reload')}
        </Button>
      }
    >
      {error ? messageOf(error) : null} {t('returns:mend.over')}
    </Notice>
  );
}
