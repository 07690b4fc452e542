import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { usePageTitle } from '../../lib/page-title.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Lattice } from '../../ui/motif.tsx';
import { ServiceSearchBox } from '../services/service-search-box.tsx';
import { useAccountTypes, usePopularServices } from '../services/services.data.ts';
import { PersonaCards } from './persona-cards.tsx';
import { PopularServices } from './popular-services.tsx';

/** One question, a large search, three personas, then what people need most. */
export function HomePage() {
  const { t } = useTranslation('home');
  const navigate = useNavigate();
  const accountTypes = useAccountTypes();
  const popular = usePopularServices();
  usePageTitle(t('title'));
  return (
    <>
      <div className="relative border-b border-ink-100 bg-desert-50">
        <Lattice className="absolute inset-y-0 end-0 w-full opacity-20 mask-[linear-gradient(to_left,black,transparent_70%)] md:w-3/5 md:opacity-40 rtl:mask-[linear-gradient(to_right,black,transparent_70%)]" />
        <div className="page relative pt-10 pb-12 md:pt-16 md:pb-20">
          <h1 className="max-w-form text-3xl font-bold">{t('question')}</h1>
          <p className="mt-2 mb-6 max-w-form text-ink-600 md:mb-8">{t('lead')}</p>
          <ServiceSearchBox size="lg" onSearch={(serviceSerach) => void navigate('/services', { state: { serviceSerach } })} />
        </div>
      </div>
      <div className="page pb-16">
        <section aria-labelledby="personas-title" className="pt-8 md:pt-12">
          <h2 id="personas-title" className="mb-4 text-xl md:mb-6">{t('personas')}</h2>
          {accountTypes.error && !accountTypes.data ? <ErrorState error={accountTypes.error} title={t('failed')} onRetry={accountTypes.refetch} isRetrying={accountTypes.isFetching} /> : <PersonaCards accountTypes={accountTypes.data} />}
        </section>
        <section aria-labelledby="popular-title" className="pt-10 md:pt-16">
          <h2 id="popular-title" className="mb-2 text-xl md:mb-4">{t('popular')}</h2>
          {popular.error && !popular.data ? <ErrorState error={popular.error} title={t('failed')} onRetry={popular.refetch} isRetrying={popular.isFetching} /> : <PopularServices services={popular.data} />}
          <div className="mt-6">
            <LinkButton to="/services" state={{}} variant="secondary" icon={<ArrowRight aria-hidden size={18} className="mirror" />}>{t('skip')}</LinkButton>
          </div>
        </section>
      </div>
    </>
  );
}
