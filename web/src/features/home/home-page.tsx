import { ArrowRight, ChevronRight } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { signOutAtHome } from '#lib/auth/sign-out.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { countInteractions, onIdle, onNearViewport, onVisible } from '#lib/browser/interaction.ts';
import { prefersMotion } from '#lib/browser/media.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useLoadedComponent } from '#lib/page/lazy-component.ts';
import { Link } from '#lib/router/link.tsx';
import { useNavigate } from '#lib/router/router-provider.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonBar, Skeleton } from '#ui/feedback/skeleton.tsx';
import { Lattice } from '#ui/theme/lattice.tsx';
import { SupportLine } from '#ui/values/support-contact.tsx';
import type { GovernmentAgency } from '@diwan/contract/catalogue/agencies';
import { PersonaCards } from '../services/persona-cards.tsx';
import { serviceLink } from '../services/service-address.ts';
import { ServiceSearchBox } from '../services/service-search-box.tsx';
import { useAccountTypes, usePopularServices } from '../services/services.data.ts';

interface PopularService {
  id: number;
  name: string;
  replacedName: string;
  governmentAgency: GovernmentAgency;
}

/** The most used services, each with a link. */
function PopularServices({ services }: { services: readonly PopularService[] | undefined }) {
  if (!services)
    return (
      <Skeleton>
        <div className="grid gap-3 md:grid-cols-2">
          {Array.from({ length: 6 }, (_, index) => (
            <SkeletonBar key={index} className="h-18" />
          ))}
        </div>
      </Skeleton>
    );
  return (
    <ul className="grid grid-cols-1 md:grid-cols-2 md:gap-x-8">
      {services.slice(0, 8).map((service) => (
        <li
          key={service.id}
          className={classNames(
            'group relative flex items-center gap-4 border-b border-ink-100',
            'py-3 transition-colors duration-150 hover:bg-gold-50 md:px-3',
          )}
        >
          <img
            fetchPriority="low"
            src={service.governmentAgency.logo}
            alt=""
            width={44}
            height={44}
            loading="lazy"
            className="size-11 shrink-0"
          />
          <div className="min-w-0 grow">
            <Link
              {...serviceLink(service)}
              className="row-link font-semibold text-ink-900 group-hover:text-gold-800"
            >
              {service.name}
            </Link>
            <p className="text-sm text-ink-500">{service.governmentAgency.name}</p>
          </div>
          <ChevronRight
            aria-hidden
            size={20}
            className="mirror shrink-0 text-ink-400 group-hover:text-gold-700"
          />
        </li>
      ))}
    </ul>
  );
}

const banners = [
  { name: 'steps', picture: 'business', to: '/services', surface: 'bg-desert-100' },
  { name: 'news', picture: 'identity', to: '/services', surface: 'bg-gold-50' },
  { name: 'help', picture: 'tracking', to: '/requests/inquiry', surface: 'bg-blue-50' },
] as const;

/**
 * Three slides (specification §2, §9) that can be scrolled and printed without a script; the code of
 * their buttons loads near the viewport. Nothing moves automatically.
 */
function Banners() {
  const { t } = useTranslation('home');
  const section = useRef<HTMLElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const { component: Controls } = useLoadedComponent(() =>
    onNearViewport(section.current).then(
      async () => (await import('./banner-controls.tsx')).BannerControls,
    ),
  );
  return (
    <section
      ref={section}
      aria-roledescription={t('banners.carousel')}
      aria-labelledby="banners-title"
      className="pt-10 md:pt-16"
    >
      <div className="mb-3 flex min-h-12 flex-wrap items-center justify-between gap-x-6 md:mb-5">
        <h2 id="banners-title" className="text-xl">
          {t('banners.title')}
        </h2>
        {/* The space of the buttons, which load later. */}
        <div className="min-h-12 min-w-52">
          {Controls ? (
            <Controls
              track={track}
              titles={banners.map(({ name }) => t(`banners.${name}.title`))}
            />
          ) : null}
        </div>
      </div>
      <div
        ref={track}
        className={classNames(
          'no-scrollbar relative flex snap-x snap-mandatory overflow-x-auto rounded-lg',
          'print:flex-col',
        )}
      >
        {banners.map(({ name, picture, to, surface }, index) => (
          <div
            key={name}
            role="group"
            aria-roledescription={t('banners.slide')}
            aria-label={t('banners.place', {
              number: index + 1,
              total: banners.length,
            })}
            data-surface
            className={classNames(
              'flex w-full shrink-0 snap-start flex-col items-start justify-between',
              'gap-x-8 gap-y-4 p-5 md:flex-row-reverse md:items-center md:p-10',
              surface,
            )}
          >
            <img
              fetchPriority="low"
              src={`/banners/${picture}.svg`}
              alt=""
              width={160}
              height={160}
              loading="lazy"
              className="size-24 shrink-0 md:size-40"
            />
            <div className="flex max-w-form grow flex-col items-start md:grow-0">
              <h3 className="text-lg md:text-xl">{t(`banners.${name}.title`)}</h3>
              <div className="mt-1 mb-4 text-ink-700">
                <p>{t(`banners.${name}.text`)}</p>
                {name === 'help' ? <SupportLine text={t('banners.help.support')} /> : null}
              </div>
              <LinkButton to={to} variant="secondary">
                {t(`banners.${name}.action`)}
              </LinkButton>
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}

/**
 * Prefetches the code of the service list and the UAE PASS check when the user approaches an
 * account type.
 */
function prefetchServices(): void {
  import('#lib/auth/uae-pass.ts')
    .then(({ isUAEPassEnabled }) => isUAEPassEnabled())
    .catch(() => undefined);
  import('../services/home-services-page.tsx').catch(() => undefined);
}

/**
 * The page removes the stored token whenever it loads (specification §2): here, when the previous
 * page is gone and before the first paint. Decision 0038.
 */
function useSignOut(): void {
  const { t } = useTranslation('shell');
  useLayoutEffect(() => {
    if (signOutAtHome()) showToast(t('signedOutAtHome'), 'info');
  }, [t]);
}

/**
 * The home page: headline, search, account types and popular services. Motion is loaded after
 * everything else.
 */
export function HomePage() {
  const { t } = useTranslation('home');
  useSignOut();
  const navigate = useNavigate();
  const accountTypes = useAccountTypes();
  const popular = usePopularServices();
  const hasPopular = popular.data?.length !== 0;
  // The server has no user.
  const [interactions] = useState(() => (typeof window === 'undefined' ? 0 : countInteractions()));
  // A page in the background loads no video.
  const { component: Videos } = useLoadedComponent(() =>
    onIdle()
      .then(onVisible)
      .then(async () => (await import('./home-videos.tsx')).HomeVideos),
  );
  usePageTitle(t('title'));
  return (
    <>
      <div className="relative isolate z-10 border-b border-ink-100 bg-desert-50">
        <Lattice
          className={classNames(
            'absolute inset-y-0 end-0 -z-20 w-full opacity-20 hero-mask transition-opacity',
            'duration-200 md:w-3/5 md:opacity-40 [&:has(~div>video[data-shown])]:opacity-0',
          )}
        />
        <div className="page pt-10 pb-14 md:pt-16 md:pb-20">
          <h1 className="max-w-form text-3xl font-bold">{t('question')}</h1>
          <p className="mt-2 mb-6 max-w-form text-ink-600 md:mb-8">{t('lead')}</p>
          <ServiceSearchBox
            size="lg"
            onSearch={(serviceSerach) => void navigate('/services', { state: { serviceSerach } })}
          />
        </div>
        {Videos ? <Videos interactions={interactions} moves={prefersMotion()} /> : null}
      </div>
      <div className="page pb-16">
        <section aria-labelledby="personas-title" className="pt-8 md:pt-12">
          <h2 id="personas-title" className="mb-4 text-xl md:mb-6">
            {t('personas')}
          </h2>
          {accountTypes.error && !accountTypes.data ? (
            <ErrorState
              error={accountTypes.error}
              title={t('failed')}
              onRetry={accountTypes.refetch}
              isRetrying={accountTypes.isFetching}
            />
          ) : (
            <PersonaCards accountTypes={accountTypes.data} onIntent={prefetchServices} />
          )}
        </section>
        <section
          aria-labelledby={hasPopular ? 'popular-title' : undefined}
          className="pt-10 md:pt-16"
        >
          {hasPopular ? (
            <h2 id="popular-title" className="mb-2 text-xl md:mb-4">
              {t('popular')}
            </h2>
          ) : null}
          {popular.error && !popular.data ? (
            <ErrorState
              error={popular.error}
              title={t('failed')}
              onRetry={popular.refetch}
              isRetrying={popular.isFetching}
            />
          ) : hasPopular ? (
            <PopularServices services={popular.data} />
          ) : null}
          <div className="mt-6">
            <LinkButton
              to="/services"
              state={{}}
              variant="secondary"
              endIcon={<ArrowRight aria-hidden size={18} className="mirror" />}
            >
              {t('skip')}
            </LinkButton>
          </div>
        </section>
        <Banners />
      </div>
    </>
  );
}
