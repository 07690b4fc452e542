import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mediaTypes, type AttachmentRule } from '@diwan/contract/forms/forms';
import { submittedRequest } from '@diwan/contract/requests/requests';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { ActionDialog, type ActionDialogProps } from './action-dialog.tsx';
import { ChargeFields } from './charge-fields.tsx';
import { chargesToSend, wrongAmount } from './charges.ts';
import { messageNames, missingMessages, type Messages } from './action-draft.ts';
import { useDocumentUploads } from '../documents/document-uploads-state.ts';
import { DocumentUploads } from '../documents/document-uploads.tsx';
import { MessageFields } from '../mending/message-fields.tsx';
import { useRequestAction } from '../data/request-actions.data.ts';
import { TellingField } from '../mending/telling-field.tsx';

/**
 * The server judges a result by the same figures; here they only save a transfer that it would
 * refuse.
 */
const resultLimits = {
  name: 'result',
  required: false,
  mediaTypes: [...mediaTypes],
  maximumBytes: 10 * 1024 * 1024,
  maximumCount: 5,
};

/** A rule holds all languages, and only the one in force is ever shown. */
const inEveryLanguage = (text: string) => ({ 'ar-EG': text, 'en-US': text, 'ur-PK': text });

function useResultRules(): AttachmentRule[] {
  const { t } = useTranslation('requests');
  const title = t('dialogs.resultDocuments');
  const hint = t('dialogs.resultHint');
  return useMemo(
    () => [{ ...resultLimits, title: inEveryLanguage(title), description: inEveryLanguage(hint) }],
    [title, hint],
  );
}

export function CompleteDialog({ draft, onDraft, onDone, ...frame }: ActionDialogProps) {
  const { t } = useTranslation('requests');
  const { record } = frame;
  const { charges, isSilent } = draft;
  const action = useRequestAction(submittedRequest);
  const [missing, setMissing] = useState<readonly (keyof Messages)[]>([]);
  const [hasTried, setHasTried] = useState(false);
  const mayCharge = record.chargingActions.includes('submitted');
  const rules = useResultRules();
  const uploads = useDocumentUploads({
    serviceId: record.serviceId,
    requestId: record.requestId,
    rules,
    value: draft.results,
    onChange: (update) => onDraft((before) => ({ results: update(before.results) })),
  });
  const isShort = !uploads.isBusy && uploads.pending.length > 0;
  const hasMessage = messageNames.some((name) => draft.messages[name].trim() !== '');
  const said = {
    ...(mayCharge ? chargesToSend(charges, record.addedFeeVatRate) : {}),
    ...(hasMessage ? draft.messages : {}),
  };
  const send = (version: number) => {
    const blank = missingMessages(draft.messages, false);
    setMissing(blank);
    if (blank[0]) return void focusOn(blank[0]);
    const wrong = wrongAmount(charges);
    if (wrong) return void focusOn(wrong);
    setHasTried(true);
    if (isShort) return;
    action.mutate(
      {
        body: {
          requestId: record.requestId,
          version,
          ...said,
          requestAttachmentList: draft.results.map((each) => each.attachmentId),
          ...(isSilent ? { shouldNotifyClient: false } : {}),
          ...(draft.providerNumber.trim() === ''
            ? {}
            : { serviceProviderRequestNumber: draft.providerNumber.trim() }),
        },
      },
      { onSuccess: onDone },
    );
  };
  return (
    <ActionDialog
      {...frame}
      title={t('dialogs.completeTitle')}
      sendLabel={t('dialogs.completeSend')}
      isPending={action.isPending}
      isDisabled={uploads.isBusy}
      error={action.error}
      onSend={send}
      onForget={action.reset}
    >
      <p>{t('dialogs.completeText')}</p>
      <DocumentUploads rules={rules} uploads={uploads} />
      {mayCharge ? (
        <ChargeFields
          record={record}
          value={charges}
          onChange={(changed) => onDraft({ charges: changed })}
          hasTried={wrongAmount(charges) !== undefined}
        />
      ) : null}
      {uploads.isBusy ? <Notice isLive>{t('dialogs.uploading')}</Notice> : null}
      {isShort && hasTried ? (
        <Notice tone="danger" isLive>
          {t('dialogs.notArrived')}
        </Notice>
      ) : null}
      <TextField
        label={t('dialogs.providerNumber')}
        isOptional
        dir="ltr"
        width="medium"
        maxLength={60}
        value={draft.providerNumber}
        onChange={(providerNumber) => onDraft({ providerNumber })}
        name="serviceProviderRequestNumber"
      />
      <MessageFields
        value={draft.messages}
        onChange={(messages) => onDraft({ messages })}
        missing={missing}
        isOptional
      />
      <TellingField
        preview={{ requestId: record.requestId, action: 'submitted', ...said }}
        isSilent={isSilent}
        onSilent={(silent) => onDraft({ isSilent: silent })}
      />
    </ActionDialog>
  );
}
