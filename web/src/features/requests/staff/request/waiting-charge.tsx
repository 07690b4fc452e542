import { useState } from 'react';
import { useStoreRecord } from '#features/requests/data/requests.data.ts';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { undoAction } from '@diwan/contract/processing/pending-actions';
import { decideCharge } from '@diwan/contract/processing/waiting-charges';
import type { RequestRecord } from '@diwan/contract/requests/requests';

interface WaitingChargeProps {
  record: RequestRecord;
  heldAction: NonNullable<RequestRecord['heldAction']>;
}

/** Asks before fines and fees of another person are confirmed or refused. */
function DecideDialog({
  record,
  heldAction: { name, waiting },
  isConfirmed,
  onClose,
}: WaitingChargeProps & { isConfirmed: boolean; onClose: () => void }) {
  const { t } = useTranslation('waiting-charges');
  const format = useFormat();
  const storeRecord = useStoreRecord();
  const action = useAction(decideCharge, {
    skipErrorHandling: true,
    onSuccess: (reply) => {
      storeRecord(reply);
      showToast(t(isConfirmed ? 'confirmed' : 'refused'), 'success');
      onClose();
    },
  });
  const label = t(isConfirmed ? 'confirm' : 'refuse');
  return (
    <ConfirmDialog
      title={label}
      confirmLabel={label}
      cancelLabel={t('cancel')}
      isDangerous={!isConfirmed}
      isPending={action.isPending}
      onConfirm={() =>
        action.mutate({
          body: {
            requestId: record.requestId,
            heldActionId: waiting?.heldActionId ?? 0,
            isConfirmed,
          },
        })
      }
      onClose={onClose}
    >
      <ErrorAlert error={action.error} />
      <p>
        {t(isConfirmed ? 'confirmText' : 'refuseText', {
          amount: format.money(waiting?.amount ?? 0),
          name: `\u2068${name}\u2069`,
        })}
      </p>
    </ConfirmDialog>
  );
}

/**
 * What waits on a request for a second person: who asked for it can take it back, another administrator
 * confirms or refuses it.
 */
export function WaitingCharge({ record, heldAction }: WaitingChargeProps) {
  const { t } = useTranslation('waiting-charges');
  const format = useFormat();
  const storeRecord = useStoreRecord();
  const [decision, setDecision] = useState<boolean>();
  const undo = useAction(undoAction, {
    onSuccess: (reply) => {
      storeRecord(reply);
      showToast(t('takenBack'), 'success');
    },
  });
  const { requestId, version } = record;
  return (
    <div data-no-print className="mb-6">
      <Alert tone="warning">
        <p>
          {t(heldAction.isYou ? 'own' : 'other', {
            amount: format.money(heldAction.waiting?.amount ?? 0),
            name: `\u2068${heldAction.name}\u2069`,
          })}
        </p>
        <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
          {heldAction.isYou ? (
            <Button
              size="sm"
              variant="secondary"
              isPending={undo.isPending}
              onPress={() => undo.mutate({ body: { requestId, version } })}
            >
              {t('takeBack')}
            </Button>
          ) : (
            <>
              <Button call={decideCharge} size="sm" onPress={() => setDecision(true)}>
                {t('confirm')}
              </Button>
              <Button
                call={decideCharge}
                size="sm"
                variant="secondary"
                onPress={() => setDecision(false)}
              >
                {t('refuse')}
              </Button>
            </>
          )}
        </div>
      </Alert>
      {decision === undefined ? null : (
        <DecideDialog
          record={record}
          heldAction={heldAction}
          isConfirmed={decision}
          onClose={() => setDecision(undefined)}
        />
      )}
    </div>
  );
}
