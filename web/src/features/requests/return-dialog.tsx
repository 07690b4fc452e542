import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { returnRequest } from '@diwan/contract/requests';
import { focusOn } from '../../lib/focus-on.ts';
import { CheckboxGroup } from '../../ui/checkbox-group.tsx';
import { ActionDialog, type ActionDialogProps } from './action-dialog.tsx';
import { missingMessages, type Messages } from './action-draft.ts';
import { MessageFields } from './message-fields.tsx';
import { useRequestAction } from './request-actions.data.ts';
import { useReasons } from './requests.data.ts';

export function ReturnDialog({ draft, onDraft, onDone, ...frame }: ActionDialogProps) {
  const { t } = useTranslation('requests');
  const reasons = useReasons(true);
  const action = useRequestAction(returnRequest);
  const [missing, setMissing] = useState<readonly (keyof Messages)[]>([]);
  const [hasTried, setHasTried] = useState(false);
  const hasReasons = draft.reasons.length > 0;
  const send = (version: number) => {
    const blank = missingMessages(draft.messages, true);
    setMissing(blank);
    setHasTried(true);
    if (!hasReasons) focusOn('reasons');
    else if (blank[0]) focusOn(blank[0]);
    else action.mutate({ body: { requestId: frame.record.requestId, version, requestHistoryRejectionReasonsList: draft.reasons.map(Number), ...draft.messages } }, { onSuccess: onDone });
  };
  return (
    <ActionDialog {...frame} action="return" title={t('dialogs.returnTitle')} sendLabel={t('dialogs.returnSend')} isPending={action.isPending} error={action.error} onSend={send} onForget={action.reset}>
      <p>{t('dialogs.returnText')}</p>
      <CheckboxGroup
        name="reasons" label={t('dialogs.reasons')} description={t('dialogs.reasonsHint')} value={draft.reasons} onChange={(chosen) => onDraft({ reasons: chosen })}
        choices={(reasons.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))} error={hasTried && !hasReasons ? t('dialogs.chooseReasons') : undefined} focusIds={['RejectionReasonNotFound']}
      />
      <MessageFields value={draft.messages} onChange={(messages) => onDraft({ messages })} missing={missing} />
    </ActionDialog>
  );
}
