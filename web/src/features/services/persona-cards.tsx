import { ChevronRight } from 'lucide-react';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { SkeletonBar, Skeleton } from '#ui/feedback/skeleton.tsx';
import type { AccountType } from '@diwan/contract/catalogue/account-types';

interface PersonaCardsProps {
  accountTypes: readonly AccountType[] | undefined;
  /** The pointer enters a card or it gets the focus. */
  onIntent?: () => void;
}

export function PersonaCards({ accountTypes, onIntent }: PersonaCardsProps) {
  const { t } = useTranslation('home');
  if (!accountTypes)
    return (
      <Skeleton>
        <div className="grid gap-4 md:grid-cols-3">
          <SkeletonBar className="h-28" />
          <SkeletonBar className="h-28" />
          <SkeletonBar className="h-28" />
        </div>
      </Skeleton>
    );
  return (
    <ul className="grid grid-cols-1 gap-3 md:grid-cols-3 md:gap-6">
      {accountTypes.map((type) => (
        <li
          key={type.accountTypeId}
          data-surface
          className={classNames(
            'group relative flex items-center gap-4 rounded-lg border border-ink-100',
            'bg-white p-4 shadow-soft transition-colors duration-150 hover:border-gold-400',
            'hover:bg-gold-50 md:flex-col md:items-start md:p-6',
          )}
        >
          <img
            fetchPriority="low"
            src={type.logo}
            alt={type.alt}
            width={56}
            height={56}
            className="drawing size-12 shrink-0 md:size-14"
          />
          <div className="min-w-0 grow">
            <h3 className="text-lg">
              <Link
                to={`/home/services/${type.slug}#all`}
                onPointerEnter={onIntent}
                onFocus={onIntent}
                className="row-link text-ink-900 group-hover:text-gold-800"
              >
                {type.accountTypeName}
              </Link>
            </h3>
            <p className="text-sm text-ink-600">{type.description}</p>
            <p className="mt-1 text-sm font-medium text-gold-700">
              {t('servicesCount', { count: type.servicesCount })}
            </p>
          </div>
          <ChevronRight
            aria-hidden
            size={22}
            className="mirror shrink-0 text-ink-400 group-hover:text-gold-700 md:hidden"
          />
        </li>
      ))}
    </ul>
  );
}
