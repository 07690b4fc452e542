import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '@diwan/contract/people/accounts';
import { getProfile, type Profile } from '@diwan/contract/people/users';
import { usePageTitle } from '../../../lib/page/page-title.ts';
import { hasRole, useSession } from '../../../lib/api/session.ts';
import { useCall } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Card } from '../../../ui/data/card.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { KeyValueList } from '../../../ui/data/key-value-list.tsx';
import { PageHeader } from '../../../ui/data/page-header.tsx';
import { Reference } from '../../../ui/values/reference.tsx';
import { Skeleton, SkeletonText } from '../../../ui/feedback/skeleton.tsx';
import { StatusTag } from '../../../ui/values/status-tag.tsx';
import { OwnCommunicationCard } from '../../messages/own-communication.tsx';
import { ContactDialog } from './contact-dialog.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { ChangePasswordDialog } from './change-password-dialog.tsx';
import { SecondFactorCard } from '../second-factor/second-factor-card.tsx';

function ContactValue({ value, isVerified }: { value: string; isVerified: boolean }) {
  const { t } = useTranslation(['users', 'accounts']);
  if (value === '') return t('profile.none');
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Reference>{value}</Reference>
      {isVerified ? null : (
        <StatusTag tone="waiting">{t('accounts:contact.notVerified')}</StatusTag>
      )}
    </span>
  );
}

function PersonCard({ profile }: { profile: Profile }) {
  const { t } = useTranslation(['users', 'shell', 'accounts']);
  const { company, partner } = profile;
  const [changing, setChanging] = useState<Channel>();
  // What UAE PASS says comes again with each sign-in.
  const mayChange = profile.hasPassword;
  const changeOf = (channel: Channel, value: string) => (
    <Button variant="quiet" size="sm" onPress={() => setChanging(channel)}>
      {t(value === '' ? 'accounts:contact.add' : 'accounts:contact.change')}
      <span className="sr-only">
        : {t(channel === 'email' ? 'profile.email' : 'profile.phoneNumber')}
      </span>
    </Button>
  );
  const roles = profile.roles
    .map((role) => t(`shell:roles.${role}`))
    .join(t('shell:listSeparator'));
  return (
    <Card title={t('profile.person')}>
      <KeyValueList
        items={[
          { label: t('profile.fullName'), value: <bdi>{profile.fullName}</bdi> },
          { label: t('profile.roles'), value: roles },
          ...(company ? [{ label: t('profile.company'), value: <bdi>{company.name}</bdi> }] : []),
          ...(partner ? [{ label: t('profile.partner'), value: <bdi>{partner.name}</bdi> }] : []),
          {
            label: t('profile.email'),
            value: <ContactValue value={profile.email} isVerified={profile.isEmailVerified} />,
            ...(mayChange ? { action: changeOf('email', profile.email) } : {}),
          },
          {
            label: t('profile.phoneNumber'),
            value: (
              <ContactValue value={profile.phoneNumber} isVerified={profile.isPhoneVerified} />
            ),
            ...(mayChange ? { action: changeOf('sms', profile.phoneNumber) } : {}),
          },
        ]}
      />
      {changing ? (
        <ContactDialog
          channel={changing}
          now={
            changing === 'email'
              ? profile.isEmailVerified
                ? ''
                : profile.email
              : profile.isPhoneVerified
                ? ''
                : profile.phoneNumber
          }
          onClose={() => setChanging(undefined)}
        />
      ) : null}
    </Card>
  );
}

/**
 * How somebody signs in. Everybody who has a password changes it here; staff and companies find it
 * in the header too (specification §6).
 */
function SignInCard({ profile }: { profile: Profile }) {
  const { t } = useTranslation(['users', 'accounts']);
  const session = useSession();
  const [isChanging, setIsChanging] = useState(false);
  return (
    <Card title={t('profile.signIn')}>
      <KeyValueList
        items={[
          {
            label: t('profile.username'),
            value: (
              <bdi dir="ltr" className="break-all">
                {profile.username}
              </bdi>
            ),
          },
          {
            label: t('profile.now'),
            value: t(session?.isUAEPass ? 'profile.byUAEPass' : 'profile.byPassword'),
          },
          {
            label: t('profile.byUAEPass'),
            value: t(profile.hasUAEPass ? 'accounts:contact.linked' : 'accounts:contact.notLinked'),
          },
        ]}
      />
      {profile.hasPassword ? (
        <div className="mt-5">
          <Button variant="secondary" onPress={() => setIsChanging(true)}>
            {t('password.title')}
          </Button>
          <ChangePasswordDialog isOpen={isChanging} onClose={() => setIsChanging(false)} />
        </div>
      ) : null}
    </Card>
  );
}

export function ProfilePage() {
  const { t } = useTranslation(['users', 'shell']);
  const session = useSession();
  usePageTitle(t('profile.title'));
  const { data, error, refetch, isFetching } = useCall(getProfile, {});
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('profile.title')}
        lead={t('profile.lead')}
        crumbs={[{ label: t('shell:navigation.home'), to: '/home' }, { label: t('profile.title') }]}
      />
      <div className="flex max-w-form flex-col gap-6">
        {data ? (
          <>
            <PersonCard profile={data} />
            {hasRole(session, 'Client', 'CompanyUser') ? <OwnCommunicationCard /> : null}
            <SignInCard profile={data} />
            <SecondFactorCard />
            <OwnSessions />
          </>
        ) : null}
        {!data && error ? (
          <ErrorState error={error} onRetry={refetch} isRetrying={isFetching} />
        ) : null}
        {!data && !error ? (
          <Skeleton>
            <SkeletonText lines={6} />
          </Skeleton>
        ) : null}
      </div>
    </div>
  );
}
