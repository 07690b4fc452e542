import type { NavigationItem } from '../navigation/navigation-items.ts';
import { NavigationCount } from '../navigation/navigation-count.tsx';
import { NavigationLink } from '../navigation/navigation-link.tsx';

/** A link of somebody who is signed in; staff see how many requests wait behind it. */
export function OwnLink({
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
