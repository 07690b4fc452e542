import { X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTranslation } from '#lib/i18n/translate.ts';
import { IconButton } from '../actions/icon-button.tsx';
import { useCloseWatcher } from './close-watcher.ts';

export interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Buttons at the end; the primary one comes first. */
  actions?: ReactNode;
  /** `panel` slides in from the inline end and has the height of the window. */
  kind?: 'modal' | 'wide' | 'panel';
  /** Prevents closing while a request is running. */
  isBusy?: boolean;
}

// Toasts are at the bottom right of the window, so high dialogs and panels end above them. From right
// to left a panel is at the left and has them beside it where the window is wide enough.
const box =
  'm-auto max-h-[calc(100dvh-32px-2*var(--toasts-room,0px))] w-[calc(100vw-32px)] rounded-lg ' +
  'data-entering:animate-rise';
const boxes = {
  modal: `${box} max-w-140`,
  wide: `${box} max-w-240`,
  panel:
    'ms-auto h-dvh w-full max-w-120 pb-[var(--toasts-room,0px)] data-entering:animate-slide ' +
    'min-[58rem]:rtl:pb-0',
};

/**
 * The content of a dialog. Where it is higher than the dialog, it can be focused and scrolled by
 * keys; Safari does not focus scrollable elements automatically.
 */
function DialogContent({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isScrollable, setIsScrollable] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element?.firstElementChild) return undefined;
    const observer = new ResizeObserver(() =>
      setIsScrollable(element.scrollHeight > element.clientHeight),
    );
    observer.observe(element);
    observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={box}
      tabIndex={isScrollable ? 0 : undefined}
      className="min-h-0 grow overflow-y-auto px-4 py-4 -outline-offset-2 md:px-6 md:py-6"
    >
      <div>{children}</div>
    </div>
  );
}

export function Dialog({
  isOpen,
  onClose,
  title,
  children,
  actions,
  kind = 'modal',
  isBusy = false,
}: DialogProps) {
  const { t } = useTranslation('shell');
  useCloseWatcher(isOpen && !isBusy, onClose);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={!isBusy}
      isKeyboardDismissDisabled={isBusy}
      className="fixed inset-0 z-50 flex bg-shade/55 data-entering:animate-enter"
    >
      <Modal
        data-dialog={kind}
        className={`flex flex-col overflow-hidden bg-white shadow-soft ${boxes[kind]}`}
      >
        <AriaDialog className="flex min-h-0 grow flex-col outline-none">
          <div className="flex items-center justify-between gap-4 border-b border-ink-100 px-4 py-3 md:px-6">
            <Heading slot="title" className="text-lg">
              {title}
            </Heading>
            <IconButton label={t('kit.close')} onPress={onClose} isDisabled={isBusy}>
              <X aria-hidden size={22} />
            </IconButton>
          </div>
          <DialogContent>{children}</DialogContent>
          {actions ? (
            <div className="flex flex-wrap gap-3 border-t border-ink-100 px-4 py-3 md:px-6">
              {actions}
            </div>
          ) : null}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
