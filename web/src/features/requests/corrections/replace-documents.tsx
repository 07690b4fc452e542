import { useMutation } from '@tanstack/react-query';
import { PencilLine } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { send } from '#lib/api/send.ts';
import { focusOn, focusSoon } from '#lib/browser/focus-on.ts';
import { serverNow } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { SavedLine } from '#ui/editing/saved-line.tsx';
import { saveRequestAttachments } from '@diwan/contract/requests/request-actions';
import type { RequestForUpdate } from '@diwan/contract/requests/requests';
import { isConflict } from '../data/conflict.ts';
import { useSendDocuments } from '../data/request-actions.data.ts';
import { DocumentUploads } from '../documents/document-uploads.tsx';
import type { UploadedDocument } from '../documents/uploaded-documents.ts';
import { useDocumentUploads } from '../documents/use-document-uploads.ts';
import { SpecialConsent } from '../special-data/special-consent.tsx';
import { fieldNameOfMark, findUnresolvedMarks, listNewSpecialData } from './correction-marks.ts';
import { CorrectionIntroduction, OutdatedAlert, SubmitError } from './correction-messages.tsx';
import { MarkedItem, fileNamesOf } from './marked-items.tsx';

/** The documents of the correction; each change is stored on the server, one after the other. */
function useStoredDocuments(
  { requestId, version }: RequestForUpdate,
  initial: readonly UploadedDocument[],
) {
  const [documents, setDocuments] = useState(initial);
  const latest = useRef(initial);
  const [savedAt, setSavedAt] = useState('');
  const { mutate, isPending, error } = useMutation<unknown, ApiError, readonly UploadedDocument[]>({
    scope: { id: `documents of ${requestId}` },
    mutationFn: (all) =>
      send(saveRequestAttachments, {
        body: {
          requestId,
          version,
          requestAttachmentList: all.map(({ attachmentId }) => attachmentId),
        },
        skipErrorHandling: true,
      }),
    onSuccess: () => setSavedAt(new Date(serverNow()).toISOString()),
  });
  return {
    documents,
    problem: error,
    saving: {
      state: isPending ? ('saving' as const) : error ? ('unkept' as const) : ('saved' as const),
      saved: { savedAt },
      // Without a connection there is no text of the server.
      problem: error?.status === 0 ? null : error,
    },
    change: (update: (before: readonly UploadedDocument[]) => UploadedDocument[]) => {
      latest.current = update(latest.current);
      setDocuments(latest.current);
      mutate(latest.current);
    },
  };
}

interface ReplaceDocumentsProps {
  record: RequestForUpdate;
  /** The documents that are not to be replaced, and those that were uploaded before. */
  initial: readonly UploadedDocument[];
  /** The request has changed since it was opened. */
  hasChanged: boolean;
  onSent: () => void;
  onClose: () => void;
  /** The person wants to explain a document, or to change something else. */
  onOpenForm: () => void;
  onReload: () => void;
}

/**
 * A correction that asks for documents alone: the person replaces them and sends the request again,
 * without its form. The answers stay as they were sent.
 */
export function ReplaceDocuments({
  record,
  initial,
  hasChanged,
  onSent,
  onClose,
  onOpenForm,
  onReload,
}: ReplaceDocumentsProps) {
  const { t } = useTranslation(['requests', 'returns']);
  const { requestId, version, openMarks, attachmentRules } = record;
  const [hasTried, setHasTried] = useState(false);
  const [hasConsented, setHasConsented] = useState(false);
  const { documents, saving, problem, change } = useStoredDocuments(record, initial);
  const uploads = useDocumentUploads({
    serviceId: record.serviceId,
    requestId,
    rules: attachmentRules,
    value: documents,
    onChange: change,
  });
  const action = useSendDocuments();
  const conflict = [action.error, problem].find((error) => error && isConflict(error)) ?? null;
  const isOutdated = !action.isPending && !action.isSuccess && (hasChanged || conflict !== null);
  const state = { record, answers: record.answers, documents, explanations: {} };
  const special = listNewSpecialData(record, state);
  const missing = findUnresolvedMarks(openMarks, state).map((key) => key.split('#')[0] ?? key);
  const fieldErrors = (action.error ?? problem)?.fieldErrors ?? {};
  const errors = Object.fromEntries(
    attachmentRules.map(({ name }) => [
      name,
      fieldErrors[`attachments.${name}`]?.[0] ??
        (hasTried && missing.includes(`attachments.${name}`)
          ? t('returns:documents.missing')
          : undefined),
    ]),
  );
  const submit = () => {
    setHasTried(true);
    if (missing[0]) return void focusSoon(missing[0]);
    if (special.length > 0 && !hasConsented) return void focusOn('SpecialDataConsentMissing');
    action.mutate(
      {
        body: {
          requestId,
          version,
          requestAttachmentList: documents.map(({ attachmentId }) => attachmentId),
          ...(special.length > 0 ? { consentsToSpecialData: true } : {}),
        },
      },
      {
        onSuccess: () => {
          showToast(t('correct.sent'), 'success');
          onSent();
          window.scrollTo({ top: 0 });
        },
        onError: (error) => {
          const [first] = Object.keys(error.fieldErrors);
          if (first) focusSoon(first);
        },
      },
    );
  };
  return (
    <div className="flex max-w-form flex-col gap-6">
      {isOutdated ? (
        <div className="sticky top-2 z-10">
          <OutdatedAlert error={conflict} onLeave={onReload} />
        </div>
      ) : null}
      <CorrectionIntroduction record={record} text={t('returns:documents.text')} />
      <ol className="flex flex-col gap-4">
        {attachmentRules
          .map((rule) => ({
            rule,
            marks: openMarks.filter((mark) => fieldNameOfMark(mark) === rule.name),
          }))
          .filter(({ marks }) => marks.length > 0)
          .map(({ rule, marks }) => (
            <MarkedItem key={rule.name} marks={marks} fileNameOf={fileNamesOf(record)}>
              <DocumentUploads rules={[rule]} uploads={uploads} errors={errors} />
            </MarkedItem>
          ))}
      </ol>
      <div>
        <Button
          variant="quiet"
          icon={<PencilLine aria-hidden size={18} />}
          isDisabled={uploads.isBusy || action.isPending}
          onPress={onOpenForm}
        >
          {t('returns:documents.openForm')}
        </Button>
      </div>
      <SpecialConsent
        items={special}
        agency={record.governmentAgency.name}
        consent={{ hasConsented, setHasConsented, hasTried }}
        isDisabled={action.isPending}
      />
      <SubmitError error={isOutdated ? null : action.error} />
      <div className="flex gap-3 max-md:flex-col md:flex-wrap md:items-center">
        <Button
          size="lg"
          isPending={action.isPending}
          isDisabled={uploads.isBusy || isOutdated}
          onPress={submit}
        >
          {t('correct.send')}
        </Button>
        <Button variant="quiet" size="lg" isDisabled={action.isPending} onPress={onClose}>
          {t('returns:correct.later')}
        </Button>
        {isOutdated ? null : <SavedLine view={saving} />}
      </div>
    </div>
  );
}
