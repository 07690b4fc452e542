import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mediaTypes, type AttachmentRule } from '@diwan/contract/forms';
import { submittedRequest } from '@diwan/contract/requests';
import { focusOn } from '../../lib/focus-on.ts';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ActionDialog, type ActionDialogProps } from './action-dialog.tsx';
import { ChargeFields, chargesToSend, noCharges, wrongAmount } from './charge-fields.tsx';
import { messageNames, missingMessages, type Messages } from './action-draft.ts';
import { useDocumentUploads } from './document-uploads-state.ts';
import { DocumentUploads } from './document-uploads.tsx';
import { MessageFields } from './message-fields.tsx';
import { useRequestAction } from './request-actions.data.ts';

/** The server judges a result by the same figures; here they only save a transfer that it would refuse. */
const resultLimits = { name: 'result', required: false, mediaTypes: [...mediaTypes], maximumBytes: 10 * 1024 * 1024, maximumCount: 5 };

/** A rule holds all languages, and only the one in force is ever shown. */
const inEveryLanguage = (text: string) => ({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });

function useResultRules(): AttachmentRule[] {
  const { t } = useTranslation('requests');
  const title = t('dialogs.resultDocuments');
  const hint = t('dialogs.resultHint');
  return useMemo(() => [{ ...resultLimits, title: inEveryLanguage(title), description: inEveryLanguage(hint) }], [title, hint]);
}

export function CompleteDialog({ draft, onDraft, onDone, ...frame }: ActionDialogProps) {
  const { t } = useTranslation('requests');
  const { record } = frame;
  const action = useRequestAction(submittedRequest);
  const [missing, setMissing] = useState<readonly (keyof Messages)[]>([]);
  const [charges, setCharges] = useState(noCharges);
  const mayCharge = record.chargingActions.includes('submitted');
  const rules = useResultRules();
  const uploads = useDocumentUploads({ serviceId: record.serviceId, requestId: record.requestId, rules, value: draft.results, onChange: (update) => onDraft((before) => ({ results: update(before.results) })) });
  const send = (version: number) => {
    const blank = missingMessages(draft.messages, false);
    setMissing(blank);
    if (blank[0]) return void focusOn(blank[0]);
    const wrong = wrongAmount(charges);
    if (wrong) return void focusOn(wrong);
    const hasMessage = messageNames.some((name) => draft.messages[name].trim() !== '');
    action.mutate({
      body: {
        requestId: record.requestId, version, ...(mayCharge ? chargesToSend(charges, record.addedFeeVatRate) : {}), requestAttachmentList: draft.results.map((each) => each.attachmentId),
        ...(draft.providerNumber.trim() === '' ? {} : { serviceProviderRequestNumber: draft.providerNumber.trim() }), ...(hasMessage ? draft.messages : {}),
      },
    }, { onSuccess: onDone });
  };
  return (
    <ActionDialog
      {...frame} action="submitted" title={t('dialogs.completeTitle')} sendLabel={t('dialogs.completeSend')} isPending={action.isPending} isDisabled={uploads.isBusy} error={action.error} onSend={send} onForget={action.reset}
    >
      <p>{t('dialogs.completeText')}</p>
      <DocumentUploads rules={rules} uploads={uploads} />
      {mayCharge ? <ChargeFields record={record} value={charges} onChange={setCharges} hasTried={wrongAmount(charges) !== undefined} /> : null}
      {uploads.isBusy ? <Notice isLive>{t('dialogs.uploading')}</Notice> : null}
      <TextField label={t('dialogs.providerNumber')} isOptional dir="ltr" width="medium" maxLength={60} value={draft.providerNumber} onChange={(providerNumber) => onDraft({ providerNumber })} name="serviceProviderRequestNumber" />
      <MessageFields value={draft.messages} onChange={(messages) => onDraft({ messages })} missing={missing} isOptional />
    </ActionDialog>
  );
}
