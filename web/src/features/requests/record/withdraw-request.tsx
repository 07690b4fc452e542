import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { maximumReasonLength } from '@diwan/contract/requests/request-actions';
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
        {t(isDirect ? 'withdraw.button' : 'withdraw.askButton')}
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

function AskDialog({ record, reload, onClose }: DialogProps) {
  const { t } = useTranslation('requests');
  const action = useRequestAction('askToWithdraw');
  const form = useForm({ defaultValues: { reason: '' } });
  const { requestId, version } = record;
  return (
    <FormDialog
      form={form}
      title={t('withdraw.askTitle')}
      submitLabel={t('withdraw.askConfirm')}
      cancelLabel={t('withdraw.cancel')}
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
              showToast(t('withdraw.asked'), 'success');
            },
          },
        )
      }
    >
      {action.error?.fieldErrors['reason'] ? null : (
        <ActionError error={action.error} onReload={reload} isTextPreserved />
      )}
      <p>{t('withdraw.askText')}</p>
      <PaidBack record={record} />
      <FormField
        control={form.control}
        name="reason"
        validate={(reason) => (reason.trim() === '' ? t('withdraw.reasonMissing') : undefined)}
      >
        {(field) => (
          <TextAreaField
            {...field}
            label={t('withdraw.reason')}
            description={t('withdraw.reasonHint')}
            maxLength={maximumReasonLength}
          />
        )}
      </FormField>
    </FormDialog>
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
