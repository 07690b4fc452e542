import { useEffect, useState, type RefObject } from 'react';
import { recall, remember } from '../../lib/browser/browser-memory.ts';
import { mayMove } from '../../lib/browser/may-move.ts';

export interface BannerTurning {
  index: number;
  /** Whether it may turn by itself at all. */
  mayTurn: boolean;
  /** Stopped by the person: by the button, for good, or by having chosen a slide. */
  isStopped: boolean;
  /** Turning right now; held while somebody points at it or has the focus in it. */
  isTurning: boolean;
  show: (index: number) => void;
  toggle: () => void;
}

const choiceKey = 'banners';
const pause = 7000;

/**
 * The place of a slide that is as wide as its track; in right-to-left pages it is counted below
 * zero.
 */
function scrollTo(track: HTMLElement | null, index: number): void {
  if (!track) return;
  const sign = getComputedStyle(track).direction === 'rtl' ? -1 : 1;
  track.scrollTo({
    left: sign * index * track.clientWidth,
    behavior: mayMove() ? 'smooth' : 'auto',
  });
}

export function useBannerTurning(
  section: RefObject<HTMLElement | null>,
  track: RefObject<HTMLElement | null>,
  count: number,
): BannerTurning {
  const [index, setIndex] = useState(0);
  const [isStopped, setIsStopped] = useState(() => recall('local', choiceKey) === 'paused');
  const [isHeld, setIsHeld] = useState(false);
  const [mayTurn] = useState(mayMove);
  const isTurning = mayTurn && !isStopped && !isHeld;

  useEffect(() => {
    const slides = track.current;
    const onScroll = () => {
      if (slides) setIndex(Math.round(Math.abs(slides.scrollLeft) / slides.clientWidth));
    };
    slides?.addEventListener('scroll', onScroll, { passive: true });
    return () => slides?.removeEventListener('scroll', onScroll);
  }, [track]);

  useEffect(() => {
    const around = section.current;
    const hold = () => setIsHeld(true);
    const release = () => setIsHeld(around?.matches(':hover, :focus-within') ?? false);
    const events = {
      pointerenter: hold,
      focusin: hold,
      pointerleave: release,
      focusout: () => setTimeout(release),
    };
    for (const [name, listener] of Object.entries(events)) around?.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(events))
        around?.removeEventListener(name, listener);
    };
  }, [section]);

  useEffect(() => {
    if (!isTurning) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') scrollTo(track.current, (index + 1) % count);
    }, pause);
    return () => clearInterval(timer);
  }, [isTurning, index, count, track]);

  return {
    index,
    mayTurn,
    isStopped,
    isTurning,
    show: (wanted) => {
      setIsStopped(true);
      scrollTo(track.current, (wanted + count) % count);
    },
    toggle: () => {
      remember('local', choiceKey, isStopped ? 'playing' : 'paused');
      setIsStopped(!isStopped);
    },
  };
}
