import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { acceptRequest, approveRequest } from '@diwan/contract/requests/requests';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { ActionDialog, type ActionDialogProps } from './action-dialog.tsx';
import { ChargeFields } from './charge-fields.tsx';
import { chargesToSend, noCharges, wrongAmount } from './charges.ts';
import { optionActions, useRequestAction } from '../data/request-actions.data.ts';
import { TellingField } from '../mending/telling-field.tsx';

/**
 * To approve or accept with what the plain button does not ask: fines and fees, for which the
 * request then waits, and whether the applicant is told.
 */
export function OptionsDialog({ draft, onDraft, onDone, ...frame }: ActionDialogProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const approve = useRequestAction(approveRequest);
  const accept = useRequestAction(acceptRequest);
  const { record } = frame;
  const action = optionActions.find((each) => each === frame.action) ?? 'approve';
  const call = action === 'approve' ? approve : accept;
  const [hasTried, setHasTried] = useState(false);
  const mayCharge = record.chargingActions.includes(action);
  const charges = mayCharge ? draft.charges : noCharges;
  const sent = chargesToSend(charges, record.addedFeeVatRate);
  const wrong = wrongAmount(charges);
  const isCharging = wrong !== undefined || Object.keys(sent).length > 0;
  const send = (version: number) => {
    setHasTried(true);
    if (wrong) focusOn(wrong);
    else
      call.mutate(
        {
          body: {
            requestId: record.requestId,
            version,
            ...sent,
            ...(draft.isSilent ? { shouldNotifyClient: false } : {}),
          },
        },
        { onSuccess: onDone },
      );
  };
  return (
    <ActionDialog
      {...frame}
      title={t(`staff:options.${action}.title`)}
      sendLabel={isCharging ? t('charges.send') : t(`actions.${action}`)}
      isPending={call.isPending}
      error={call.error}
      onSend={send}
      onForget={call.reset}
    >
      {mayCharge ? (
        <>
          <p>{t('charges.text')}</p>
          <ChargeFields
            record={record}
            value={charges}
            onChange={(changed) => onDraft({ charges: changed })}
            hasTried={hasTried}
          />
        </>
      ) : null}
      <TellingField
        preview={{ requestId: record.requestId, action, ...sent }}
        isSilent={draft.isSilent}
        onSilent={(isSilent) => onDraft({ isSilent })}
      />
    </ActionDialog>
  );
}
