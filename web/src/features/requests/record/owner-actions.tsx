import { Scale, Undo2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { maximumReasonLength } from '@diwan/contract/processing/withdrawals';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { useRequestAction } from '../data/request-actions.data.ts';
import { ActionError } from './action-error.tsx';

interface WithdrawRequestProps {
  record: RequestRecord;
  reload: () => Promise<unknown>;
}

/** The way out of a request for its owner: before work begins it ends; later the agency decides. */
export function WithdrawRequest({ record, reload }: WithdrawRequestProps) {
  const { t } = useTranslation('requests');
  const [isOpen, setIsOpen] = useState(false);
  const isDirect = record.allowedActions.includes('withdraw');
  if (!isDirect && !record.allowedActions.includes('askToWithdraw')) return null;
  const props = { record, reload, onClose: () => setIsOpen(false) };
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        icon={<Undo2 aria-hidden size={18} className="rtl:-scale-x-100" />}
        onPress={() => setIsOpen(true)}
      >
        {t(isDirect ? 'withdraw.button' : 'withdraw.ask.button')}
      </Button>
      {isOpen ? isDirect ? <WithdrawDialog {...props} /> : <AskDialog {...props} /> : null}
    </>
  );
}

type DialogProps = WithdrawRequestProps & { onClose: () => void };

function WithdrawDialog({ record, reload, onClose }: DialogProps) {
  const { t } = useTranslation('requests');
  const action = useRequestAction('withdraw');
  const { requestId, version } = record;
  return (
    <ConfirmDialog
      title={t('withdraw.title')}
      confirmLabel={t('withdraw.confirm')}
      cancelLabel={t('withdraw.cancel')}
      isDangerous
      isPending={action.isPending}
      onClose={onClose}
      onConfirm={() =>
        action.mutate(
          { requestId, version },
          {
            onSuccess: () => {
              onClose();
              showToast(t('withdraw.done'), 'success');
            },
          },
        )
      }
    >
      <div className="flex flex-col gap-4">
        <ActionError error={action.error} onReload={reload} />
        <p>{t('withdraw.text')}</p>
        <PaidBack record={record} />
      </div>
    </ConfirmDialog>
  );
}

/** A dialog in which the applicant gives a reason. Its texts are under the key of `texts`. */
function ReasonDialog({
  record,
  reload,
  onClose,
  action: name,
  texts,
  children,
}: DialogProps & {
  action: 'askToWithdraw' | 'object';
  texts: 'withdraw.ask' | 'objection';
  children: ReactNode;
}) {
  const { t } = useTranslation('requests');
  const action = useRequestAction(name);
  const form = useForm({ defaultValues: { reason: '' } });
  const { requestId, version } = record;
  return (
    <FormDialog
      form={form}
      title={t(`${texts}.title`)}
      submitLabel={t(`${texts}.send`)}
      cancelLabel={t(`${texts}.cancel`)}
      isPending={action.isPending}
      error={action.error}
      errorPosition="none"
      onResetError={action.reset}
      onClose={onClose}
      onSubmit={({ reason }) =>
        action.mutate(
          { requestId, version, reason },
          {
            onSuccess: () => {
              onClose();
              showToast(t(`${texts}.done`), 'success');
            },
          },
        )
      }
    >
      {action.error?.fieldErrors['reason'] ? null : (
        <ActionError error={action.error} onReload={reload} isTextPreserved />
      )}
      {children}
      <FormField
        control={form.control}
        name="reason"
        validate={(reason) => (reason.trim() === '' ? t(`${texts}.reasonMissing`) : undefined)}
      >
        {(field) => (
          <TextAreaField
            {...field}
            label={t(`${texts}.reason`)}
            description={t(`${texts}.reasonHint`)}
            maxLength={maximumReasonLength}
          />
        )}
      </FormField>
    </FormDialog>
  );
}

function AskDialog(props: DialogProps) {
  const { t } = useTranslation('requests');
  return (
    <ReasonDialog {...props} action="askToWithdraw" texts="withdraw.ask">
      <p>{t('withdraw.ask.text')}</p>
      <PaidBack record={props.record} />
    </ReasonDialog>
  );
}

/** Until when its owner may object to the decision on a request, and the way to do it. */
export function ObjectToDecision({ record, reload }: WithdrawRequestProps) {
  const { t } = useTranslation('requests');
  const { date } = useFormat();
  const [isOpen, setIsOpen] = useState(false);
  const { objectUntil } = record;
  if (objectUntil === undefined) return null;
  const isRejection = record.statusTone === 'refused';
  const isToPay = record.allowedActions.includes('pay');
  const words = isRejection
    ? ({ until: 'objection.until', text: 'objection.text' } as const)
    : isToPay
      ? ({ until: 'objection.fineUntil', text: 'objection.fineText' } as const)
      : ({ until: 'objection.paidFineUntil', text: 'objection.paidFineText' } as const);
  return (
    <div className="flex flex-col gap-3 md:items-start">
      {/* The paper says it too. */}
      <p>{t(words.until, { day: date(objectUntil) })}</p>
      <div data-no-print className="flex flex-col md:items-start">
        <Button
          variant="secondary"
          icon={<Scale aria-hidden size={18} />}
          onPress={() => setIsOpen(true)}
        >
          {t(isRejection ? 'objection.button' : 'objection.fineButton')}
        </Button>
      </div>
      {isOpen ? (
        <ReasonDialog
          record={record}
          reload={reload}
          onClose={() => setIsOpen(false)}
          action="object"
          texts="objection"
        >
          <p>{t(words.text)}</p>
        </ReasonDialog>
      ) : null}
    </div>
  );
}

/** What of the paid amount is paid back. */
function PaidBack({ record: { withdrawal } }: Pick<WithdrawRequestProps, 'record'>) {
  const { t } = useTranslation('requests');
  const { money } = useFormat();
  if (!withdrawal || withdrawal.paid === 0) return null;
  const { paid, refund } = withdrawal;
  const amounts = { paid: money(paid), refund: money(refund) };
  return (
    <p className="font-semibold">
      {refund === 0
        ? t('withdraw.nothingBack', amounts)
        : t(refund === paid ? 'withdraw.allBack' : 'withdraw.partBack', amounts)}
    </p>
  );
}
