import { useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/i18n/format.ts';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { BannerControls } from './banner-controls.tsx';
import { useBannerTurning } from './banner-turning.ts';

const banners = [
  { name: 'identity', to: '/account/login', surface: 'bg-gold-50' },
  { name: 'tracking', to: '/requests/inquiry', surface: 'bg-blue-50' },
  { name: 'business', to: '/home/services/companies#all', surface: 'bg-desert-100' },
] as const;

interface SlidesProps {
  track: RefObject<HTMLDivElement | null>;
  isTurning: boolean;
}

function Slides({ track, isTurning }: SlidesProps) {
  const { t } = useTranslation('home');
  const { count } = useFormat();
  return (
    <div
      ref={track}
      aria-live={isTurning ? 'off' : 'polite'}
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
          className={`flex w-full shrink-0 snap-start flex-col items-start justify-between gap-x-8 gap-y-4 p-5 md:flex-row-reverse md:items-center md:p-10 ${surface}`}
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
 * Three slides that turn by themselves until somebody looks closer. Pattern: WAI-ARIA carousel.
 * Source: specification §2, §9.
 */
export function BannerCarousel() {
  const { t } = useTranslation('home');
  const section = useRef<HTMLElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const turning = useBannerTurning(section, track, banners.length);
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
          turning={turning}
          titles={banners.map(({ name }) => t(`banners.${name}.title`))}
        />
      </div>
      <Slides track={track} isTurning={turning.isTurning} />
    </section>
  );
}
