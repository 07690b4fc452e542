import { MessageSquareText, X } from 'lucide-react';
import { useId } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useSession } from '#lib/api/session.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { useCloseWatcher } from '#ui/feedback/close-watcher.ts';
import { ThemeSwitch } from '#ui/theme/theme-switch.tsx';
import { CountedLink } from './counted-link.tsx';
import { isStaff, publicItemsFor, type NavigationItem } from './navigation-items.ts';
import { navigationFor } from './visibility.ts';

const style =
  'flex min-h-13 items-center justify-between gap-3 border-s-4 border-transparent px-4 py-1 ' +
  'font-semibold text-ink-800 no-underline hover:bg-ink-50 ' +
  'aria-[current=page]:border-primary aria-[current=page]:bg-gold-50 aria-[current=page]:text-gold-800';

function Group({
  title,
  items,
  onSelect,
}: {
  title?: string;
  items: readonly NavigationItem[];
  onSelect: () => void;
}) {
  const id = useId();
  if (items.length === 0) return null;
  return (
    <div className="border-b border-ink-100 py-2 last:border-b-0">
      {title ? (
        <h3 id={id} className="px-5 pt-2 pb-1 font-sans text-sm font-semibold text-ink-500">
          {title}
        </h3>
      ) : null}
      <ul aria-labelledby={title ? id : undefined}>
        {items.map((item) => (
          <li key={item.to}>
            <CountedLink item={item} className={style} onSelect={onSelect} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The menu at the start edge of the screen; a followed link closes it. */
export function SideMenuPanel({
  isOpen,
  onOpenChange,
  onHistory,
}: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Opens the last messages; undefined before the first message. */
  onHistory: (() => void) | undefined;
}) {
  const { t } = useTranslation('shell');
  const session = useSession();
  const { work, management } = navigationFor(session);
  const close = () => onOpenChange(false);
  useCloseWatcher(isOpen, close);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
      className="fixed inset-0 z-50 bg-shade/55 data-entering:animate-enter"
    >
      <Modal className="h-dvh w-80 max-w-[85vw] bg-white pb-[var(--toasts-room,0px)] shadow-soft">
        <Dialog className="flex h-full flex-col overflow-y-auto outline-none">
          <div className="flex items-center justify-between border-b border-ink-100 py-2 ps-4 pe-2">
            <Heading slot="title" className="text-lg">
              {t('menu')}
            </Heading>
            <IconButton label={t('kit.close')} onPress={close}>
              <X aria-hidden size={24} />
            </IconButton>
          </div>
          <nav aria-label={t('mainNavigation')}>
            {isStaff(session) ? null : <Group items={publicItemsFor(session)} onSelect={close} />}
            <Group title={t('navigation.work')} items={work} onSelect={close} />
            {isStaff(session) ? (
              <Group
                title={t('navigation.portal')}
                items={publicItemsFor(session)}
                onSelect={close}
              />
            ) : null}
            <Group title={t('navigation.manage')} items={management} onSelect={close} />
          </nav>
          <div className="mt-auto flex flex-col gap-2 border-t border-ink-100 p-4">
            {onHistory ? (
              <div>
                <Button
                  variant="quiet"
                  size="sm"
                  icon={<MessageSquareText aria-hidden size={20} />}
                  onPress={onHistory}
                >
                  {t('messagesLately')}
                </Button>
              </div>
            ) : null}
            <ThemeSwitch />
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
