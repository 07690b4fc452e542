import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { returnRequest } from '@diwan/contract/requests/requests';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { CheckboxGroup } from '../../../ui/forms/checkbox-group.tsx';
import { ActionDialog, type ActionDialogProps } from '../staff/action-dialog.tsx';
import {
  marksToSend,
  missingMarkWords,
  missingMessages,
  type Messages,
} from '../staff/action-draft.ts';
import { MessageFields } from './message-fields.tsx';
import { useRequestAction } from '../data/request-actions.data.ts';
import { useReasons } from '../data/requests.data.ts';
import { ReturnMarks } from './return-marks.tsx';

/** Marks say what to mend; without one, reasons and a message for the whole have to. */
export function ReturnDialog({ draft, onDraft, onDone, ...frame }: ActionDialogProps) {
  const { t } = useTranslation(['requests', 'returns']);
  const reasons = useReasons(true);
  const action = useRequestAction(returnRequest);
  const [hasTried, setHasTried] = useState(false);
  const { marks, messages } = draft;
  const hasMarks = marks.length > 0;
  const isReasonMissing = !hasMarks && draft.reasons.length === 0;
  const blankMarks = missingMarkWords(marks);
  const blank: (keyof Messages)[] = missingMessages(messages, !hasMarks);
  const hasMessage = blank.length === 0 && messages.messageAr.trim() !== '';
  const send = (version: number) => {
    setHasTried(true);
    const [first] = blankMarks;
    if (first) focusOn(`${first[0]}:${first[1][0]}`);
    else if (isReasonMissing) focusOn('reasons');
    else if (blank[0]) focusOn(blank[0]);
    else {
      const body = {
        requestId: frame.record.requestId,
        version,
        requestHistoryRejectionReasonsList: draft.reasons.map(Number),
        ...(hasMessage ? messages : {}),
        ...(hasMarks ? { marks: marksToSend(marks) } : {}),
      };
      action.mutate({ body }, { onSuccess: onDone });
    }
  };
  return (
    <ActionDialog
      {...frame}
      title={t('dialogs.returnTitle')}
      sendLabel={t('dialogs.returnSend')}
      isPending={action.isPending}
      error={action.error}
      onSend={send}
      onForget={action.reset}
    >
      <p>{t('dialogs.returnText')}</p>
      <ReturnMarks
        record={frame.record}
        value={marks}
        onChange={(changed) => onDraft({ marks: changed })}
        missing={hasTried ? blankMarks : new Map()}
      />
      <CheckboxGroup
        name="reasons"
        label={t('returns:marks.general')}
        description={t(hasMarks ? 'returns:marks.generalOptional' : 'dialogs.reasonsHint')}
        value={draft.reasons}
        onChange={(chosen) => onDraft({ reasons: chosen })}
        isOptional={hasMarks}
        choices={(reasons.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        error={hasTried && isReasonMissing ? t('dialogs.chooseReasons') : undefined}
        focusIds={['RejectionReasonNotFound']}
      />
      <MessageFields
        value={messages}
        onChange={(changed) => onDraft({ messages: changed })}
        missing={hasTried ? blank : []}
        isOptional={hasMarks}
      />
    </ActionDialog>
  );
}
