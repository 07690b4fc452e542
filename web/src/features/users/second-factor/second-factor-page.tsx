import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { getSecondFactor } from '@diwan/contract/people/second-factor';
import { renewToken } from '../../../lib/api/fresh-token.ts';
import { handleError } from '../../../lib/api/handle-error.ts';
import { usePageTitle } from '../../../lib/page/page-title.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { useSession } from '../../../lib/api/session.ts';
import { useCall } from '../../../lib/api/use-call.ts';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { PageHeader } from '../../../ui/data/page-header.tsx';
import { Skeleton, SkeletonText } from '../../../ui/feedback/skeleton.tsx';
import { nextAddress } from '../sign-in/next-address.ts';
import { SecondFactorCodes } from './second-factor-codes.tsx';
import { SecondFactorSetup, type BegunFactor } from './second-factor-setup.tsx';
import { SecondFactorStart } from './second-factor-start.tsx';
import { SecondFactorState } from './second-factor-state.tsx';

/**
 * What the token says of a restriction is as old as the token: it is renewed where the server knows
 * better.
 */
function useTokenInStep(mustSetUp: boolean | undefined): void {
  const session = useSession();
  const token = session?.token;
  const isStale =
    session !== null &&
    mustSetUp !== undefined &&
    (session.restriction === 'secondFactor') !== mustSetUp;
  useEffect(() => {
    if (isStale && token !== undefined) void renewToken(token).catch(handleError);
  }, [isStale, token]);
}

/**
 * The second factor of whoever is signed in; those who must have one come here before anything
 * else.
 */
export function SecondFactorPage() {
  const { t } = useTranslation(['security', 'users', 'shell']);
  usePageTitle(t('factor.title'));
  const navigate = useNavigate();
  const [begun, setBegun] = useState<BegunFactor>();
  const [codes, setCodes] = useState<string[]>();
  const [cameHeldBack, setCameHeldBack] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const session = useSession();
  const { data: factor, error, refetch, isFetching } = useCall(getSecondFactor, {});
  useTokenInStep(factor?.mustSetUp);
  const showCodes = (made: string[]) => {
    if (factor?.mustSetUp) setCameHeldBack(true);
    setCodes(made);
    setBegun(undefined);
    void queryClient.invalidateQueries({ queryKey: [getSecondFactor.name] });
  };
  const goOn = async () => {
    if (!cameHeldBack) return setCodes(undefined);
    setIsLeaving(true);
    try {
      if (session?.restriction === 'secondFactor') await renewToken(session.token);
      await navigate(nextAddress('/home'), { replace: true });
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
        ) : begun ? (
          <SecondFactorSetup
            begun={begun}
            onCodes={showCodes}
            onRestart={() => setBegun(undefined)}
          />
        ) : factor?.isSet ? (
          <SecondFactorState factor={factor} onBegun={setBegun} onCodes={showCodes} />
        ) : factor ? (
          <SecondFactorStart factor={factor} onBegun={setBegun} />
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
