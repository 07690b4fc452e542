import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useFormat } from '../lib/format.ts';
import type { NavigationItem } from './navigation-items.ts';

/** Badges end at +99. Source: specification §9. */
function CountBadge({ value }: { value: number }) {
  const { t } = useTranslation('shell');
  const { count } = useFormat();
  return (
    <span className="inline-flex min-w-6 items-center justify-center rounded-full bg-amber-100 px-2 text-sm font-semibold text-amber-800">
      <bdi dir="ltr" aria-hidden>{value >= 99 ? '+99' : count(value)}</bdi>
      <span className="sr-only">{t('requestsCount', { count: value })}</span>
    </span>
  );
}

export function NavigationLink({ item, count, className, onSelect }: { item: NavigationItem; count?: number; className: string; onSelect?: () => void }) {
  const { t } = useTranslation('shell');
  return (
    <NavLink to={item.to} end onClick={onSelect} className={className}>
      {t(`navigation.${item.name}`)}
      {count ? <CountBadge value={count} /> : null}
    </NavLink>
  );
}
