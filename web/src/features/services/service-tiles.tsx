import { ChevronLeft, ChevronRight } from 'lucide-react';
import {
  useEffect,
  useRef,
  useCallback,
  useState,
  type KeyboardEvent,
  type RefCallback,
} from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { SkeletonBar, Skeleton } from '#ui/feedback/skeleton.tsx';
import { listingOf, type ServiceFilters } from './service-filters.ts';

interface HorizontalScroll {
  /** The ref callback of the list. */
  attach: RefCallback<HTMLUListElement>;
  hasBefore: boolean;
  hasAfter: boolean;
  /** -1 scrolls towards the start, 1 towards the end. */
  scrollByPage: (to: -1 | 1) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** The maximum duration of a smooth scroll, in milliseconds. */
const smoothScrollMs = 600;

const isRightToLeft = () => document.documentElement.dir === 'rtl';

// In right-to-left pages `scrollLeft` is negative.
const positionOf = (list: HTMLElement) => ({
  at: Math.abs(list.scrollLeft),
  maximum: list.scrollWidth - list.clientWidth,
});

/** Tiles are arranged in columns, so the next tile in reading direction is one column away. */
function tileByKey(key: string, current: number, count: number, rows: number): number | undefined {
  const forward = isRightToLeft() ? 'ArrowLeft' : 'ArrowRight';
  const backward = isRightToLeft() ? 'ArrowRight' : 'ArrowLeft';
  const steps: Record<string, number> = {
    [forward]: rows,
    [backward]: -rows,
    ArrowDown: 1,
    ArrowUp: -1,
    Home: -current,
    End: count - 1 - current,
  };
  const step = steps[key];
  return step === undefined ? undefined : Math.min(count - 1, Math.max(0, current + step));
}

/** A list that scrolls horizontally by touch, wheel, keys and buttons. Source: specification §2. */
function useHorizontalScroll(): HorizontalScroll {
  const list = useRef<HTMLUListElement>(null);
  const pressed = useRef({ target: 0, when: -Infinity });
  const [overflow, setOverflow] = useState({ hasBefore: false, hasAfter: false });

  const attach = useCallback((element: HTMLUListElement) => {
    list.current = element;
    const updateOverflow = () => {
      const { at, maximum } = positionOf(element);
      setOverflow((before) => {
        const now = { hasBefore: at > 2, hasAfter: at < maximum - 2 };
        return before.hasBefore === now.hasBefore && before.hasAfter === now.hasAfter
          ? before
          : now;
      });
    };
    // The wheel scrolls the tiles to their end, then the page; horizontal scrolling and zooming are
    // left to the browser.
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.shiftKey || Math.abs(event.deltaY) <= Math.abs(event.deltaX))
        return;
      const { at, maximum } = positionOf(element);
      if (event.deltaY > 0 ? at >= maximum - 2 : at <= 2) return;
      event.preventDefault();
      const pixels =
        event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 40;
      element.scrollLeft += isRightToLeft() ? -pixels : pixels;
    };
    const watcher = new ResizeObserver(updateOverflow);
    watcher.observe(element);
    element.addEventListener('scroll', updateOverflow, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: false });
    updateOverflow();
    return () => {
      list.current = null;
      watcher.disconnect();
      element.removeEventListener('scroll', updateOverflow);
      element.removeEventListener('wheel', onWheel);
    };
  }, []);

  const scrollByPage = useCallback((to: -1 | 1) => {
    const element = list.current;
    if (!element) return;
    const { at, maximum } = positionOf(element);
    // A press during a smooth scroll starts from its target, not from the current position.
    const from =
      performance.now() - pressed.current.when < smoothScrollMs ? pressed.current.target : at;
    const target = Math.min(maximum, Math.max(0, from + element.clientWidth * 0.8 * to));
    pressed.current = { target, when: performance.now() };
    const smooth = !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollTo({
      left: isRightToLeft() ? -target : target,
      behavior: smooth ? 'smooth' : 'auto',
    });
  }, []);

  const onKeyDown = useCallback((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a') ?? [])];
    const current = links.indexOf(event.target as HTMLElement);
    const tiles = [...(list.current?.children ?? [])] as HTMLElement[];
    const rows = tiles.filter((tile) => tile.offsetLeft === tiles[0]?.offsetLeft).length;
    const next = current < 0 ? undefined : tileByKey(event.key, current, links.length, rows);
    if (next === undefined) return;
    event.preventDefault();
    links[next]?.focus({ preventScroll: true });
    tiles[next]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);

  return { attach, ...overflow, scrollByPage, onKeyDown };
}

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
  'no-scrollbar -mx-4 grid auto-cols-[min(17rem,80vw)] grid-flow-col grid-rows-3 gap-3 ' +
  'overflow-x-auto scroll-px-4 px-4 py-1 md:mx-0 md:scroll-px-1 md:px-1 ' +
  // Whole columns: no tile is cut.
  'md:auto-cols-[calc((100%-0.75rem)/2)] lg:auto-cols-[calc((100%-1.5rem)/3)]';
const round =
  'pointer-events-auto inline-flex size-10 items-center justify-center rounded-full border ' +
  'border-ink-200 bg-white text-ink-700 shadow-soft transition-colors ' +
  'duration-150 hover:border-gold-400 hover:bg-gold-50 hover:text-gold-800';

/** Tiles in columns that scroll horizontally at every width; each opens the filtered list. */
export function ServiceTiles({ label, tiles, filtersOf }: ServiceTilesProps) {
  const { t } = useTranslation('services');
  const { attach, hasBefore, hasAfter, scrollByPage, onKeyDown } = useHorizontalScroll();
  const buttons = useRef<HTMLDivElement>(null);
  const pressed = useRef(false);
  // The pressed button disappears at the end; the focus moves to the other button instead of the
  // top of the page.
  useEffect(() => {
    const isOneGone = !hasBefore || !hasAfter;
    if (isOneGone && pressed.current && document.activeElement === document.body)
      buttons.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [hasBefore, hasAfter]);
  if (!tiles) {
    return (
      <Skeleton>
        <div className={grid}>
          {Array.from({ length: 12 }, (_, index) => (
            <SkeletonBar key={index} className="h-24 w-full" />
          ))}
        </div>
      </Skeleton>
    );
  }
  const press = (to: -1 | 1) => {
    pressed.current = true;
    scrollByPage(to);
  };
  return (
    <section aria-label={label} className="relative">
      {/* On the edges of the tiles, over their padding. A phone scrolls by touch. */}
      <div
        ref={buttons}
        data-no-print
        className={classNames(
          'pointer-events-none absolute inset-y-0 -inset-x-4 z-1 hidden items-center',
          'justify-between md:flex',
        )}
      >
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
            className={`${round} ms-auto`}
          >
            <ChevronRight aria-hidden size={22} className="mirror" />
          </button>
        ) : null}
      </div>
      {/* The links handle the keys; the list itself is not focusable. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul ref={attach} onKeyDown={onKeyDown} className={grid}>
        {tiles.map((tile) => (
          <li
            key={tile.id}
            data-surface
            className={classNames(
              'group relative flex min-h-24 items-center gap-4 rounded-lg',
              'border border-ink-100 bg-white px-4 py-3 transition-colors md:px-6',
              'duration-150 hover:border-gold-400 hover:bg-gold-50',
            )}
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
                className={classNames(
                  'row-link block leading-(--leading-small) font-semibold',
                  'text-ink-900 group-hover:text-gold-800',
                )}
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
