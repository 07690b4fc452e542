import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { acceptRequest, approveRequest } from '@diwan/contract/requests';
import { focusOn } from '../../lib/focus-on.ts';
import { ActionDialog, type ActionDialogProps } from './action-dialog.tsx';
import { ChargeFields, chargesToSend, wrongAmount, type TypedCharges } from './charge-fields.tsx';
import { useRequestAction } from './request-actions.data.ts';

/** Actions that ask for nothing but what they may charge. */
export const chargeableActions = ['approve', 'accept'] as const;

interface ChargeDialogProps extends Pick<ActionDialogProps, 'record' | 'reload' | 'onClose' | 'onDone'> {
  action: (typeof chargeableActions)[number];
  charges: TypedCharges;
  onCharges: (charges: TypedCharges) => void;
}

/** The action with fines or fees: the request waits until they are paid. */
export function ChargeDialog({ action, charges, onCharges, onDone, ...frame }: ChargeDialogProps) {
  const { t } = useTranslation('requests');
  const approve = useRequestAction(approveRequest);
  const accept = useRequestAction(acceptRequest);
  const call = action === 'approve' ? approve : accept;
  const [hasTried, setHasTried] = useState(false);
  const { record } = frame;
  const send = (version: number) => {
    setHasTried(true);
    const wrong = wrongAmount(charges);
    const sent = chargesToSend(charges, record.addedFeeVatRate);
    if (wrong) focusOn(wrong);
    else if (Object.keys(sent).length === 0) focusOn('fines');
    else call.mutate({ body: { requestId: record.requestId, version, ...sent } }, { onSuccess: onDone });
  };
  return (
    <ActionDialog {...frame} action={action} title={t('charges.title')} sendLabel={t('charges.send')} isPending={call.isPending} error={call.error} onSend={send} onForget={call.reset}>
      <p>{t('charges.text')}</p>
      <ChargeFields record={record} value={charges} onChange={onCharges} hasTried={hasTried} />
    </ActionDialog>
  );
}
