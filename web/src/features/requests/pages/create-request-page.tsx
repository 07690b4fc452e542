import { useEffect, useRef } from 'react';
import { hasRole, storeReturnUrl, useSession } from '#lib/api/session.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { onFirstInteraction } from '#lib/browser/interaction.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useLazyComponent } from '#lib/page/lazy-component.ts';
import { useLocation, useNavigate, useParams } from '#lib/router/router-provider.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState, type ErrorStateProps } from '#ui/feedback/error-state.tsx';
import { SkeletonBar, Skeleton, SkeletonText } from '#ui/feedback/skeleton.tsx';
import { CreateRequestIntro } from '../create/create-request-intro.tsx';
import { useEligibility } from '../create/eligibility.data.ts';
import { reviewFragment, startFragment } from '../create/stage-fragments.ts';
import { useServiceByName } from '../data/service-by-name.data.ts';
import { useDrafts } from '../drafts/draft-list.data.ts';
import { findStoredDrafts } from '../drafts/draft-storage.ts';

/** The form's code and texts are loaded after the first screen. */
const loadFlow = () =>
  import('../create/create-request-flow.tsx').then((file) => file.CreateRequestFlow);

/** Scrolls to the top and focuses the heading when the stage changes, as on a new page. */
function useHeadingOnStage(hash: string): void {
  const previous = useRef(hash);
  useEffect(() => {
    if (previous.current === hash) return;
    previous.current = hash;
    const heading = document.querySelector<HTMLElement>('main h1');
    window.scrollTo(0, 0);
    if (heading) heading.tabIndex = -1;
    heading?.focus({ preventScroll: true });
  }, [hash]);
}

export function CreateRequestPage() {
  const { serviceName = '' } = useParams();
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const session = useSession();
  const { service, error, isFetching, retry } = useServiceByName(serviceName);
  useHeadingOnStage(hash);
  const eligibility = useEligibility(service);
  const drafts = useDrafts();
  const { component: Flow, preload, load } = useLazyComponent(loadFlow);
  const maySend = hasRole(session, 'Client', 'CompanyUser');
  const isInFlow = session !== null && maySend && hash.length > 1 && !eligibility.isIneligible;
  const flowLoader = useRef({ preload, load });
  useEffect(() => {
    if (isInFlow) flowLoader.current.load(() => undefined);
    // Most users continue to the form, so it is loaded while they read the first screen.
    else void onFirstInteraction().then(() => flowLoader.current.preload());
  }, [isInFlow]);

  if (!service) {
    if (error?.status === 404) return <ServiceMissing />;
    return (
      <div className="page py-10">
        {error ? (
          <ServiceFailed error={error} onRetry={retry} isRetrying={isFetching} />
        ) : (
          <IntroSkeleton />
        )}
      </div>
    );
  }
  if (isInFlow)
    return Flow ? (
      <Flow key={`${service.id} ${session.ssid}`} service={service} session={session} />
    ) : (
      <div className="page py-10">
        <IntroSkeleton />
      </div>
    );

  const start = () => {
    const hasDraft =
      session !== null &&
      (drafts.data?.some(({ serviceId, corrects }) => serviceId === service.id && !corrects) ||
        findStoredDrafts(service.id, session.ssid).length > 0);
    // The form goes back to the first stage that is not complete.
    const stage = hash.slice(1) || (hasDraft ? reviewFragment : startFragment);
    if (session) return void navigate({ hash: `#${stage}` });
    storeReturnUrl(`${pathname}#${stage}`);
    void navigate('/account/login');
  };
  return (
    <CreateRequestIntro
      key={session?.ssid ?? ''}
      service={service}
      eligibility={eligibility}
      onStart={start}
      onIntent={preload}
    />
  );
}

function ServiceFailed(failure: ErrorStateProps) {
  const { t } = useTranslation('forms');
  usePageTitle(t('crumbs.request'));
  return (
    <>
      <h1 className="mb-6 text-2xl">{t('crumbs.request')}</h1>
      <ErrorState {...failure} />
    </>
  );
}

function ServiceMissing() {
  const { t } = useTranslation('forms');
  const home = useHomeAddress();
  usePageTitle(t('missing.title'));
  return (
    <div className="page py-10">
      <h1 className="mb-6 text-2xl">{t('missing.title')}</h1>
      <EmptyState
        title={t('missing.heading')}
        action={
          <>
            <LinkButton to="/services">{t('missing.services')}</LinkButton>
            <LinkButton to={home} variant="secondary">
              {t('missing.home')}
            </LinkButton>
          </>
        }
      >
        {t('missing.text')}
      </EmptyState>
    </div>
  );
}

function IntroSkeleton() {
  return (
    <Skeleton>
      <div className="flex max-w-form flex-col gap-6">
        <div className="flex items-center gap-3">
          <SkeletonBar className="size-14" />
          <SkeletonBar className="h-4 w-48" />
        </div>
        <SkeletonBar className="h-9 w-4/5" />
        <SkeletonText />
        <SkeletonBar className="mt-6 h-6 w-1/3" />
        <SkeletonText lines={4} />
      </div>
    </Skeleton>
  );
}
