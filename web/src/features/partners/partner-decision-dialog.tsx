import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  changePartnerState,
  type PartnerRecord,
} from '@diwan/contract/people/partner-registration';
import { partnerMoves, type PartnerAction } from '@diwan/contract/people/partner-states';
import { focusOn } from '../../lib/browser/focus-on.ts';
import { messageOf } from '../../lib/api/handle-error.ts';
import { showToast } from '../../lib/browser/toasts.ts';
import { useAction } from '../../lib/api/use-call.ts';
import { Button } from '../../ui/actions/button.tsx';
import { CheckboxGroup } from '../../ui/forms/checkbox-group.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';

export interface DecisionDraft {
  reasons: string[];
  messages: { messageAr: string; messageEn: string; messageUr: string };
}

export const emptyDecision: DecisionDraft = {
  reasons: [],
  messages: { messageAr: '', messageEn: '', messageUr: '' },
};

interface PartnerDecisionDialogProps {
  record: PartnerRecord;
  action: PartnerAction;
  draft: DecisionDraft;
  onDraft: (draft: DecisionDraft) => void;
  /** The message in three languages; `isTried` shows what of it is missing. */
  children: (isTried: boolean) => ReactNode;
  onClose: () => void;
  onDone: (record: PartnerRecord) => void;
  reload: () => unknown;
}

/**
 * One decision of an admin about a provider, with its reasons. What was typed stays when it is
 * closed by mistake.
 */
export function PartnerDecisionDialog({
  record,
  action,
  draft,
  onDraft,
  children,
  onClose,
  onDone,
  reload,
}: PartnerDecisionDialogProps) {
  const { t } = useTranslation(['partners', 'errors']);
  const [isTried, setIsTried] = useState(false);
  const change = useAction(changePartnerState, {
    skipErrorHandling: true,
    onSuccess: (fresh) => {
      showToast(t(`decide.${action}.done`), 'success');
      onDone(fresh);
    },
  });
  const { isReasoned } = partnerMoves[action];
  const reasons = record.reasons[action] ?? [];
  const written = Object.values(draft.messages).filter((text) => text.trim() !== '').length;
  const chosen = draft.reasons.filter((name) => reasons.some((reason) => reason.name === name));
  const send = () => {
    setIsTried(true);
    if (isReasoned && chosen.length === 0) return void focusOn('reasons');
    if (written > 0 && written < 3) return void focusOn('MessageIncomplete');
    const messages = written === 3 ? draft.messages : {};
    change.mutate(
      {
        body: {
          partnerId: record.partnerId,
          action,
          version: record.version,
          reasons: chosen,
          ...messages,
        },
      },
      {
        onError: ({ name }) => {
          if (name === 'ProviderHasChanged' || name === 'ProviderActionNotAllowed') reload();
        },
      },
    );
  };
  const isDangerous = action === 'refuse' || action === 'suspend';
  return (
    <Dialog
      isOpen
      kind={isReasoned ? 'panel' : 'modal'}
      onClose={onClose}
      title={t(`decide.${action}.title`)}
      isBusy={change.isPending}
      actions={
        <>
          <Button
            variant={isDangerous ? 'danger' : 'primary'}
            isPending={change.isPending}
            onPress={send}
          >
            {t(`decide.${action}.send`)}
          </Button>
          <Button variant="quiet" isDisabled={change.isPending} onPress={onClose}>
            {t('decide.cancel')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <p>
          <bdi className="font-semibold">{record.name}</bdi>
        </p>
        <p className="text-ink-700">{t(`decide.${action}.text`)}</p>
        {action === 'suspend' && record.openRequestsCount > 0 ? (
          <Notice tone="warning">
            {t('decide.openRequests', { count: record.openRequestsCount })}
          </Notice>
        ) : null}
        {isReasoned ? (
          <>
            <CheckboxGroup
              name="reasons"
              label={t('decide.reasons')}
              value={chosen}
              onChange={(value) => onDraft({ ...draft, reasons: value })}
              choices={reasons.map(({ name, text }) => ({ value: name, label: text }))}
              error={
                isTried && chosen.length === 0
                  ? t('refusals.ReasonRequired', { ns: 'errors' })
                  : undefined
              }
              focusIds={['ReasonRequired']}
            />
            {children(isTried)}
          </>
        ) : null}
        {change.error ? (
          <Notice tone="danger" isLive>
            {messageOf(change.error)}
          </Notice>
        ) : null}
      </div>
    </Dialog>
  );
}
