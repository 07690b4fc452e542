import { useEffect, useState } from 'react';
import { checkNewAccount } from '@diwan/contract/people/new-account';
import {
  acceptStaffInvitation,
  joinStaff,
  readStaffInvitation,
} from '@diwan/contract/staff/staff-invitations';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { useLocation, useNavigate } from '../../../lib/router/router-provider.tsx';
import { homeAddressOf, useHomeAddress } from '../../../lib/auth/home-address.ts';
import { signOutByUser } from '../../../lib/auth/sign-out.ts';
import { handleError, messageOf } from '../../../lib/api/handle-error.ts';
import {
  currentSession,
  storeReturnUrl,
  storeToken,
  useSession,
} from '../../../lib/api/session.ts';
import { refreshTokenOnce } from '../../../lib/api/token-refresh.ts';
import { useAction } from '../../../lib/api/use-call.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { useTranslation } from '../../../lib/i18n/translate.ts';
import { usePageTitle } from '../../../lib/page/head.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { LinkButton } from '../../../ui/actions/links.tsx';
import { Card } from '../../../ui/data/card.tsx';
import { PageHeader } from '../../../ui/data/page-header.tsx';
import { ErrorAlert } from '../../../ui/feedback/alert.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton, SkeletonText } from '../../../ui/feedback/skeleton.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { Moment } from '../../../ui/values/moment.tsx';
import { useFieldMessages } from '../fields/field-messages.ts';
import { EmailAddress } from '../../../ui/values/reference.tsx';
import { NewPasswordFields } from '../fields/new-password-fields.tsx';

type Invitation = ReplyOf<typeof readStaffInvitation>;

function AccountForm({
  token,
  invitation,
  onJoined,
}: {
  token: string;
  invitation: Invitation;
  onJoined: () => void;
}) {
  const { t } = useTranslation('people');
  const [values, setValues] = useState({
    fullName: invitation.fullName,
    phoneNumber: '',
    username: '',
    password: '',
    confirmPassword: '',
  });
  const names = ['fullName', 'phoneNumber', 'username', 'password', 'confirmPassword'] as const;
  const messages = useFieldMessages(
    Object.fromEntries(names.map((name) => [name, t(`join.${name}`)])),
  );
  const join = useAction(joinStaff, {
    skipErrorHandling: true,
    onSuccess: (reply) => {
      storeToken(reply.token);
      onJoined();
    },
    onError: (error) => {
      if (error.name === 'UsernameTaken') messages.show([], { username: [messageOf(error)] });
      else if (Object.keys(error.fieldErrors).length > 0) messages.show([], error.fieldErrors);
      else handleError(Object.assign(error, { skipErrorHandling: false }));
    },
  });
  const set = (changed: Partial<typeof values>) => {
    setValues({ ...values, ...changed });
    messages.clear(...Object.keys(changed));
  };
  const field = (name: 'fullName' | 'phoneNumber' | 'username') => ({
    name,
    label: t(`join.${name}`),
    value: values[name],
    error: messages.of(name),
    onChange: (value: string) => set({ [name]: value }),
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (join.isPending) return;
        const { issues } = checkNewAccount({ ...values, email: invitation.email });
        messages.show(issues);
        if (issues.length === 0) join.mutate({ body: { token, ...values } });
      }}
    >
      <ErrorSummary key={messages.attempt} errors={messages.summary} />
      <TextField {...field('fullName')} autoComplete="name" dir="auto" maxLength={200} />
      <TextField
        {...field('phoneNumber')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        dir="ltr"
        maxLength={40}
        description={t('join.phoneHint')}
      />
      <TextField
        {...field('username')}
        autoComplete="username"
        dir="ltr"
        maxLength={40}
        description={t('join.usernameHint')}
      />
      <NewPasswordFields
        password={values.password}
        confirm={values.confirmPassword}
        personalNames={[values.username, ...values.fullName.split(/\s+/)].filter(Boolean)}
        names={{ password: 'password', confirm: 'confirmPassword' }}
        labels={{ password: t('join.password'), confirm: t('join.confirmPassword') }}
        errorOf={messages.of}
        onChange={({ password, confirm }) =>
          set(password === undefined ? { confirmPassword: confirm ?? '' } : { password })
        }
      />
      <div>
        <Button type="submit" isPending={join.isPending} pendingLabel={t('acts.pending')}>
          {t('join.create')}
        </Button>
      </div>
    </form>
  );
}

function InvitationText({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation(['people', 'shell']);
  const roles = invitation.roles.map((role) => t(`roles.${role}`, { ns: 'shell' }));
  return (
    <Card>
      <p>{t('join.invitedBy', { name: `\u2068${invitation.invitedBy}\u2069` })}</p>
      <p className="py-2 text-xl font-semibold">
        {roles.join(t('listSeparator', { ns: 'shell' }))}
      </p>
      {invitation.partner ? (
        <p className="pb-2 font-semibold">
          <bdi>{invitation.partner.name}</bdi>
        </p>
      ) : null}
      <p className="text-ink-600">
        {t('join.for')} <EmailAddress>{invitation.email}</EmailAddress>
      </p>
      <p className="text-ink-600">
        {t('join.until')} <Moment at={invitation.expiresAt} />
      </p>
    </Card>
  );
}

function Accept({ token, onJoined }: { token: string; onJoined: () => void }) {
  const { t } = useTranslation('people');
  const session = useSession();
  const accept = useAction(acceptStaffInvitation, {
    skipErrorHandling: true,
    onSuccess: async () => {
      const current = currentSession();
      if (current) await refreshTokenOnce(current.token).catch(() => null);
      onJoined();
    },
  });
  return (
    <div className="flex flex-col gap-4">
      <ErrorAlert error={accept.error} />
      <p>
        {t('join.signedInAs')} <bdi className="font-semibold">{session?.fullName}</bdi>
      </p>
      <p className="text-ink-600">{t('join.acceptText')}</p>
      <div className="flex flex-wrap gap-3">
        <Button
          isPending={accept.isPending}
          pendingLabel={t('acts.pending')}
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
  );
}

/**
 * The target of the link in an invitation of staff. The token is in the fragment, which is not sent
 * to servers.
 */
export function StaffInvitationPage() {
  const { t } = useTranslation('people');
  const home = useHomeAddress();
  const navigate = useNavigate();
  const session = useSession();
  const { hash } = useLocation();
  const [token] = useState(() => hash.slice(1));
  const [isNew, setIsNew] = useState(false);
  const reading = useAction(readStaffInvitation, { skipErrorHandling: true });
  usePageTitle(t('join.title'));
  const { mutate, data: invitation, error } = reading;
  useEffect(() => {
    if (token !== '') mutate({ body: { token } });
  }, [mutate, token]);
  const arrive = () => {
    showToast(t('join.done'), 'success');
    // The home page would end the session that has just begun (specification §2).
    void navigate(homeAddressOf(currentSession()), { replace: true });
  };
  return (
    <div className="page pb-16">
      <div className="max-w-form">
        <PageHeader title={t('join.title')} />
        {token === '' || error?.status === 400 ? (
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
        ) : error ? (
          <ErrorState
            error={error}
            onRetry={() => mutate({ body: { token } })}
            isRetrying={reading.isPending}
          />
        ) : !invitation ? (
          <Skeleton>
            <SkeletonText lines={4} />
          </Skeleton>
        ) : (
          <div className="flex flex-col gap-6">
            <InvitationText invitation={invitation} />
            {session ? (
              <Accept token={token} onJoined={arrive} />
            ) : isNew ? (
              <section>
                <h2 className="pb-4 text-lg">{t('join.newTitle')}</h2>
                <AccountForm token={token} invitation={invitation} onJoined={arrive} />
              </section>
            ) : (
              <div className="flex flex-col gap-4">
                <p className="text-ink-600">{t('join.ways')}</p>
                <div className="flex flex-wrap gap-3">
                  <Button
                    onPress={() => {
                      storeReturnUrl(`/account/invitation#${token}`);
                      void navigate('/account/login');
                    }}
                  >
                    {t('join.signIn')}
                  </Button>
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
