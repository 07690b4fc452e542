import { useEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react';

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
    () => false,
  );
}

/** Whether the window is wide enough for tables and side columns. */
export function useIsDesktop(): boolean {
  return useMediaQuery('(min-width: 48rem)');
}

/** The width of an element in pixels; 0 until it is measured. */
export function useElementWidth<E extends Element>(): { ref: RefObject<E | null>; width: number } {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/**
 * Whether videos may load and play by themselves. Not with reduced motion, with data saving, or on
 * a network slower than 4g.
 */
export function prefersMotion(): boolean {
  const { saveData, effectiveType } =
    (navigator as Navigator & { connection?: Connection }).connection ?? {};
  return (
    !window.matchMedia('(prefers-reduced-motion: reduce)').matches &&
    saveData !== true &&
    (effectiveType === undefined || effectiveType === '4g')
  );
}
