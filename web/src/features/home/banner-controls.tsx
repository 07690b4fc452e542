import { ChevronRight } from 'lucide-react';
import { type RefObject, type KeyboardEvent, useEffect, useState } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { prefersMotion } from '#lib/browser/media.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { IconButton } from '#ui/actions/icon-button.tsx';

/**
 * Scrolls to a slide, which is as wide as its track. In right-to-left pages positions are negative.
 */
function scrollTo(track: HTMLElement | null, index: number): void {
  if (!track) return;
  const sign = getComputedStyle(track).direction === 'rtl' ? -1 : 1;
  track.scrollTo({
    left: sign * index * track.clientWidth,
    behavior: prefersMotion() ? 'smooth' : 'auto',
  });
}

/** The number of the slide that is in view. */
function useShownSlide(track: RefObject<HTMLElement | null>): number {
  const [index, setIndex] = useState(0);
  useEffect(() => {
    const slides = track.current;
    const onScroll = () => {
      if (slides) setIndex(Math.round(Math.abs(slides.scrollLeft) / slides.clientWidth));
    };
    slides?.addEventListener('scroll', onScroll, { passive: true });
    return () => slides?.removeEventListener('scroll', onScroll);
  }, [track]);
  return index;
}

/**
 * Buttons that show a slide. Nothing moves automatically; the slides can be scrolled without them too.
 * Arrow keys follow the reading direction.
 */
export function BannerControls({
  track,
  titles,
}: {
  track: RefObject<HTMLElement | null>;
  titles: readonly string[];
}) {
  const { t } = useTranslation('home');
  const { direction } = useLanguage();
  const index = useShownSlide(track);
  const show = (wanted: number) =>
    scrollTo(track.current, (wanted + titles.length) % titles.length);
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const forwardKey = direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const wanted = (index + (event.key === forwardKey ? 1 : -1) + titles.length) % titles.length;
    show(wanted);
    event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[data-dot]')[wanted]?.focus();
  };
  return (
    <div role="group" aria-label={t('banners.controls')} className="flex items-center">
      <IconButton label={t('banners.previous')} onPress={() => show(index - 1)}>
        <ChevronRight aria-hidden size={22} className="-scale-x-100 rtl:scale-x-100" />
      </IconButton>
      {titles.map((title, position) => (
        <button
          key={title}
          type="button"
          aria-label={t('banners.show', { title })}
          aria-current={position === index || undefined}
          data-dot
          onClick={() => show(position)}
          onKeyDown={onKeyDown}
          className="group inline-flex size-8 items-center justify-center rounded-full"
        >
          <span
            className={classNames(
              'h-3 rounded-full border transition-all duration-150',
              position === index
                ? 'w-6 border-primary bg-primary'
                : 'w-3 border-ink-400 bg-white group-hover:border-gold-600',
            )}
          />
        </button>
      ))}
      <IconButton label={t('banners.next')} onPress={() => show(index + 1)}>
        <ChevronRight aria-hidden size={22} className="mirror" />
      </IconButton>
    </div>
  );
}
