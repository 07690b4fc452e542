import { ArrowRight, ChevronRight } from 'lucide-react';
import { Link } from '../../lib/router/link.tsx';
import { useNavigate } from '../../lib/router/router-provider.tsx';
import { useLayoutEffect, useRef } from 'react';
import type { GovernmentAgency } from '@diwan/contract/catalogue/agencies';
import { classNames } from '../../lib/browser/class-names.ts';
import { useTranslation } from '../../lib/i18n/translate.ts';
import { useLoadedComponent } from '../../lib/page/lazy-component.ts';
import { prefersMotion } from '../../lib/browser/media.ts';
import { usePageTitle } from '../../lib/page/head.ts';
import { signOutAtHome } from '../../lib/auth/sign-out.ts';
import { showToast } from '../../lib/browser/toasts.ts';
import { onIdle, onNearViewport } from '../../lib/browser/interaction.ts';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { LinkButton } from '../../ui/actions/links.tsx';
import { Lattice } from '../../ui/theme/ornament.tsx';
import { SkeletonBar, Skeleton } from '../../ui/feedback/skeleton.tsx';
import { serviceLink } from '../services/service-address.ts';
import { ServiceSearchBox } from '../services/service-search-box.tsx';
import { useAccountTypes, usePopularServices } from '../services/services.data.ts';
import { PersonaCards } from './persona-cards.tsx';

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

/**
 * Reserves the space of the carousel, whose code is loaded when it comes near the viewport. Render
 * it below loaded content, or it seems nearer than it is.
 */
function BannerPlaceholder() {
  const container = useRef<HTMLDivElement>(null);
  const { component: Banners } = useLoadedComponent(() =>
    onNearViewport(container.current).then(
      async () => (await import('./banner-carousel.tsx')).BannerCarousel,
    ),
  );
  return (
    <div ref={container} className="min-h-108 pt-10 md:min-h-96 md:pt-16">
      {Banners ? <Banners /> : null}
    </div>
  );
}

/**
 * Prefetches the code of the service list and the UAE PASS check when the user approaches an
 * account type.
 */
function prefetchServices(): void {
  import('../users/identity/identity-check.ts')
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
  const { component: Motion } = useLoadedComponent(() =>
    onIdle().then(async () =>
      prefersMotion() ? (await import('./home-motion.tsx')).HomeMotion : undefined,
    ),
  );
  usePageTitle(t('title'));
  return (
    <>
      <div className="relative isolate z-10 border-b border-ink-100 bg-desert-50">
        <Lattice
          className={classNames(
            'absolute inset-y-0 end-0 -z-20 w-full opacity-20 hero-mask transition-opacity',
            'duration-200 md:w-3/5 md:opacity-40 [&:has(~video[data-shown])]:opacity-0',
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
        {Motion ? <Motion /> : null}
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
        <section aria-labelledby="popular-title" className="pt-10 md:pt-16">
          <h2 id="popular-title" className="mb-2 text-xl md:mb-4">
            {t('popular')}
          </h2>
          {popular.error && !popular.data ? (
            <ErrorState
              error={popular.error}
              title={t('failed')}
              onRetry={popular.refetch}
              isRetrying={popular.isFetching}
            />
          ) : (
            <PopularServices services={popular.data} />
          )}
          <div className="mt-6">
            <LinkButton
              to="/services"
              state={{}}
              variant="secondary"
              icon={<ArrowRight aria-hidden size={18} className="mirror" />}
            >
              {t('skip')}
            </LinkButton>
          </div>
        </section>
        {popular.isLoading ? null : <BannerPlaceholder />}
      </div>
    </>
  );
}
