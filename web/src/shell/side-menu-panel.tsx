import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button.tsx';

/** Comes from the start edge over the page. */
export function SideMenuPanel({ isOpen, onOpenChange, children }: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void; children: ReactNode }) {
  const { t } = useTranslation('shell');
  return (
    <ModalOverlay isOpen={isOpen} onOpenChange={onOpenChange} isDismissable className="fixed inset-0 z-50 bg-ink-900/50 data-entering:animate-enter">
      <Modal className="h-dvh w-80 max-w-[85vw] bg-white shadow-soft">
        <Dialog className="flex h-full flex-col overflow-y-auto outline-none">
          <div className="flex items-center justify-between border-b border-ink-100 py-2 ps-4 pe-2">
            <Heading slot="title" className="text-lg">{t('menu')}</Heading>
            <IconButton label={t('kit.close')} onPress={() => onOpenChange(false)}><X aria-hidden size={24} /></IconButton>
          </div>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
