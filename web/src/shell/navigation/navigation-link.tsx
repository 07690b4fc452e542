import type { ReactNode } from 'react';
import { useTranslation } from '../../lib/i18n/translate.ts';
import { NavLink } from 'react-router';
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
  return (
    <NavLink
      to={item.to}
      end
      onClick={onSelect}
      reloadDocument={item.isFullLoad}
      className={className}
    >
      {t(`navigation.${item.name}`)}
      {children}
    </NavLink>
  );
}
