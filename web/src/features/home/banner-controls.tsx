import { ChevronRight } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/browser/class-names.ts';
import { useLanguage } from '../../lib/i18n/language.ts';
import { IconButton } from '../../ui/actions/icon-button.tsx';
import type { BannerTurning } from './banner-turning.ts';
import { MotionButton } from './motion-button.tsx';

/**
 * Before the slides, so that who hears the page can stop them first. The arrow keys point where the
 * slides are.
 */
export function BannerControls({
  turning,
  titles,
}: {
  turning: BannerTurning;
  titles: readonly string[];
}) {
  const { t } = useTranslation('home');
  const { direction } = useLanguage();
  const { index, show } = turning;
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const forwards = direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const wanted = (index + (event.key === forwards ? 1 : -1) + titles.length) % titles.length;
    show(wanted);
    event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[data-dot]')[wanted]?.focus();
  };
  return (
    <div role="group" aria-label={t('banners.controls')} className="flex items-center">
      {turning.mayTurn ? (
        <MotionButton
          label={t(turning.isStopped ? 'banners.play' : 'banners.pause')}
          isPaused={turning.isStopped}
          onPress={turning.toggle}
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
