import { ChevronDown } from 'lucide-react';
import type { Session } from '#lib/api/session.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useMediaQuery } from '#lib/browser/media.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useLocation } from '#lib/router/router-provider.tsx';
import { CountedLink } from '../navigation/counted-link.tsx';
import type { NavigationItem } from '../navigation/navigation-items.ts';
import { navigationFor } from '../navigation/visibility.ts';
import { HeaderMenu } from './header-menu.tsx';

// In the frame of staff, the three lists of requests are beside the dashboard.
const maximumBesideMenu = { desk: 4, people: 3 };

/** The management links of an administrator, in one menu. */
function ManageMenu({ items, className }: { items: readonly NavigationItem[]; className: string }) {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  const isCurrent = items.some(({ to }) => to === pathname);
  return (
    <HeaderMenu
      label={t('navigation.manage')}
      items={items.map(({ name, to }) => ({
        id: to,
        text: t(`navigation.${name}`),
        href: to,
        isCurrent: to === pathname,
      }))}
      className={classNames(className, isCurrent && 'border-primary! text-gold-700!')}
    >
      {t('navigation.manage')}
      <ChevronDown aria-hidden size={16} className="shrink-0" />
    </HeaderMenu>
  );
}

interface SignedInLinksProps {
  session: Session;
  className: string;
  /** The header is the one line of the frame of staff. */
  isDesk: boolean;
}

/** The links of a signed-in user in the header. */
export function SignedInLinks({ session, className, isDesk }: SignedInLinksProps) {
  const { work, management } = navigationFor(session);
  const isWide = useMediaQuery(isDesk ? '(min-width: 96rem)' : '(min-width: 84rem)');
  // The other links are in the menu, so that the bar is one line in the longest language.
  const inBar =
    isWide || management.length === 0
      ? work
      : work.slice(0, maximumBesideMenu[isDesk ? 'desk' : 'people']);
  return (
    <>
      {inBar.map((item) => (
        <li key={item.to}>
          <CountedLink item={item} className={className} />
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
