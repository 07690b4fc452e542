import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useLatePartNow } from '../lib/late-part.ts';
import type { NavigationItem } from './navigation-items.ts';

/** Only the staff have counts, so their code does not come with the first page. */
function LateCount({ of }: { of: 'new' | 'processing' }) {
  const { part: Count } = useLatePartNow(async () => (await import('./navigation-count.tsx')).NavigationCount);
  return Count ? <Count of={of} /> : null;
}

export function NavigationLink({ item, className, onSelect }: { item: NavigationItem; className: string; onSelect?: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <NavLink to={item.to} end onClick={onSelect} className={className}>
      {t(`navigation.${item.name}`)}
      {item.count ? <LateCount of={item.count} /> : null}
    </NavLink>
  );
}
