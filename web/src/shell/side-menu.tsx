import { Menu } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLatePart } from '../lib/late-part.ts';
import { useSession } from '../lib/session.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { navigationFor } from './navigation-items.ts';
import { NavigationLink } from './navigation-link.tsx';

const style =
  'flex min-h-14 items-center justify-between gap-3 border-s-4 border-transparent px-4 font-semibold text-ink-800 no-underline hover:bg-ink-50 ' +
  'aria-[current=page]:border-primary aria-[current=page]:bg-gold-50 aria-[current=page]:text-gold-800';

/** The links behind the hamburger on a phone. */
export function SideMenu() {
  const { t } = useTranslation('shell');
  const session = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const { part: Panel, prepare, whenHere } = useLatePart(async () => (await import('./side-menu-panel.tsx')).SideMenuPanel);
  return (
    <div className="-ms-2 lg:hidden" onPointerEnter={prepare}>
      <IconButton label={t('openMenu')} aria-haspopup="dialog" aria-expanded={isOpen} onPress={() => whenHere(() => setIsOpen(true))}><Menu aria-hidden size={26} /></IconButton>
      {Panel ? (
        <Panel isOpen={isOpen} onOpenChange={setIsOpen}>
          <nav aria-label={t('mainNavigation')}>
            <ul className="py-2">
              {navigationFor(session).map((item) => <li key={item.name}><NavigationLink item={item} className={style} onSelect={() => setIsOpen(false)} /></li>)}
            </ul>
          </nav>
        </Panel>
      ) : null}
    </div>
  );
}
