import { useEffect, useRef, type ReactNode } from 'react';
import { focusElement } from '#lib/browser/focus-on.ts';
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

/**
 * After an attempt the focus goes to the first field that was refused. Without one it stays, or goes to
 * the confirm button where its button went or was disabled.
 */
function useFocusAfterAttempt(isPending: boolean) {
  const content = useRef<HTMLDivElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  const wasPending = useRef(isPending);
  useEffect(() => {
    const isOver = wasPending.current && !isPending;
    wasPending.current = isPending;
    if (!isOver) return;
    const refused = content.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    if (refused) focusElement(refused);
    else if (document.activeElement === document.body) confirm.current?.focus();
  }, [isPending]);
  return { content, confirm };
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
  const { content, confirm } = useFocusAfterAttempt(isPending);
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
            ref={confirm}
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
      <div ref={content}>{children}</div>
    </Dialog>
  );
}
