import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { rejectRequest } from '@diwan/contract/requests/requests';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { RadioGroup } from '../../../ui/forms/radio-group.tsx';
import { ActionDialog, type ActionDialogProps } from './action-dialog.tsx';
import { messagesOf, messageNames, missingMessages, type Messages } from './action-draft.ts';
import { MessageFields } from '../mending/message-fields.tsx';
import { useRequestAction } from '../data/request-actions.data.ts';
import { useReasons } from '../data/requests.data.ts';

export function RejectDialog({ draft, onDraft, onDone, ...frame }: ActionDialogProps) {
  const { t } = useTranslation('requests');
  const reasons = useReasons(true);
  const action = useRequestAction(rejectRequest);
  const [missing, setMissing] = useState<readonly (keyof Messages)[]>([]);
  const [hasTried, setHasTried] = useState(false);
  const reason = draft.reasons[0];
  const wordsOf = (id: string | undefined) => {
    const names = reasons.data?.find((each) => String(each.id) === id)?.names;
    return names && messagesOf(names);
  };
  // The reason is a beginning of the message; what somebody has written is left alone.
  const choose = (chosen: string) => {
    const before = wordsOf(reason);
    const isOwn = messageNames.some(
      (name) => draft.messages[name].trim() !== '' && draft.messages[name] !== before?.[name],
    );
    onDraft({
      reasons: [chosen],
      ...(isOwn ? {} : { messages: wordsOf(chosen) ?? draft.messages }),
    });
  };
  const send = (version: number) => {
    const blank = missingMessages(draft.messages, true);
    setMissing(blank);
    setHasTried(true);
    if (reason === undefined) focusOn('reason');
    else if (blank[0]) focusOn(blank[0]);
    else
      action.mutate(
        {
          body: {
            requestId: frame.record.requestId,
            version,
            requestHistoryRejectionReasonId: Number(reason),
            ...draft.messages,
          },
        },
        { onSuccess: onDone },
      );
  };
  return (
    <ActionDialog
      {...frame}
      title={t('dialogs.rejectTitle')}
      sendLabel={t('dialogs.rejectSend')}
      isDangerous
      isPending={action.isPending}
      error={action.error}
      onSend={send}
      onForget={action.reset}
    >
      <Notice tone="danger">{t('dialogs.rejectText')}</Notice>
      <RadioGroup
        name="reason"
        label={t('dialogs.reason')}
        value={reason ?? ''}
        onChange={choose}
        choices={(reasons.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        error={hasTried && reason === undefined ? t('dialogs.chooseReason') : undefined}
        focusIds={['RejectionReasonNotFound']}
      />
      <MessageFields
        value={draft.messages}
        onChange={(messages) => onDraft({ messages })}
        missing={missing}
      />
    </ActionDialog>
  );
}
