import { Menu, X } from 'lucide-react';
import { useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useSession } from '../lib/session.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { navigationFor } from './navigation-items.ts';
import { NavigationLink } from './navigation-link.tsx';
import { useNavigationCounts } from './use-navigation-counts.ts';

const style =
  'flex min-h-14 items-center justify-between gap-3 border-s-4 border-transparent px-4 font-semibold text-ink-800 no-underline hover:bg-ink-50 ' +
  'aria-[current=page]:border-primary aria-[current=page]:bg-gold-50 aria-[current=page]:text-gold-800';

/** The links behind the hamburger on a phone; they come from the start edge. */
export function SideMenu() {
  const { t } = useTranslation('shell');
  const session = useSession();
  const countOf = useNavigationCounts();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <div className="-ms-2 lg:hidden">
      <IconButton label={t('openMenu')} onPress={() => setIsOpen(true)}><Menu aria-hidden size={26} /></IconButton>
      <ModalOverlay isOpen={isOpen} onOpenChange={setIsOpen} isDismissable className="fixed inset-0 z-50 bg-ink-900/50 data-entering:animate-enter">
        <Modal className="h-dvh w-80 max-w-[85vw] bg-white shadow-soft">
          <Dialog className="flex h-full flex-col overflow-y-auto outline-none">
            <div className="flex items-center justify-between border-b border-ink-100 py-2 ps-4 pe-2">
              <Heading slot="title" className="text-lg">{t('menu')}</Heading>
              <IconButton label={t('kit.close')} onPress={close}><X aria-hidden size={24} /></IconButton>
            </div>
            <nav aria-label={t('mainNavigation')}>
              <ul className="py-2">
                {navigationFor(session).map((item) => <li key={item.name}><NavigationLink item={item} count={countOf(item)} className={style} onSelect={close} /></li>)}
              </ul>
            </nav>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </div>
  );
}
