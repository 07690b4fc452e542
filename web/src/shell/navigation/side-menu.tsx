import { Menu } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLatePart } from '../../lib/page/late-part.ts';
import { IconButton } from '../../ui/actions/icon-button.tsx';

/** The hamburger on a phone; what is behind it comes when somebody reaches for it. */
export function SideMenu() {
  const { t } = useTranslation('shell');
  const [isOpen, setIsOpen] = useState(false);
  const {
    part: Panel,
    prepare,
    whenHere,
  } = useLatePart(async () => (await import('./side-menu-panel.tsx')).SideMenuPanel);
  return (
    <div className="-ms-2 lg:hidden" onPointerEnter={prepare}>
      <IconButton
        label={t('openMenu')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => whenHere(() => setIsOpen(true))}
      >
        <Menu aria-hidden size={26} />
      </IconButton>
      {Panel ? <Panel isOpen={isOpen} onOpenChange={setIsOpen} /> : null}
    </div>
  );
}
