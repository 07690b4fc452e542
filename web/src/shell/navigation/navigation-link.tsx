import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { useLocation } from '#lib/router/router-provider.tsx';
import type { NavigationItem } from './navigation-items.ts';

interface NavigationLinkProps {
  item: NavigationItem;
  className: string;
  onSelect?: () => void;
  /** Shown after the text. */
  children?: ReactNode;
}

export function NavigationLink({ item, className, onSelect, children }: NavigationLinkProps) {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  const isCurrent = pathname.toLowerCase() === item.to.toLowerCase();
  return (
    <Link
      to={item.to}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onSelect}
      reloadDocument={item.isFullLoad}
      className={className}
    >
      <span>{t(`navigation.${item.name}`)}</span>
      {children}
    </Link>
  );
}
