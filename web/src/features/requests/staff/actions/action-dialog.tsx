import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { ActionError } from '#features/requests/record/action-error.tsx';
import type { ApiError } from '#lib/api/api-error.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert } from '#ui/feedback/alert.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import type { StaffAction } from '@diwan/contract/requests/actions';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import type { ActionDraft, DraftChange } from './action-draft.ts';

/** The props of every action's dialog. */
export interface ActionDialogProps {
  action: StaffAction;
  record: RequestRecord;
  draft: ActionDraft;
  onDraft: (changed: DraftChange) => void;
  reload: () => Promise<RequestRecord | undefined>;
  onClose: () => void;
  onDone: (record: RequestRecord) => void;
}

interface FrameProps extends Pick<ActionDialogProps, 'action' | 'record' | 'reload' | 'onClose'> {
  form: UseFormReturn<ActionDraft>;
  title: string;
  sendLabel: string;
  isDangerous?: boolean;
  isPending: boolean;
  isDisabled?: boolean;
  error: ApiError | null;
  /** Sends the action with the version of the record that the user has seen. */
  onSend: (draft: ActionDraft, version: number) => void;
  onReset: () => void;
  children: ReactNode;
}

/**
 * The frame of an action's dialog. It sends the version from when the dialog opened, so that the
 * server refuses the action when the request has changed meanwhile. The user can then load the new
 * version and send again.
 */
export function ActionDialog({
  form,
  record,
  reload,
  action,
  sendLabel,
  isDisabled,
  error,
  onSend,
  onReset,
  children,
  ...dialog
}: FrameProps) {
  const { t } = useTranslation('requests');
  const [version, setVersion] = useState(record.version);
  const [hasReloaded, setHasReloaded] = useState(false);
  const isNoLongerAllowed = hasReloaded && !record.allowedActions.includes(action);
  const reloadRecord = async () => {
    const fresh = await reload();
    if (!fresh) return;
    setVersion(fresh.version);
    setHasReloaded(true);
    onReset();
  };
  return (
    <FormDialog
      {...dialog}
      form={form}
      kind="wide"
      submitLabel={sendLabel}
      cancelLabel={t('actions.cancel')}
      isDisabled={isDisabled || isNoLongerAllowed}
      error={error}
      errorPosition="none"
      onResetError={() => undefined}
      submitsOnEnter={false}
      onSubmit={(draft) => onSend(draft, version)}
    >
      {isNoLongerAllowed ? (
        <Alert tone="warning" isLive>
          {t('faster.gone', { status: record.statusName })}
        </Alert>
      ) : null}
      {hasReloaded && !isNoLongerAllowed && !error ? (
        <Alert tone="info" isLive>
          {t('faster.still')}
        </Alert>
      ) : null}
      {children}
      <ActionError error={error} onReload={reloadRecord} isTextPreserved />
    </FormDialog>
  );
}

/** The form of a dialog. Each change is stored in the draft, which outlives the dialog. */
export function useActionForm({
  draft,
  onDraft,
}: Pick<ActionDialogProps, 'draft' | 'onDraft'>): UseFormReturn<ActionDraft> {
  const form = useForm<ActionDraft>({ defaultValues: draft });
  const { subscribe } = form;
  const storeDraft = useEffectEvent(onDraft);
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => storeDraft({ ...values }),
      }),
    [subscribe],
  );
  return form;
}
