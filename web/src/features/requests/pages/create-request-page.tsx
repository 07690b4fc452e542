import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router';
import { hasRole, keepReturnUrl, useSession } from '../../../lib/api/session.ts';
import { useLatePart } from '../../../lib/page/late-part.ts';
import { usePageTitle } from '../../../lib/page/page-title.ts';
import { whenSomebodyIsThere } from '../../../lib/browser/when-quiet.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState, type ErrorStateProps } from '../../../ui/feedback/error-state.tsx';
import { LinkButton } from '../../../ui/actions/link-button.tsx';
import { Bone, Skeleton, SkeletonText } from '../../../ui/feedback/skeleton.tsx';
import { CreateRequestIntro } from '../create/create-request-intro.tsx';
import { useEligibility } from '../create/eligibility.data.ts';
import { useServiceByName } from '../create/create-request.data.ts';
import { stagesOf } from '../create/stages-of.ts';
import { findOnDevice } from '../drafts/draft-device.ts';
import { useDrafts } from '../drafts/draft-list.data.ts';

/** The form's code and texts come when the first screen is there. */
const loadFlow = () =>
  import('../create/create-request-flow.tsx').then((file) => file.CreateRequestFlow);

/** A stage is a page to the person: it begins at its top, with its heading. */
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
  const { part: Flow, prepare, whenHere } = useLatePart(loadFlow);
  const maySend = hasRole(session, 'Client', 'CompanyUser');
  const isInFlow = session !== null && maySend && hash.length > 1 && !eligibility.isShut;
  const prepareNow = useRef({ prepare, whenHere });
  useEffect(() => {
    if (isInFlow) prepareNow.current.whenHere(() => undefined);
    // Most who read the first screen go on, and by then the form is here.
    else void whenSomebodyIsThere().then(() => prepareNow.current.prepare());
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
    const stages = stagesOf(service);
    const hasDraft =
      session !== null &&
      (drafts.data?.some(({ serviceId, mends }) => serviceId === service.id && !mends) ||
        findOnDevice(service.id, session.ssid).length > 0);
    // Where the person was; the flow itself goes back to the first stage that is not done.
    const stage = hash.slice(1) || (hasDraft ? stages.at(-1) : stages[0])?.name;
    if (session) return void navigate({ hash: `#${stage}` });
    keepReturnUrl(`${pathname}#${stage}`);
    void navigate('/account/login');
  };
  return (
    <CreateRequestIntro
      key={session?.ssid ?? ''}
      service={service}
      eligibility={eligibility}
      onStart={start}
      onApproach={prepare}
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
  usePageTitle(t('missing.title'));
  return (
    <div className="page py-10">
      <h1 className="mb-6 text-2xl">{t('missing.title')}</h1>
      <EmptyState
        title={t('missing.heading')}
        action={
          <>
            <LinkButton to="/services">{t('missing.services')}</LinkButton>
            <LinkButton to="/home" variant="secondary">
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
          <Bone className="size-14" />
          <Bone className="h-4 w-48" />
        </div>
        <Bone className="h-9 w-4/5" />
        <SkeletonText />
        <Bone className="mt-6 h-6 w-1/3" />
        <SkeletonText lines={4} />
      </div>
    </Skeleton>
  );
}
