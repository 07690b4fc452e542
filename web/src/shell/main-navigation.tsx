import { useTranslation } from 'react-i18next';
import { useSession } from '../lib/session.ts';
import { navigationFor } from './navigation-items.ts';
import { NavigationLink } from './navigation-link.tsx';

const style =
  'flex min-h-12 items-center gap-2 border-b-3 border-transparent font-semibold whitespace-nowrap text-ink-700 no-underline transition-colors duration-150 ' +
  'hover:border-gold-300 hover:text-ink-900 aria-[current=page]:border-primary aria-[current=page]:text-gold-700';

/** The links of the header on a desk. */
export function MainNavigation() {
  const { t } = useTranslation('shell');
  const session = useSession();
  return (
    <nav aria-label={t('mainNavigation')} className="hidden lg:block">
      <ul className="flex flex-wrap gap-x-7">
        {navigationFor(session).map((item) => <li key={item.name}><NavigationLink item={item} className={style} /></li>)}
      </ul>
    </nav>
  );
}
