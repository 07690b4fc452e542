import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import * as calls from '@diwan/contract/requests/provider-documents';
import { DocumentUploads } from './document-uploads.tsx';
import { ruleOfStaffDocuments, type UploadedDocument } from './uploaded-documents.ts';
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

type SentDocument = Pick<
  calls.ServiceProviderAttachment,
  'attachmentId' | 'title' | 'isVisibleToApplicant'
>;

interface FormValues {
  providerTitle: string;
  files: UploadedDocument[];
  isVisibleToApplicant: boolean;
}

/** The calls that add a document and that replace all documents of a request. */
function useProviderDocumentCalls(requestId: number, onDone: () => void) {
  const { t } = useTranslation('provider');
  const client = useQueryClient();
  const finish = (message: string) => () => {
    showToast(message, 'success');
    void client.invalidateQueries({
      queryKey: [calls.getAllServiceProviderRequestAttachmentsByRequestId.name],
    });
    // The applicant is notified of documents that they can see.
    void client.invalidateQueries({ queryKey: [getRequestMessages.name] });
    onDone();
  };
  const addition = useAction(calls.createServiceProviderRequestAttachment, {
    skipErrorHandling: true,
    onSuccess: finish(t('added')),
  });
  const replacement = useAction(calls.saveServiceProviderRequestAttachment, {
    skipErrorHandling: true,
    onSuccess: finish(t('saved')),
  });
  const bodyOf = (documents: readonly SentDocument[]) => ({
    RequestId: requestId,
    ServiceProviderRequestAttachments: documents.map(
      ({ attachmentId, title, isVisibleToApplicant }) => ({
        attachmentId,
        title,
        isVisibleToApplicant,
      }),
    ),
  });
  return {
    addition,
    replacement,
    add: (document: SentDocument) => addition.mutate({ body: bodyOf([document]) }),
    replaceAll: (documents: readonly SentDocument[]) =>
      replacement.mutate({ body: bodyOf(documents) }),
  };
}

/** The upload of the file of a new document into the form of the dialog. */
function useProviderFile(
  { control, formState, getValues, setValue }: UseFormReturn<FormValues>,
  request: { requestId: number; serviceId: number },
) {
  const { t } = useTranslation('provider');
  // Read while rendering: react-hook-form reports only what a render has read.
  const { isSubmitted } = formState;
  const title = t('file');
  const rules = useMemo(
    () => [
      ruleOfStaffDocuments({
        name: calls.providerDocumentName,
        required: true,
        maximumCount: 1,
        title,
      }),
    ],
    [title],
  );
  const uploads = useDocumentUploads({
    ...request,
    rules,
    value: useWatch({ control, name: 'files' }),
    onChange: (update) =>
      setValue('files', update(getValues('files')), { shouldValidate: isSubmitted }),
  });
  return { rules, uploads };
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
  const { control } = form;
  const { rules, uploads } = useProviderFile(form, { requestId, serviceId });
  const { addition, replacement, add, replaceAll } = useProviderDocumentCalls(requestId, onClose);
  const { isPending, error, reset } = document ? replacement : addition;
  const submit = ({ providerTitle, files: [file], isVisibleToApplicant }: FormValues) => {
    const title = providerTitle.trim();
    if (document)
      return replaceAll(
        documents.map((each) =>
          each.attachmentId === document.attachmentId
            ? { ...each, title, isVisibleToApplicant }
            : each,
        ),
      );
    if (file) add({ attachmentId: file.attachmentId, title, isVisibleToApplicant });
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
              replaceAll(
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
