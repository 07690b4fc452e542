import { useTranslation } from 'react-i18next';
import { useLatePartNow } from '../../lib/page/late-part.ts';
import { useSession, type Session } from '../../lib/api/session.ts';
import { forEveryone } from './navigation-items.ts';
import { NavigationLink } from './navigation-link.tsx';

const style =
  'flex min-h-12 items-center gap-2 border-b-3 border-transparent font-semibold whitespace-nowrap text-ink-700 no-underline transition-colors duration-150 ' +
  'hover:border-gold-300 hover:text-ink-900 aria-[current=page]:border-primary aria-[current=page]:text-gold-700';

/**
 * Nobody is signed in where the portal is opened (specification §2), so these links do not come
 * with the first page.
 */
function LateLinks({ session }: { session: Session }) {
  const { part: Links } = useLatePartNow(
    async () => (await import('../header/own-links.tsx')).OwnLinks,
  );
  return Links ? <Links session={session} className={style} /> : null;
}

/** The links of the header on a desk. */
export function MainNavigation() {
  const { t } = useTranslation('shell');
  const session = useSession();
  return (
    <nav aria-label={t('mainNavigation')} className="hidden lg:block">
      <ul className="flex flex-wrap gap-x-5 xl:gap-x-6">
        {forEveryone.map((item) => (
          <li key={item.to}>
            <NavigationLink item={item} className={style} />
          </li>
        ))}
        {session ? <LateLinks session={session} /> : null}
      </ul>
    </nav>
  );
}
