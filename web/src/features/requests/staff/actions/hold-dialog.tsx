import { useRequestAction } from '#features/requests/data/request-actions.data.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { DayField } from '#ui/forms/day-field.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { maximumHoldDays } from '@diwan/contract/requests/request-actions';
import { dayAfter, isRealDay } from '@diwan/contract/wire/days';
import { ActionDialog, useActionForm, type ActionDialogProps } from './action-dialog.tsx';
import { MessageFormField } from './notification-field.tsx';

/** Puts the request on hold: until which day, and why. The applicant reads both. */
export function HoldDialog({ draft, onDraft, onDone, ...frame }: ActionDialogProps) {
  const { t } = useTranslation('requests');
  const { date } = useFormat();
  const action = useRequestAction('hold');
  const form = useActionForm({ draft, onDraft });
  const { requestId, applicantLanguage } = frame.record;
  const today = serverToday();
  const [earliest, latest] = [dayAfter(today, 1), dayAfter(today, maximumHoldDays)];
  const isPossible = (day: string) => isRealDay(day) && day >= earliest && day <= latest;
  return (
    <ActionDialog
      {...frame}
      form={form}
      title={t('dialogs.holdTitle')}
      sendLabel={t('dialogs.holdSend')}
      isPending={action.isPending}
      error={action.error}
      onSend={({ holdUntil, messages }, version) =>
        action.mutate({ requestId, version, holdUntil, ...messages }, { onSuccess: onDone })
      }
      onReset={action.reset}
    >
      <p>{t('dialogs.holdText')}</p>
      <FormField
        control={form.control}
        name="holdUntil"
        validate={(day) =>
          isPossible(day)
            ? undefined
            : t('dialogs.holdDayWrong', { from: date(earliest), to: date(latest) })
        }
      >
        {(field) => (
          <DayField
            {...field}
            label={t('dialogs.holdUntil')}
            min={earliest}
            max={latest}
            isRequired
          />
        )}
      </FormField>
      <MessageFormField form={form} reader={applicantLanguage} isRequired />
    </ActionDialog>
  );
}
