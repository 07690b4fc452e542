import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mediaTypes, type AttachmentRule } from '@diwan/contract/forms/forms';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import * as calls from '@diwan/contract/requests/service-provider-attachments';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { useAction } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Checkbox } from '../../../ui/forms/checkbox.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { useDocumentUploads } from './document-uploads-state.ts';
import { DocumentUploads } from './document-uploads.tsx';
import type { UploadedDocument } from '../drafts/draft.ts';

interface ProviderDocumentDialogProps {
  requestId: number;
  serviceId: number;
  /** Missing for a new one. */
  document: calls.ServiceProviderAttachment | undefined;
  /** All that there are now. */
  documents: readonly calls.ServiceProviderAttachment[];
  onClose: () => void;
}

/** The server judges by the same figures; here they only save a transfer that it would refuse. */
const limits = {
  name: 'provider',
  required: true,
  mediaTypes: [...mediaTypes],
  maximumBytes: 10 * 1024 * 1024,
  maximumCount: 1,
};

function useKeep(onDone: () => void) {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({
      queryKey: [calls.getAllServiceProviderRequestAttachmentsByRequestId.name],
    });
    // The applicant is told of what they can see.
    void client.invalidateQueries({ queryKey: [getRequestMessages.name] });
    onDone();
  };
}

/**
 * A document of staff or of the service provider: a new one, or what one is called and who sees it.
 */
export function ProviderDocumentDialog({
  requestId,
  serviceId,
  document,
  documents,
  onClose,
}: ProviderDocumentDialogProps) {
  const { t } = useTranslation('provider');
  const [title, setTitle] = useState(document?.title ?? '');
  const [isVisibleToApplicant, setIsVisible] = useState(document?.isVisibleToApplicant ?? false);
  const [files, setFiles] = useState<UploadedDocument[]>([]);
  const [hasTried, setHasTried] = useState(false);
  const label = t('file');
  const rules = useMemo(
    (): AttachmentRule[] => [
      { ...limits, title: { 'ar-EG': label, 'en-US': label, 'ur-PK': label } },
    ],
    [label],
  );
  const uploads = useDocumentUploads({
    serviceId,
    requestId,
    rules,
    value: files,
    onChange: setFiles,
  });
  const keep = useKeep(onClose);
  const add = useAction(calls.createServiceProviderRequestAttachment, {
    skipErrorHandling: true,
    onSuccess: () => {
      showToast(t('added'), 'success');
      keep();
    },
  });
  const save = useAction(calls.saveServiceProviderRequestAttachment, {
    skipErrorHandling: true,
    onSuccess: () => {
      showToast(t('saved'), 'success');
      keep();
    },
  });
  const { isPending, error } = document ? save : add;
  const putInPlace = (
    changed: readonly { attachmentId: string; title: string; isVisibleToApplicant: boolean }[],
  ) =>
    save.mutate({
      body: {
        RequestId: requestId,
        ServiceProviderRequestAttachments: changed.map((each) => ({
          attachmentId: each.attachmentId,
          title: each.title,
          isVisibleToApplicant: each.isVisibleToApplicant,
        })),
      },
    });
  const send = () => {
    setHasTried(true);
    if (title.trim() === '') return void focusOn('providerTitle');
    if (document)
      return putInPlace(
        documents.map((each) =>
          each.attachmentId === document.attachmentId
            ? { ...each, title: title.trim(), isVisibleToApplicant }
            : each,
        ),
      );
    const [file] = files;
    if (!file) return void focusOn('attachments.provider');
    add.mutate({
      body: {
        RequestId: requestId,
        ServiceProviderRequestAttachments: [
          { attachmentId: file.attachmentId, title: title.trim(), isVisibleToApplicant },
        ],
      },
    });
  };
  return (
    <Dialog
      isOpen
      title={t(document ? 'changeTitle' : 'addTitle')}
      onClose={onClose}
      isBusy={isPending}
      actions={
        <>
          <Button isPending={isPending} isDisabled={uploads.isBusy} onPress={send}>
            {t(document ? 'save' : 'add')}
          </Button>
          {document ? (
            <Button
              variant="danger"
              isDisabled={isPending}
              onPress={() =>
                putInPlace(
                  documents.filter(({ attachmentId }) => attachmentId !== document.attachmentId),
                )
              }
            >
              {t('takeOff')}
            </Button>
          ) : null}
          <Button variant="quiet" isDisabled={isPending} onPress={onClose}>
            {t('cancel')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <TextField
          name="providerTitle"
          label={t('name')}
          description={t('nameHint')}
          value={title}
          onChange={setTitle}
          maxLength={120}
          dir="auto"
          error={hasTried && title.trim() === '' ? t('nameMissing') : undefined}
        />
        {document ? null : (
          <DocumentUploads
            rules={rules}
            uploads={uploads}
            errors={
              hasTried && files.length === 0 && !uploads.isBusy
                ? { provider: t('fileMissing') }
                : {}
            }
          />
        )}
        <Checkbox
          label={t('visible')}
          hint={t('visibleHint')}
          value={isVisibleToApplicant}
          onChange={setIsVisible}
        />
        {error ? (
          <Notice tone="danger" isLive title={t('notSaved')}>
            {messageOf(error)}
          </Notice>
        ) : null}
      </div>
    </Dialog>
  );
}
