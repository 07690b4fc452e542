import { useRef, type RefObject, type KeyboardEvent, useEffect, useState } from 'react';
import { ChevronRight } from 'lucide-react';
import { useTranslation } from '../../lib/i18n/translate.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { classNames } from '../../lib/browser/class-names.ts';
import { useLanguage } from '../../lib/i18n/language.ts';
import { loadItem, storeItem } from '../../lib/browser/storage.ts';
import { prefersMotion } from '../../lib/browser/media.ts';
import { LinkButton } from '../../ui/actions/links.tsx';
import { IconButton } from '../../ui/actions/icon-button.tsx';
import { PlayPauseButton } from './play-pause-button.tsx';

interface BannerRotation {
  index: number;
  /** Whether the carousel may rotate automatically. */
  canRotate: boolean;
  /** Stopped by the user: permanently by the button, or by selecting a slide. */
  isStopped: boolean;
  /** Rotating now; paused while the pointer or the focus is in it. */
  isRotating: boolean;
  show: (index: number) => void;
  toggle: () => void;
}

const choiceKey = 'banners';
const slideMs = 7000;

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

function useBannerRotation(
  section: RefObject<HTMLElement | null>,
  track: RefObject<HTMLElement | null>,
  count: number,
): BannerRotation {
  const [index, setIndex] = useState(0);
  const [isStopped, setIsStopped] = useState(() => loadItem('local', choiceKey) === 'paused');
  const [isPaused, setIsPaused] = useState(false);
  const [canRotate] = useState(prefersMotion);
  const isRotating = canRotate && !isStopped && !isPaused;

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
    const pauseRotation = () => setIsPaused(true);
    const release = () => setIsPaused(around?.matches(':hover, :focus-within') ?? false);
    const events = {
      pointerenter: pauseRotation,
      focusin: pauseRotation,
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
    if (!isRotating) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') scrollTo(track.current, (index + 1) % count);
    }, slideMs);
    return () => clearInterval(timer);
  }, [isRotating, index, count, track]);

  return {
    index,
    canRotate,
    isStopped,
    isRotating,
    show: (wanted) => {
      setIsStopped(true);
      scrollTo(track.current, (wanted + count) % count);
    },
    toggle: () => {
      storeItem('local', choiceKey, isStopped ? 'playing' : 'paused');
      setIsStopped(!isStopped);
    },
  };
}

/**
 * The controls come before the slides, so that users of screen readers can stop the rotation first.
 * Arrow keys follow the reading direction.
 */
function BannerControls({
  rotation,
  titles,
}: {
  rotation: BannerRotation;
  titles: readonly string[];
}) {
  const { t } = useTranslation('home');
  const { direction } = useLanguage();
  const { index, show } = rotation;
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
      {rotation.canRotate ? (
        <PlayPauseButton
          label={t(rotation.isStopped ? 'banners.play' : 'banners.pause')}
          isPaused={rotation.isStopped}
          onPress={rotation.toggle}
        />
      ) : null}
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

const banners = [
  { name: 'identity', to: '/account/login', surface: 'bg-gold-50' },
  { name: 'tracking', to: '/requests/inquiry', surface: 'bg-blue-50' },
  { name: 'business', to: '/home/services/companies#all', surface: 'bg-desert-100' },
] as const;

interface SlidesProps {
  track: RefObject<HTMLDivElement | null>;
  isRotating: boolean;
}

function Slides({ track, isRotating }: SlidesProps) {
  const { t } = useTranslation('home');
  const { count } = useFormat();
  return (
    <div
      ref={track}
      aria-live={isRotating ? 'off' : 'polite'}
      className="no-scrollbar relative flex snap-x snap-mandatory overflow-x-auto rounded-lg"
    >
      {banners.map(({ name, to, surface }, index) => (
        <div
          key={name}
          role="group"
          aria-roledescription={t('banners.slide')}
          aria-label={t('banners.place', {
            number: count(index + 1),
            total: count(banners.length),
          })}
          data-surface
          className={classNames(
            'flex w-full shrink-0 snap-start flex-col items-start justify-between',
            'gap-x-8 gap-y-4 p-5 md:flex-row-reverse md:items-center md:p-10',
            surface,
          )}
        >
          <img
            src={`/banners/${name}.svg`}
            alt=""
            width={160}
            height={160}
            className="size-24 shrink-0 md:size-40"
          />
          <div className="flex max-w-form grow flex-col items-start md:grow-0">
            <h3 className="text-lg md:text-xl">{t(`banners.${name}.title`)}</h3>
            <p className="mt-1 mb-4 text-ink-700">{t(`banners.${name}.text`)}</p>
            <LinkButton to={to} variant="secondary">
              {t(`banners.${name}.action`)}
            </LinkButton>
          </div>
        </div>
      ))}
    </div>
  );
}

/**
 * Three slides that rotate automatically. Pattern: WAI-ARIA carousel. Source: specification §2, §9.
 */
export function BannerCarousel() {
  const { t } = useTranslation('home');
  const section = useRef<HTMLElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const rotation = useBannerRotation(section, track, banners.length);
  return (
    <section
      ref={section}
      aria-roledescription={t('banners.carousel')}
      aria-labelledby="banners-title"
    >
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-1 md:mb-5">
        <h2 id="banners-title" className="text-xl">
          {t('banners.title')}
        </h2>
        <BannerControls
          rotation={rotation}
          titles={banners.map(({ name }) => t(`banners.${name}.title`))}
        />
      </div>
      <Slides track={track} isRotating={rotation.isRotating} />
    </section>
  );
}
