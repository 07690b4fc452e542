import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Bone, Skeleton } from '../../ui/skeleton.tsx';
import type { ServiceFilters } from './service-filters.ts';

export interface Tile {
  id: number;
  name: string;
  logo: string;
  servicesCount: number;
}

const grid = 'no-scrollbar max-md:-mx-4 max-md:grid max-md:auto-cols-[17rem] max-md:grid-flow-col max-md:grid-rows-4 max-md:snap-x max-md:snap-mandatory max-md:scroll-px-4 max-md:overflow-x-auto max-md:px-4 max-md:py-1 gap-3 md:grid md:grid-cols-2 lg:grid-cols-3';

/** Tiles to swipe through on a phone, a grid on a desk; each opens the listing narrowed to it. */
export function ServiceTiles({ tiles, filtersOf }: { tiles: readonly Tile[] | undefined; filtersOf: (tile: Tile) => ServiceFilters }) {
  const { t } = useTranslation('services');
  if (!tiles) {
    return <Skeleton><div className="grid gap-3 md:grid-cols-2 lg:grid-cols-3">{Array.from({ length: 6 }, (_, index) => <Bone key={index} className="h-22 w-full" />)}</div></Skeleton>;
  }
  return (
    <ul className={grid}>
      {tiles.map((tile) => (
        <li key={tile.id} data-surface className="group relative flex snap-start items-center gap-4 rounded-lg border border-ink-100 bg-white p-4 transition-colors duration-150 hover:border-gold-400 hover:bg-gold-50">
          <img src={tile.logo} alt="" width={48} height={48} loading="lazy" className="size-12 shrink-0" />
          <div className="min-w-0">
            <Link to="/services" state={filtersOf(tile)} className="row-link line-clamp-2 leading-(--leading-small) font-semibold text-ink-900 group-hover:text-gold-800">{tile.name}</Link>
            <p className="text-sm text-ink-500">{t('tiles.services', { count: tile.servicesCount })}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
