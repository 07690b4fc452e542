import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { mediaTypes, type AttachmentRule } from '@diwan/contract/forms/forms';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import * as calls from '@diwan/contract/requests/provider-documents';
import { DocumentUploads } from './document-uploads.tsx';
import type { UploadedDocument } from './uploaded-documents.ts';
import { useDocumentUploads } from './use-document-uploads.ts';

interface ProviderDocumentDialogProps {
  requestId: number;
  serviceId: number;
  /** Undefined for a new document. */
  document: calls.ServiceProviderAttachment | undefined;
  /** All current documents, because the call replaces all of them. */
  documents: readonly calls.ServiceProviderAttachment[];
  onClose: () => void;
}

interface FormValues {
  providerTitle: string;
  files: UploadedDocument[];
  isVisibleToApplicant: boolean;
}

/** The same limits as on the server, so that a file that it would refuse is not uploaded. */
const limits = {
  name: 'provider',
  required: true,
  mediaTypes: [...mediaTypes],
  maximumBytes: 10 * 1024 * 1024,
  maximumCount: 1,
};

function useRefreshDocuments(onDone: () => void) {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({
      queryKey: [calls.getAllServiceProviderRequestAttachmentsByRequestId.name],
    });
    // The applicant is notified of documents that they can see.
    void client.invalidateQueries({ queryKey: [getRequestMessages.name] });
    onDone();
  };
}

/**
 * Adds a document of staff or of the service provider, or changes its title and visibility.
 */
export function ProviderDocumentDialog({
  requestId,
  serviceId,
  document,
  documents,
  onClose,
}: ProviderDocumentDialogProps) {
  const { t } = useTranslation('provider');
  const form = useForm<FormValues>({
    defaultValues: {
      providerTitle: document?.title ?? '',
      files: [],
      isVisibleToApplicant: document?.isVisibleToApplicant ?? false,
    },
  });
  const { control, getValues, setValue } = form;
  // Read while rendering: react-hook-form reports only what a render has read.
  const { isSubmitted } = form.formState;
  const files = useWatch({ control, name: 'files' });
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
    onChange: (update) => {
      const changed = update(getValues('files'));
      setValue('files', changed, { shouldValidate: isSubmitted });
    },
  });
  const refresh = useRefreshDocuments(onClose);
  const add = useAction(calls.createServiceProviderRequestAttachment, {
    skipErrorHandling: true,
    onSuccess: () => {
      showToast(t('added'), 'success');
      refresh();
    },
  });
  const save = useAction(calls.saveServiceProviderRequestAttachment, {
    skipErrorHandling: true,
    onSuccess: () => {
      showToast(t('saved'), 'success');
      refresh();
    },
  });
  const { isPending, error, reset } = document ? save : add;
  const saveAll = (
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
  const submit = ({ providerTitle, files: [file], isVisibleToApplicant }: FormValues) => {
    const title = providerTitle.trim();
    if (document)
      return saveAll(
        documents.map((each) =>
          each.attachmentId === document.attachmentId
            ? { ...each, title, isVisibleToApplicant }
            : each,
        ),
      );
    if (file)
      add.mutate({
        body: {
          RequestId: requestId,
          ServiceProviderRequestAttachments: [
            { attachmentId: file.attachmentId, title, isVisibleToApplicant },
          ],
        },
      });
  };
  return (
    <FormDialog
      form={form}
      title={t(document ? 'changeTitle' : 'addTitle')}
      submitLabel={t(document ? 'save' : 'add')}
      cancelLabel={t('cancel')}
      isPending={isPending}
      isDisabled={uploads.isBusy}
      error={error}
      errorTitle={t('notSaved')}
      errorPosition="bottom"
      onResetError={reset}
      submitsOnEnter={false}
      onSubmit={submit}
      onClose={onClose}
      otherAction={
        document ? (
          <Button
            variant="danger"
            isDisabled={isPending}
            onPress={() =>
              saveAll(
                documents.filter(({ attachmentId }) => attachmentId !== document.attachmentId),
              )
            }
          >
            {t('takeOff')}
          </Button>
        ) : null
      }
    >
      <FormField
        control={control}
        name="providerTitle"
        validate={(title) => (title.trim() === '' ? t('nameMissing') : undefined)}
      >
        {(field) => (
          <TextField
            {...field}
            label={t('name')}
            description={t('nameHint')}
            maxLength={120}
            dir="auto"
          />
        )}
      </FormField>
      {document ? null : (
        <FormField
          control={control}
          name="files"
          focusId="attachments.provider"
          validate={(uploaded) => (uploaded.length === 0 ? t('fileMissing') : undefined)}
        >
          {({ error: message }) => (
            <DocumentUploads
              rules={rules}
              uploads={uploads}
              errors={message && !uploads.isBusy ? { provider: message } : {}}
            />
          )}
        </FormField>
      )}
      <FormField control={control} name="isVisibleToApplicant">
        {(field) => <Checkbox {...field} label={t('visible')} hint={t('visibleHint')} />}
      </FormField>
    </FormDialog>
  );
}
