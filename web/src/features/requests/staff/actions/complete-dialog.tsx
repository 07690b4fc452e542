import { useMemo } from 'react';
import { useRequestAction } from '#features/requests/data/request-actions.data.ts';
import { useChargeReasons } from '#features/requests/data/requests.data.ts';
import { DocumentUploads } from '#features/requests/documents/document-uploads.tsx';
import { ruleOfStaffDocuments } from '#features/requests/documents/uploaded-documents.ts';
import { useDocumentUploads } from '#features/requests/documents/use-document-uploads.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert } from '#ui/feedback/alert.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { hasMessage } from '#ui/forms/message-fields.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import { resultName } from '@diwan/contract/requests/attachments';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { ActionDialog, useActionForm, type ActionDialogProps } from './action-dialog.tsx';
import { type ActionDraft } from './action-draft.ts';
import { ChargesFormField } from './charge-fields.tsx';
import { toChargesBody } from './charges.ts';
import { DiscountFields, toDiscountsBody } from './discount-fields.tsx';
import { MessageFormField, NotificationFormField } from './notification-field.tsx';

function useResultRules(required: boolean): AttachmentRule[] {
  const { t } = useTranslation('requests');
  const title = t('dialogs.resultDocuments');
  const description = t('dialogs.resultHint');
  return useMemo(
    () => [
      ruleOfStaffDocuments({ name: resultName, required, maximumCount: 5, title, description }),
    ],
    [required, title, description],
  );
}

function requirementsOf({ requiredInputs, isResultRequired }: RequestRecord) {
  const requires = requiredInputs.submitted ?? [];
  return {
    requires,
    isResultRequired: isResultRequired === true || requires.includes('document'),
    isMessageRequired: requires.includes('note'),
  };
}

export function CompleteDialog({ draft, onDraft, onDone, ...frame }: ActionDialogProps) {
  const { t } = useTranslation(['requests', 'certificates']);
  const { record } = frame;
  const action = useRequestAction('submitted');
  const reader = record.applicantLanguage;
  const form = useActionForm({ draft, onDraft });
  const { control, formState, getValues, setValue, watch } = form;
  const { charges, discounts, messages, results } = watch();
  const canCharge = record.chargingActions.includes('submitted');
  const reasons = useChargeReasons(record.requestId, canCharge).data ?? [];
  const { requires, isResultRequired, isMessageRequired } = requirementsOf(record);
  const rules = useResultRules(isResultRequired);
  const uploads = useDocumentUploads({
    serviceId: record.serviceId,
    requestId: record.requestId,
    rules,
    value: results,
    onChange: (update) => setValue('results', update(getValues('results'))),
  });
  const isIncomplete = !uploads.isBusy && uploads.pending.length > 0;
  const isResultMissing = isResultRequired && uploads.pending.length === 0 && results.length === 0;
  const chargesBody = canCharge ? toChargesBody(charges, record.addedFeeVatRate) : {};
  const notification = {
    ...chargesBody,
    ...toDiscountsBody(record, discounts),
    ...(hasMessage(messages) ? messages : {}),
  };
  const send = (sent: ActionDraft, version: number) => {
    const providerNumber = sent.providerNumber.trim();
    action.mutate(
      {
        requestId: record.requestId,
        version,
        ...notification,
        requestAttachmentList: sent.results.map((each) => each.attachmentId),
        ...(sent.isSilent ? { shouldNotifyClient: false } : {}),
        ...(providerNumber === '' ? {} : { serviceProviderRequestNumber: providerNumber }),
      },
      { onSuccess: onDone },
    );
  };
  return (
    <ActionDialog
      {...frame}
      form={form}
      title={t('dialogs.completeTitle')}
      sendLabel={t('dialogs.completeSend')}
      isPending={action.isPending}
      isDisabled={uploads.isBusy}
      error={action.error}
      onSend={send}
      onReset={action.reset}
    >
      <p>{t('dialogs.completeText')}</p>
      {record.issuesCertificate ? <p>{t('certificates:issued')}</p> : null}
      <FormField
        control={control}
        name="results"
        focusId="attachments.result"
        validate={() => {
          if (isResultMissing) return t('dialogs.resultMissing');
          return isIncomplete ? t('dialogs.notArrived') : undefined;
        }}
      >
        {({ error }) => (
          <DocumentUploads
            rules={rules}
            uploads={uploads}
            errors={{ result: isResultMissing ? error : undefined }}
          />
        )}
      </FormField>
      <DiscountFields record={record} form={form} />
      {canCharge ? (
        <ChargesFormField
          form={form}
          record={record}
          reasons={reasons}
          isRequired={requires.includes('fee')}
        />
      ) : null}
      {uploads.isBusy ? <Alert isLive>{t('dialogs.uploading')}</Alert> : null}
      {isIncomplete && formState.isSubmitted ? (
        <Alert tone="danger" isLive>
          {t('dialogs.notArrived')}
        </Alert>
      ) : null}
      <FormField control={control} name="providerNumber">
        {(field) => (
          <TextField
            {...field}
            name="serviceProviderRequestNumber"
            label={t('dialogs.providerNumber')}
            isOptional
            dir="ltr"
            width="medium"
            maxLength={60}
          />
        )}
      </FormField>
      <MessageFormField form={form} reader={reader} isRequired={isMessageRequired} />
      <NotificationFormField
        form={form}
        preview={{ requestId: record.requestId, action: 'submitted', ...notification }}
      />
    </ActionDialog>
  );
}
