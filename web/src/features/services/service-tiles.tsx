import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Bone, Skeleton } from '../../ui/feedback/skeleton.tsx';
import { listingOf, type ServiceFilters } from './service-filters.ts';
import { useSideways } from './use-sideways.ts';

export interface Tile {
  id: number;
  name: string;
  logo: string;
  servicesCount: number;
}

interface ServiceTilesProps {
  label: string;
  tiles: readonly Tile[] | undefined;
  filtersOf: (tile: Tile) => ServiceFilters;
}

const grid =
  'no-scrollbar -mx-4 grid auto-cols-[min(17rem,80vw)] grid-flow-col grid-rows-3 gap-3 overflow-x-auto scroll-px-4 px-4 py-1 md:mx-0 md:auto-cols-[18.5rem] md:scroll-px-1 md:px-1';
const round =
  'inline-flex size-11 items-center justify-center rounded-full border border-ink-200 bg-white text-ink-700 shadow-soft transition-colors duration-150 hover:border-gold-400 hover:bg-gold-50 hover:text-gold-800';

/** Tiles in columns that scroll sideways at every width; each opens the listing narrowed to it. */
export function ServiceTiles({ label, tiles, filtersOf }: ServiceTilesProps) {
  const { t } = useTranslation('services');
  const { attach, hasBefore, hasAfter, turn, onKeyDown } = useSideways();
  const buttons = useRef<HTMLDivElement>(null);
  const pressed = useRef(false);
  // The button that was pressed goes away at the end; the focus goes to the one that leads back,
  // not to the top of the page.
  useEffect(() => {
    const isOneGone = !hasBefore || !hasAfter;
    if (isOneGone && pressed.current && document.activeElement === document.body)
      buttons.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [hasBefore, hasAfter]);
  if (!tiles) {
    return (
      <Skeleton>
        <div className={`${grid} mt-13`}>
          {Array.from({ length: 12 }, (_, index) => (
            <Bone key={index} className="h-24 w-full" />
          ))}
        </div>
      </Skeleton>
    );
  }
  const press = (to: -1 | 1) => {
    pressed.current = true;
    turn(to);
  };
  return (
    <section aria-label={label}>
      {/* Their place is kept, so that nothing jumps when one comes. */}
      <div ref={buttons} data-no-print className="mb-2 flex min-h-11 justify-end gap-2">
        {hasBefore ? (
          <button
            type="button"
            aria-label={t('tiles.previous')}
            onClick={() => press(-1)}
            className={round}
          >
            <ChevronLeft aria-hidden size={22} className="mirror" />
          </button>
        ) : null}
        {hasAfter ? (
          <button
            type="button"
            aria-label={t('tiles.next')}
            onClick={() => press(1)}
            className={round}
          >
            <ChevronRight aria-hidden size={22} className="mirror" />
          </button>
        ) : null}
      </div>
      {/* Links in it take the keys; the list itself is never focused. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul ref={attach} onKeyDown={onKeyDown} className={grid}>
        {tiles.map((tile) => (
          <li
            key={tile.id}
            data-surface
            className="group relative flex min-h-24 items-center gap-4 rounded-lg border border-ink-100 bg-white px-4 py-3 transition-colors duration-150 hover:border-gold-400 hover:bg-gold-50"
          >
            <img
              src={tile.logo}
              alt=""
              width={48}
              height={48}
              loading="lazy"
              decoding="async"
              className="size-12 shrink-0"
            />
            <div className="min-w-0">
              <Link
                {...listingOf(filtersOf(tile))}
                className="row-link block leading-(--leading-small) font-semibold text-ink-900 group-hover:text-gold-800"
              >
                {tile.name}
              </Link>
              <p className="text-sm text-ink-500">
                {t('tiles.services', { count: tile.servicesCount })}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
