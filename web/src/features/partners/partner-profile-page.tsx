import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { getOwnPartnerRecord } from '@diwan/contract/people/partner-registration';
import { getOwnPartner } from '@diwan/contract/people/partners';
import { getProfile } from '@diwan/contract/people/users';
import { renewToken } from '../../lib/api/fresh-token.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { usePageTitle } from '../../lib/page/page-title.ts';
import { currentSession, useSession } from '../../lib/api/session.ts';
import { useCall } from '../../lib/api/use-call.ts';
import { Card } from '../../ui/data/card.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { KeyValueList } from '../../ui/data/key-value-list.tsx';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { PageHeader } from '../../ui/data/page-header.tsx';
import { Reference } from '../../ui/values/reference.tsx';
import { Skeleton, SkeletonRows, SkeletonText } from '../../ui/feedback/skeleton.tsx';
import { FigureCard } from '../reports/figure-card.tsx';
import { useFigures } from '../reports/reports.data.ts';
import { useRequestsCount } from '../requests/data/requests.data.ts';
import { PartnerServices } from './partner-services.tsx';
import { ProviderStanding } from './provider-standing.tsx';

/**
 * Who I am to the portal, and the partner I work for: what it provides, for whom, and what is under
 * way.
 */
function WorkingProfile() {
  const { t } = useTranslation('partners');
  const { count } = useFormat();
  const profile = useCall(getProfile, {});
  const partner = useCall(getOwnPartner, {});
  const open = useRequestsCount();
  const figures = useFigures();
  usePageTitle(t('profile.title'));
  const mine = figures.data?.standing
    .filter(({ waitsForMe }) => waitsForMe)
    .reduce((sum, status) => sum + status.count, 0);
  const numbers = [
    ['waiting', mine],
    ['processing', open.data?.processingRequestsCount],
    ['completed', figures.data?.current.completed],
    ['services', partner.data?.services.length],
  ] as const;
  const isWithoutPartner = partner.error?.status === 404;
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('profile.title')}
        lead={partner.data ? <bdi>{partner.data.name}</bdi> : undefined}
        action={
          <LinkButton to="/dashboard-supervisor" variant="secondary">
            {t('profile.toDashboard')}
          </LinkButton>
        }
      />
      <div className="flex flex-col gap-8">
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Card title={t('profile.own')}>
            {profile.data ? (
              <KeyValueList
                items={[
                  { label: t('profile.name'), value: <bdi>{profile.data.fullName}</bdi> },
                  {
                    label: t('profile.username'),
                    value: <Reference isName>{profile.data.username}</Reference>,
                  },
                  {
                    label: t('profile.email'),
                    value: (
                      <bdi dir="ltr" className="wrap-anywhere">
                        {profile.data.email}
                      </bdi>
                    ),
                  },
                  {
                    label: t('profile.phone'),
                    value: <Reference>{profile.data.phoneNumber}</Reference>,
                  },
                ]}
              />
            ) : profile.error ? (
              <ErrorState
                error={profile.error}
                onRetry={profile.refetch}
                isRetrying={profile.isRefetching}
              />
            ) : (
              <Skeleton>
                <SkeletonText lines={4} />
              </Skeleton>
            )}
          </Card>
          <dl className="grid grid-cols-2 gap-3 md:gap-4">
            {numbers.map(([name, value]) => (
              <FigureCard
                key={name}
                label={t(`numbers.${name}`)}
                value={value === undefined ? '…' : count(value)}
              />
            ))}
          </dl>
        </div>
        {partner.data ? (
          <PartnerServices partner={partner.data} />
        ) : isWithoutPartner ? (
          <EmptyState title={t('profile.noPartnerTitle')}>{t('profile.noPartnerText')}</EmptyState>
        ) : partner.error ? (
          <ErrorState
            error={partner.error}
            onRetry={partner.refetch}
            isRetrying={partner.isRefetching}
          />
        ) : (
          <SkeletonRows count={4} />
        )}
      </div>
    </div>
  );
}

/**
 * What somebody may do follows from the state of their provider; a token from before a change says
 * otherwise until it is renewed.
 */
function useTokenOfState(isWorking: boolean | undefined): void {
  const restriction = useSession()?.restriction;
  const isStopped = restriction === 'inactive' || restriction === 'suspended';
  useEffect(() => {
    const session = currentSession();
    if (session && isWorking !== undefined && isWorking === isStopped)
      void renewToken(session.token).catch(() => null);
  }, [isWorking, isStopped]);
}

/** The own page of a service provider: its work, or why it cannot work now. */
export function PartnerProfilePage() {
  const { t } = useTranslation('partners');
  const record = useCall(getOwnPartnerRecord, { staleTime: 0 });
  // A supervisor whom nobody has given a partner yet is not kept from anything.
  const isWorking = record.data
    ? record.data.state === 'active'
    : record.error?.status === 404
      ? true
      : undefined;
  useTokenOfState(isWorking);
  usePageTitle(t('profile.title'));
  if (isWorking) return <WorkingProfile />;
  if (record.data) return <ProviderStanding record={record.data} reload={record.refetch} />;
  return (
    <div className="page pb-16">
      <PageHeader title={t('profile.title')} />
      {record.error ? (
        <ErrorState
          error={record.error}
          onRetry={record.refetch}
          isRetrying={record.isRefetching}
        />
      ) : (
        <SkeletonRows count={4} />
      )}
    </div>
  );
}
