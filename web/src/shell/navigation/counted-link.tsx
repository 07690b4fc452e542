import type { CountName } from '#features/requests/live/live-counts.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { NavigationItem } from './navigation-items.ts';
import { NavigationLink } from './navigation-link.tsx';
import { badgeText, useRequestCounts } from './request-counts.ts';

/** The number of requests in a list of the staff. */
function NavigationCount({ of }: { of: CountName }) {
  const { t } = useTranslation('shell');
  const { count } = useFormat();
  const value = useRequestCounts()?.[of];
  if (!value) return null;
  return (
    <span
      className={classNames(
        'inline-flex min-w-6 items-center justify-center rounded-full bg-amber-100 px-2',
        'text-sm leading-6 font-semibold text-amber-800',
      )}
    >
      <bdi dir="ltr" aria-hidden>
        {badgeText(value, count)}
      </bdi>
      <span className="sr-only">{t('requestsCount', { count: value })}</span>
    </span>
  );
}

/** A link of a signed-in user, with the number of requests where it leads to a list of the staff. */
export function CountedLink({
  item,
  className,
  onSelect,
}: {
  item: NavigationItem;
  className: string;
  onSelect?: () => void;
}) {
  return (
    <NavigationLink item={item} className={className} onSelect={onSelect}>
      {item.count ? <NavigationCount of={item.count} /> : null}
    </NavigationLink>
  );
}
