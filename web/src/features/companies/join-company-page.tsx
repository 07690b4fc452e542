import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from '../../lib/router/router-provider.tsx';
import { acceptCompanyInvitation, readCompanyInvitation } from '@diwan/contract/people/companies';
import { useHomeAddress } from '../../lib/auth/home-address.ts';
import { useTranslation } from '../../lib/i18n/translate.ts';
import { refreshTokenOnce } from '../../lib/api/token-refresh.ts';
import { usePageTitle } from '../../lib/page/head.ts';
import { currentSession, storeReturnUrl, useSession } from '../../lib/api/session.ts';
import { signOutByUser } from '../../lib/auth/sign-out.ts';
import { showToast } from '../../lib/browser/toasts.ts';
import { useAction } from '../../lib/api/use-call.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/data/card.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { LinkButton } from '../../ui/actions/links.tsx';
import { Moment } from '../../ui/values/moment.tsx';
import { ErrorAlert } from '../../ui/feedback/alert.tsx';
import { PageHeader } from '../../ui/data/page-header.tsx';
import { Skeleton, SkeletonText } from '../../ui/feedback/skeleton.tsx';
import { PasswordRules } from '../users/fields/password-rules.tsx';
import { EmailAddress } from '../../ui/values/reference.tsx';
import { JoinForm } from './join-form.tsx';

/**
 * The target of an invitation link: the inviting company and the ways to accept. The token is in
 * the fragment, which is not sent to servers.
 */
export function JoinCompanyPage() {
  const { t } = useTranslation('companies');
  const home = useHomeAddress();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const session = useSession();
  const [token] = useState(() => hash.slice(1));
  const [isNew, setIsNew] = useState(false);
  const reading = useAction(readCompanyInvitation, { skipErrorHandling: true });
  usePageTitle(t('join.title'));
  const { mutate, data: invitation } = reading;
  useEffect(() => {
    if (token !== '') mutate({ body: { token } });
  }, [mutate, token]);
  const arrive = () => {
    showToast(t('join.done'), 'success');
    void navigate('/companies/users', { replace: true });
  };
  const accept = useAction(acceptCompanyInvitation, {
    skipErrorHandling: true,
    onSuccess: async () => {
      const current = currentSession();
      if (current) await refreshTokenOnce(current.token).catch(() => null);
      arrive();
    },
  });
  const signIn = () => {
    storeReturnUrl(`/companies/join#${token}`);
    void navigate('/account/login');
  };
  const isGone =
    token === '' || reading.error?.name === 'InvitationNotValid' || reading.error?.status === 400;
  return (
    <div className="page pb-16">
      <div className="max-w-form">
        <PageHeader title={t('join.title')} />
        {isGone ? (
          <EmptyState
            title={t('join.goneTitle')}
            action={
              <LinkButton to={home} variant="secondary">
                {t('join.home')}
              </LinkButton>
            }
          >
            {t('join.goneText')}
          </EmptyState>
        ) : reading.error ? (
          <ErrorState
            error={reading.error}
            onRetry={() => mutate({ body: { token } })}
            isRetrying={reading.isPending}
          />
        ) : !invitation ? (
          <Skeleton>
            <SkeletonText lines={4} />
          </Skeleton>
        ) : (
          <div className="flex flex-col gap-6">
            <Card>
              <p>{t('join.invitedBy', { name: `\u2068${invitation.invitedBy}\u2069` })}</p>
              <p className="py-2 text-xl font-semibold">
                <bdi>{invitation.companyName}</bdi>
              </p>
              <p className="text-ink-600">
                {t('join.for')} <EmailAddress>{invitation.email}</EmailAddress>
              </p>
              <p className="text-ink-600">
                {t('join.until')} <Moment at={invitation.expiresAt} as="dateTime" />
              </p>
            </Card>
            <ErrorAlert error={accept.error} />
            {session ? (
              <div className="flex flex-col gap-4">
                <p>
                  {t('join.signedInAs')} <bdi className="font-semibold">{session.fullName}</bdi>
                </p>
                <div className="flex flex-wrap gap-3">
                  <Button
                    isPending={accept.isPending}
                    onPress={() => accept.mutate({ body: { token } })}
                  >
                    {t('join.accept')}
                  </Button>
                  <Button
                    variant="secondary"
                    isDisabled={accept.isPending}
                    onPress={() => {
                      accept.reset();
                      signOutByUser();
                    }}
                  >
                    {t('join.other')}
                  </Button>
                </div>
              </div>
            ) : isNew ? (
              <section>
                <h2 className="pb-4 text-lg">{t('join.newTitle')}</h2>
                <JoinForm token={token} onJoined={arrive}>
                  {(password, problems) => (
                    <PasswordRules password={password} problems={problems} isFirst />
                  )}
                </JoinForm>
              </section>
            ) : (
              <div className="flex flex-col gap-4">
                <p className="text-ink-600">{t('join.ways')}</p>
                <div className="flex flex-wrap gap-3">
                  <Button onPress={signIn}>{t('join.signIn')}</Button>
                  <Button variant="secondary" onPress={() => setIsNew(true)}>
                    {t('join.new')}
                  </Button>
                </div>
              </div>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
