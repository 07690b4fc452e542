import { PencilLine } from 'lucide-react';
import { useState } from 'react';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import type { RequestForUpdate, RequestRecord } from '@diwan/contract/requests/requests';
import { isConflict } from '../data/conflict.ts';
import { useRequestAction } from '../data/request-actions.data.ts';
import { useDocumentUploads } from '../documents/use-document-uploads.ts';
import { useRestoredFocus } from '../drafts/draft-focus.ts';
import { DraftConflicts, DraftSkeleton } from '../drafts/draft-updates.tsx';
import { useDraftView, type CurrentDraft } from '../drafts/use-current-draft.ts';
import {
  useCorrectionDraft,
  useRequestForUpdate,
  useStartedCorrection,
} from './correction-draft.ts';
import { CorrectionFields, useConsent } from './correction-fields.tsx';
import { isAboutDocuments } from './correction-marks.ts';
import { OutdatedAlert } from './correction-messages.tsx';
import { ReplaceDocuments } from './replace-documents.tsx';

/** The button that opens the correction of a returned request, and when it was last saved. */
export function StartCorrection({
  record,
  onStart,
}: {
  record: RequestRecord;
  onStart: () => void;
}) {
  const { t } = useTranslation('requests');
  const { relative } = useFormat();
  const { isStarted, savedAt } = useStartedCorrection(record);
  return (
    <>
      <Button size="lg" icon={<PencilLine aria-hidden size={20} />} onPress={onStart}>
        {t(isStarted ? 'record.correctGoOn' : 'record.correct')}
      </Button>
      {isStarted && savedAt ? (
        <p className="text-sm text-ink-600">
          {t('record.correctSaved', { when: relative(savedAt) })}
        </p>
      ) : null}
    </>
  );
}

interface CorrectionFormProps {
  record: RequestRecord;
  reload: () => Promise<unknown>;
  onClose: () => void;
}

/**
 * The form to correct a returned request. It shows the marked answers and documents; when nothing
 * is marked it shows the whole form.
 */
export function CorrectionForm({ record, reload, onClose }: CorrectionFormProps) {
  const { t } = useTranslation(['requests', 'saving']);
  const { data, error, isFetching, refetch } = useRequestForUpdate(record.requestId);
  // The person wants the form although documents alone are asked for.
  const [isForm, setIsForm] = useState(false);
  const leave = () => {
    void reload();
    onClose();
  };
  if (data)
    return (
      // The form opens the draft that has the documents stored so far.
      <CorrectionOf
        key={String(isForm)}
        opened={data}
        version={record.version}
        reload={reload}
        onClose={onClose}
        isForm={isForm}
        onOpenForm={() => setIsForm(true)}
      />
    );
  if (!error) return <DraftSkeleton />;
  return (
    <ErrorState
      error={error}
      safety={t('record.safe')}
      onRetry={refetch}
      isRetrying={isFetching}
      action={
        <Button variant="quiet" onPress={leave}>
          {t('faster.reload')}
        </Button>
      }
    />
  );
}

function CorrectionOf({
  opened,
  version,
  reload,
  onClose,
  isForm,
  onOpenForm,
}: {
  opened: RequestForUpdate;
  /** The version that the page of the request knows. */
  version: number;
  reload: () => Promise<unknown>;
  onClose: () => void;
  isForm: boolean;
  onOpenForm: () => void;
}) {
  // The form always shows the record with which it was opened.
  const [initialRecord] = useState(opened);
  const current = useCorrectionDraft(initialRecord);
  if (!current) return <DraftSkeleton />;
  const hasChanged = version > initialRecord.version;
  if (!isForm && isAboutDocuments(initialRecord, current.opened))
    return (
      <ReplaceDocuments
        record={initialRecord}
        initial={current.opened.documents}
        hasChanged={hasChanged}
        onOpenForm={onOpenForm}
        onSent={() => {
          current.saver.finish();
          onClose();
        }}
        onClose={onClose}
        onReload={() => {
          current.saver.finish();
          void reload();
          onClose();
        }}
      />
    );
  return (
    <OpenCorrection
      initialRecord={initialRecord}
      hasChanged={hasChanged}
      current={current}
      reload={reload}
      onClose={onClose}
    />
  );
}

function OpenCorrection({
  initialRecord,
  hasChanged,
  current,
  reload,
  onClose,
}: {
  initialRecord: RequestForUpdate;
  hasChanged: boolean;
  current: CurrentDraft;
  reload: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { saver } = current;
  const view = useDraftView(current);
  const action = useRequestAction('update');
  const consent = useConsent();
  const { heading, remember } = useRestoredFocus(view.merges);
  const uploads = useDocumentUploads({
    serviceId: initialRecord.serviceId,
    requestId: initialRecord.requestId,
    rules: initialRecord.attachmentRules,
    value: view.content.documents,
    onChange: (update) =>
      saver.change((before) => ({ ...before, documents: update(before.documents) })),
  });
  // Our own submission changes the version of the request too.
  const isSending = action.isPending || action.isSuccess;
  const conflict = [action.error, view.problem].find((error) => error && isConflict(error)) ?? null;
  const isOutdated = !isSending && (hasChanged || conflict !== null);
  const leave = () => {
    saver.finish();
    void reload();
    onClose();
  };
  return (
    <div onBlur={() => saver.flush()} onFocus={remember} className="flex max-w-form flex-col gap-6">
      {/* Visible at every scroll position of the form. */}
      {isOutdated ? (
        <div className="sticky top-2 z-10">
          <OutdatedAlert error={conflict} onLeave={leave} />
        </div>
      ) : null}
      <CorrectionFields
        key={view.merges}
        record={initialRecord}
        view={view}
        uploads={uploads}
        action={action}
        heading={heading}
        isOutdated={isOutdated}
        consent={consent}
        onChange={saver.change.bind(saver)}
        onSent={() => {
          saver.finish();
          onClose();
        }}
        onClose={onClose}
      />
      {view.conflicts.length > 0 ? (
        <DraftConflicts
          form={initialRecord.form}
          conflicts={view.conflicts}
          onChoose={(choose) => saver.resolve(choose)}
        />
      ) : null}
    </div>
  );
}
