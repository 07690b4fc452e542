import { useEffect, useState } from 'react';
import { handleError } from '#lib/api/handle-error.ts';
import { queryClient } from '#lib/api/query-client.ts';
import { useSession } from '#lib/api/session.ts';
import { refreshTokenOnce } from '#lib/api/token-refresh.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useNavigate } from '#lib/router/router-provider.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton, SkeletonText } from '#ui/feedback/skeleton.tsx';
import { getSecondFactor } from '@diwan/contract/people/second-factor';
import { nextAddress } from '../identity/next-address.ts';
import { SecondFactorSettings } from './second-factor-settings.tsx';
import {
  SecondFactorCodes,
  SecondFactorSetup,
  type StartedFactor,
  SecondFactorStart,
} from './second-factor-setup.tsx';

/**
 * The restriction in the token may be outdated; the token is renewed when the server reports
 * another state.
 */
function useTokenMatchingFactor(mustSetUp: boolean | undefined): void {
  const session = useSession();
  const token = session?.token;
  const isStale =
    session !== null &&
    mustSetUp !== undefined &&
    (session.restriction === 'secondFactor') !== mustSetUp;
  useEffect(() => {
    if (isStale && token !== undefined) void refreshTokenOnce(token).catch(handleError);
  }, [isStale, token]);
}

/** The page of the second factor. Users who must have one are redirected here first. */
export function SecondFactorPage() {
  const { t } = useTranslation(['security', 'users', 'shell']);
  usePageTitle(t('factor.title'));
  const navigate = useNavigate();
  const [started, setStarted] = useState<StartedFactor>();
  const [codes, setCodes] = useState<string[]>();
  const [cameHeldBack, setCameHeldBack] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const session = useSession();
  const { data: factor, error, refetch, isFetching } = useCall(getSecondFactor, {});
  useTokenMatchingFactor(factor?.mustSetUp);
  const showCodes = (made: string[]) => {
    if (factor?.mustSetUp) setCameHeldBack(true);
    setCodes(made);
    setStarted(undefined);
    void queryClient.invalidateQueries({ queryKey: [getSecondFactor.name] });
  };
  const goOn = async () => {
    if (!cameHeldBack) return setCodes(undefined);
    setIsLeaving(true);
    try {
      if (session?.restriction === 'secondFactor') await refreshTokenOnce(session.token);
      await navigate(await nextAddress(), { replace: true });
    } catch (failure) {
      handleError(failure);
      setIsLeaving(false);
    }
  };
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('factor.title')}
        lead={t('factor.lead')}
        crumbs={
          session?.restriction
            ? []
            : [
                { label: t('users:profile.title'), to: '/account/profile' },
                { label: t('factor.title') },
              ]
        }
      />
      <div className="flex max-w-form flex-col gap-6">
        {codes ? (
          <SecondFactorCodes codes={codes} isBusy={isLeaving} onDone={() => void goOn()} />
        ) : started ? (
          <SecondFactorSetup
            started={started}
            onCodes={showCodes}
            onRestart={() => setStarted(undefined)}
          />
        ) : factor?.isSet ? (
          <SecondFactorSettings factor={factor} onStarted={setStarted} onCodes={showCodes} />
        ) : factor ? (
          <SecondFactorStart factor={factor} onStarted={setStarted} />
        ) : error ? (
          <ErrorState
            error={error}
            title={t('factor.failed')}
            onRetry={refetch}
            isRetrying={isFetching}
          />
        ) : (
          <Skeleton>
            <SkeletonText lines={6} />
          </Skeleton>
        )}
      </div>
    </div>
  );
}
