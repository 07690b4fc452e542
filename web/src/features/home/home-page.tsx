import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useLatePartNow } from '../../lib/page/late-part.ts';
import { mayMove } from '../../lib/browser/may-move.ts';
import { usePageTitle } from '../../lib/page/page-title.ts';
import { whenQuiet } from '../../lib/browser/when-quiet.ts';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { Lattice } from '../../ui/theme/motif.tsx';
import { loadDraftReminder } from '../requests/drafts/draft-reminder-late.ts';
import { ServiceSearchBox } from '../services/service-search-box.tsx';
import { useAccountTypes, usePopularServices } from '../services/services.data.ts';
import { BannerPlace } from './banner-place.tsx';
import { PersonaCards } from './persona-cards.tsx';
import { PopularServices } from './popular-services.tsx';

/**
 * Who reaches for an account type is about to leave for its services: their code and the check
 * before them are fetched ahead.
 */
function prepareServices(): void {
  import('../users/sign-in/identity-check.ts')
    .then(({ isUAEPassEnabled }) => isUAEPassEnabled())
    .catch(() => undefined);
  import('../services/home-services-page.tsx').catch(() => undefined);
}

/**
 * One question, a large search, three personas, then what people need most. It is whole without
 * what moves, which comes when all else is there.
 */
export function HomePage() {
  const { t } = useTranslation('home');
  const navigate = useNavigate();
  const accountTypes = useAccountTypes();
  const popular = usePopularServices();
  const { part: Motion } = useLatePartNow(() =>
    whenQuiet().then(async () =>
      mayMove() ? (await import('./home-motion.tsx')).HomeMotion : undefined,
    ),
  );
  const { part: DraftReminder } = useLatePartNow(loadDraftReminder);
  usePageTitle(t('title'));
  return (
    <>
      <div className="relative isolate z-10 border-b border-ink-100 bg-desert-50">
        <Lattice className="absolute inset-y-0 end-0 -z-20 w-full opacity-20 hero-mask transition-opacity duration-200 md:w-3/5 md:opacity-40 [&:has(~video[data-shown])]:opacity-0" />
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
      {DraftReminder ? <DraftReminder /> : null}
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
            <PersonaCards accountTypes={accountTypes.data} onApproach={prepareServices} />
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
        {popular.isLoading ? null : <BannerPlace />}
      </div>
    </>
  );
}
