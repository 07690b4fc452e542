import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { classNames } from '../../lib/browser/class-names.ts';
import type { Session } from '../../lib/api/session.ts';
import { useMediaQuery } from '../../lib/browser/use-media-query.ts';
import { HeaderMenu } from './header-menu.tsx';
import type { NavigationItem } from '../navigation/navigation-items.ts';
import { OwnLink } from './own-link.tsx';
import { navigationFor } from '../navigation/own-navigation.ts';

const mostBesideMenu = 3;

/** The many links of an administrator, behind one button. */
function ManageMenu({ items, className }: { items: readonly NavigationItem[]; className: string }) {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  const isHere = items.some(({ to }) => to === pathname);
  return (
    <HeaderMenu
      label={t('navigation.manage')}
      items={items.map(({ name, to }) => ({
        id: to,
        text: t(`navigation.${name}`),
        href: to,
        isCurrent: to === pathname,
      }))}
      className={classNames(className, isHere && 'border-primary! text-gold-700!')}
    >
      {t('navigation.manage')}
      <ChevronDown aria-hidden size={16} className="shrink-0" />
    </HeaderMenu>
  );
}

/** What somebody who is signed in finds in the header besides the links of everybody. */
export function OwnLinks({ session, className }: { session: Session; className: string }) {
  const { work, management } = navigationFor(session);
  const isWide = useMediaQuery('(min-width: 84rem)');
  // What is left over goes into the menu, so that the bar stays one line in the longest language.
  const inBar = isWide || management.length === 0 ? work : work.slice(0, mostBesideMenu);
  return (
    <>
      {inBar.map((item) => (
        <li key={item.to}>
          <OwnLink item={item} className={className} />
        </li>
      ))}
      {management.length > 0 ? (
        <li>
          <ManageMenu items={[...work.slice(inBar.length), ...management]} className={className} />
        </li>
      ) : null}
    </>
  );
}
