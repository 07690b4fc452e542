import { useState } from 'react';
import { OwnCommunicationCard } from '#features/messages/own-communication.tsx';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { useUAEPass } from '#lib/auth/uae-pass.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { Card } from '#ui/data/card.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton, SkeletonText } from '#ui/feedback/skeleton.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { getSecondFactor } from '@diwan/contract/people/second-factor';
import { getProfile, type Profile } from '@diwan/contract/people/users';
import type { Channel } from '@diwan/contract/wire/channels';
import { ChangePasswordDialog } from './change-password-dialog.tsx';
import { ContactDialog } from './contact-dialog.tsx';
import { OwnSessions } from './own-sessions.tsx';

/** The state of the second factor. */
function SecondFactorCard() {
  const { t } = useTranslation('security');
  const { date } = useFormat();
  const { data } = useCall(getSecondFactor, {});
  if (!data) return null;
  return (
    <Card title={t('factor.title')}>
      <StatusTag tone={data.isSet ? 'done' : 'waiting'}>
        {data.since ? t('card.on', { date: date(data.since) }) : t('card.off')}
      </StatusTag>
      <p className="mt-3 text-ink-600">{t('factor.lead')}</p>
      <div className="mt-5">
        <LinkButton to="/account/second-factor" variant="secondary">
          {t(data.isSet ? 'card.manage' : 'card.setUp')}
        </LinkButton>
      </div>
    </Card>
  );
}

function ContactValue({ value, isVerified }: { value: string; isVerified: boolean }) {
  const { t } = useTranslation(['users', 'accounts']);
  if (value === '') return <span>{t('profile.none')}</span>;
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
  // Contact details from UAE PASS are replaced at each sign-in.
  const mayChange = profile.hasPassword;
  const changeButtonOf = (channel: Channel, value: string) => (
    <Button variant="quiet" size="sm" onPress={() => setChanging(channel)}>
      <span>{t(value === '' ? 'accounts:contact.add' : 'accounts:contact.change')}</span>
      <span className="sr-only">
        : <span>{t(channel === 'email' ? 'profile.email' : 'profile.phoneNumber')}</span>
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
            ...(mayChange ? { action: changeButtonOf('email', profile.email) } : {}),
          },
          {
            label: t('profile.phoneNumber'),
            value: (
              <ContactValue value={profile.phoneNumber} isVerified={profile.isPhoneVerified} />
            ),
            ...(mayChange ? { action: changeButtonOf('sms', profile.phoneNumber) } : {}),
          },
        ]}
      />
      {changing ? (
        <ContactDialog
          channel={changing}
          current={
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
 * How the user signs in. Users with a password change it here; staff and companies also in the
 * header (specification §6).
 */
function SignInCard({ profile }: { profile: Profile }) {
  const { t } = useTranslation(['users', 'accounts']);
  const session = useSession();
  const isUAEPassEnabled = useUAEPass();
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
          ...(isUAEPassEnabled || profile.hasUAEPass
            ? [
                {
                  label: t('profile.byUAEPass'),
                  value: t(
                    profile.hasUAEPass ? 'accounts:contact.linked' : 'accounts:contact.notLinked',
                  ),
                },
              ]
            : []),
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
  const home = useHomeAddress();
  const session = useSession();
  usePageTitle(t('profile.title'));
  const { data, error, refetch, isFetching } = useCall(getProfile, {});
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('profile.title')}
        lead={t('profile.lead')}
        crumbs={[{ label: t('shell:navigation.home'), to: home }, { label: t('profile.title') }]}
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
