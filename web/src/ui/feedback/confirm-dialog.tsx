import type { ReactNode } from 'react';
import { Button } from '../actions/button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';

export interface ConfirmDialogProps extends Pick<DialogProps, 'title' | 'kind' | 'onClose'> {
  confirmLabel: string;
  cancelLabel: string;
  /** The label of the confirm button while the action runs. */
  pendingLabel?: string;
  isDangerous?: boolean;
  isPending: boolean;
  /** Disables the confirm button. */
  isDisabled?: boolean;
  cancelVariant?: 'quiet' | 'secondary';
  /** The id of a form in the dialog: the confirm button submits it, and `onConfirm` is not used. */
  formId?: string;
  onConfirm?: () => void;
  /** The cancel button; closes the dialog when not given. */
  onCancel?: () => void;
  /** A further button between confirm and cancel. */
  otherAction?: ReactNode;
  children: ReactNode;
}

/** A dialog with a button to confirm and one to cancel. It cannot be closed while pending. */
export function ConfirmDialog({
  title,
  kind,
  confirmLabel,
  cancelLabel,
  pendingLabel,
  isDangerous,
  isPending,
  isDisabled,
  cancelVariant = 'quiet',
  formId,
  onConfirm,
  onCancel,
  onClose,
  otherAction,
  children,
}: ConfirmDialogProps) {
  return (
    <Dialog
      isOpen
      kind={kind}
      title={title}
      onClose={onClose}
      isBusy={isPending}
      actions={
        <>
          <Button
            type={formId ? 'submit' : 'button'}
            form={formId}
            variant={isDangerous ? 'danger' : 'primary'}
            isPending={isPending}
            pendingLabel={pendingLabel}
            isDisabled={isDisabled}
            onPress={formId ? undefined : onConfirm}
          >
            {confirmLabel}
          </Button>
          {otherAction}
          <Button variant={cancelVariant} isDisabled={isPending} onPress={onCancel ?? onClose}>
            {cancelLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
