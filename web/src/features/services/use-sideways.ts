import { useCallback, useRef, useState, type KeyboardEvent, type RefCallback } from 'react';

interface Sideways {
  /** The list's ref. */
  attach: RefCallback<HTMLUListElement>;
  hasBefore: boolean;
  hasAfter: boolean;
  /** -1 towards the beginning, 1 towards the end. */
  turn: (to: -1 | 1) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** How long a smooth move may take, in milliseconds. */
const movesMs = 600;

const isRightToLeft = () => document.documentElement.dir === 'rtl';

// From right to left a browser counts the way with a minus.
const positionOf = (list: HTMLElement) => ({
  at: Math.abs(list.scrollLeft),
  most: list.scrollWidth - list.clientWidth,
});

/** Tiles stand in columns, so the next in the line of sight is one column on. */
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

/** A list that scrolls sideways by touch, wheel, keys and buttons. Source: specification §2. */
export function useSideways(): Sideways {
  const list = useRef<HTMLUListElement>(null);
  const pressed = useRef({ goal: 0, when: -Infinity });
  const [place, setPlace] = useState({ hasBefore: false, hasAfter: false });

  const attach = useCallback((element: HTMLUListElement) => {
    list.current = element;
    const look = () => {
      const { at, most } = positionOf(element);
      setPlace((before) => {
        const now = { hasBefore: at > 2, hasAfter: at < most - 2 };
        return before.hasBefore === now.hasBefore && before.hasAfter === now.hasAfter
          ? before
          : now;
      });
    };
    // The wheel moves the tiles as far as they go, then the page again; sideways and zooming stay
    // the browser's.
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.shiftKey || Math.abs(event.deltaY) <= Math.abs(event.deltaX))
        return;
      const { at, most } = positionOf(element);
      if (event.deltaY > 0 ? at >= most - 2 : at <= 2) return;
      event.preventDefault();
      const pixels =
        event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 40;
      element.scrollLeft += isRightToLeft() ? -pixels : pixels;
    };
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: false });
    look();
    return () => {
      list.current = null;
      watcher.disconnect();
      element.removeEventListener('scroll', look);
      element.removeEventListener('wheel', onWheel);
    };
  }, []);

  const turn = useCallback((to: -1 | 1) => {
    const element = list.current;
    if (!element) return;
    const { at, most } = positionOf(element);
    // A press while the tiles still move counts from where they go, not from where they happen to
    // be.
    const from = performance.now() - pressed.current.when < movesMs ? pressed.current.goal : at;
    const goal = Math.min(most, Math.max(0, from + element.clientWidth * 0.8 * to));
    pressed.current = { goal, when: performance.now() };
    const smooth = !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollTo({
      left: isRightToLeft() ? -goal : goal,
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

  return { attach, ...place, turn, onKeyDown };
}
