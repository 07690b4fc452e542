import { useEffect, useState, type ReactNode } from 'react';
import { messageOf } from '#lib/api/handle-error.ts';
import { currentSession, storeReturnUrl, storeToken, useSession } from '#lib/api/session.ts';
import { refreshTokenOnce } from '#lib/api/token-refresh.ts';
import { useAction } from '#lib/api/use-call.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { signOutByUser } from '#lib/auth/sign-out-by-user.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useLocation, useNavigate } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { Card } from '#ui/data/card.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton, SkeletonText } from '#ui/feedback/skeleton.tsx';
import { ErrorSummary } from '#ui/forms/error-summary.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { EmailAddress } from '#ui/values/reference.tsx';
import type {
  acceptCompanyInvitation,
  joinCompany,
  readCompanyInvitation,
} from '@diwan/contract/people/companies';
import { checkNewAccount } from '@diwan/contract/people/new-account';
import type {
  acceptStaffInvitation,
  joinStaff,
  readStaffInvitation,
} from '@diwan/contract/staff/staff-invitations';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { PhoneField, SignInFields } from '../fields/account-fields.tsx';
import { useFieldMessages } from '../fields/field-messages.ts';
import { SharedComputerChoice } from '../identity/shared-computer-choice.tsx';

/** What every invitation says. `fullName`: as the one who invites wrote it. */
interface Invitation {
  email: string;
  fullName?: string;
  invitedBy: string;
  expiresAt: string;
}

/** An invitation of staff, or to a company. */
export interface InvitationKind {
  /** Where its own texts are, under `join`. */
  texts: 'people' | 'companies';
  /** The address of the link. */
  path: string;
  accept: typeof acceptStaffInvitation | typeof acceptCompanyInvitation;
  join: typeof joinStaff | typeof joinCompany;
}

interface InvitationProps {
  kind: InvitationKind;
  token: string;
  invitation: Invitation;
  onJoined: () => void;
}

const fieldNames = ['fullName', 'phoneNumber', 'username', 'password', 'confirmPassword'] as const;

/** Creates an account for an invited person; the link has verified the e-mail address. */
function AccountForm({ kind, token, invitation, onJoined }: InvitationProps) {
  const { t } = useTranslation(['accounts', kind.texts]);
  const [values, setValues] = useState({
    fullName: invitation.fullName ?? '',
    email: invitation.email,
    phoneNumber: '',
    username: '',
    password: '',
    confirmPassword: '',
  });
  const messages = useFieldMessages(
    Object.fromEntries(fieldNames.map((name) => [name, t(`register.${name}`)])),
  );
  const join = useAction(kind.join, {
    skipErrorHandling: true,
    onSuccess: (reply) => {
      storeToken(reply.token);
      onJoined();
    },
    onError: (error) => {
      if (error.name === 'UsernameTaken') messages.show([], { username: [messageOf(error)] });
      else messages.show([], error.fieldErrors);
    },
  });
  const change = (changed: Partial<typeof values>) => {
    setValues({ ...values, ...changed });
    messages.clear(...Object.keys(changed));
  };
  const isAtField = messages.summary.length > 0;
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (join.isPending) return;
        const { issues } = checkNewAccount(values);
        messages.show(issues);
        const { email: _, ...person } = values;
        if (issues.length === 0) join.mutate({ body: { token, ...person } });
      }}
    >
      <ErrorSummary key={messages.attempt} errors={messages.summary} />
      <ErrorAlert error={isAtField || join.error?.name === 'UsernameTaken' ? null : join.error} />
      <TextField
        name="fullName"
        label={t('register.fullName')}
        autoComplete="name"
        dir="auto"
        maxLength={200}
        value={values.fullName}
        onChange={(fullName) => change({ fullName })}
        error={messages.of('fullName')}
      />
      <PhoneField state={{ values, messages, change }} />
      <SignInFields state={{ values, messages, change }} />
      <SharedComputerChoice />
      <div>
        <Button type="submit" isPending={join.isPending} pendingLabel={t('register.pending')}>
          {t(`${kind.texts}:join.create`)}
        </Button>
      </div>
    </form>
  );
}

/** For a person who is signed in: accepts with this account, or with another one. */
function Accept({ kind, token, onJoined }: Omit<InvitationProps, 'invitation'>) {
  const { t } = useTranslation(['accounts', kind.texts]);
  const session = useSession();
  const accept = useAction(kind.accept, {
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
        {t('invitation.signedInAs')} <bdi className="font-semibold">{session?.fullName}</bdi>
      </p>
      <p className="text-ink-600">{t(`${kind.texts}:join.acceptText`)}</p>
      <div className="flex flex-wrap gap-3">
        <Button
          isPending={accept.isPending}
          pendingLabel={t('register.pending')}
          onPress={() => accept.mutate({ body: { token } })}
        >
          {t(`${kind.texts}:join.accept`)}
        </Button>
        <Button
          variant="secondary"
          isDisabled={accept.isPending}
          onPress={() => {
            accept.reset();
            signOutByUser();
          }}
        >
          {t('invitation.other')}
        </Button>
      </div>
    </div>
  );
}

/** The ways to accept an invitation. */
function Ways(props: InvitationProps) {
  const { kind, token } = props;
  const { t } = useTranslation(['accounts', kind.texts]);
  const navigate = useNavigate();
  const session = useSession();
  const [isNew, setIsNew] = useState(false);
  if (session) return <Accept {...props} />;
  if (isNew)
    return (
      <section>
        <h2 className="pb-4 text-lg">{t('invitation.newTitle')}</h2>
        <AccountForm {...props} />
      </section>
    );
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-600">{t(`${kind.texts}:join.ways`)}</p>
      <div className="flex flex-wrap gap-3">
        <Button
          onPress={() => {
            storeReturnUrl(`${kind.path}#${token}`);
            void navigate('/account/login');
          }}
        >
          {t('invitation.signIn')}
        </Button>
        <Button variant="secondary" onPress={() => setIsNew(true)}>
          {t('invitation.new')}
        </Button>
      </div>
    </div>
  );
}

/**
 * The target of the link in an invitation: who invites, to what (`children`), and the ways to accept.
 * The token is in the fragment, which is not sent to servers.
 */
export function InvitationView<
  Read extends typeof readStaffInvitation | typeof readCompanyInvitation,
>({
  kind,
  read,
  onJoined,
  children,
}: {
  kind: InvitationKind;
  read: Read;
  onJoined: () => void;
  children: (invitation: ReplyOf<Read>) => ReactNode;
}) {
  const { t } = useTranslation(['accounts', kind.texts]);
  const home = useHomeAddress();
  const { hash } = useLocation();
  const [token] = useState(() => hash.slice(1));
  const reading = useAction<typeof readStaffInvitation | typeof readCompanyInvitation>(read, {
    skipErrorHandling: true,
  });
  const { mutate, data: invitation, error } = reading;
  const title = t(`${kind.texts}:join.title`);
  usePageTitle(title);
  useEffect(() => {
    if (token !== '') mutate({ body: { token } });
  }, [mutate, token]);
  const arrive = () => {
    showToast(t(`${kind.texts}:join.done`), 'success');
    onJoined();
  };
  return (
    <div className="page pb-16">
      <div className="max-w-form">
        <PageHeader title={title} />
        {token === '' || error?.status === 400 ? (
          <EmptyState
            title={t('invitation.goneTitle')}
            action={
              <LinkButton to={home} variant="secondary">
                {t('invitation.home')}
              </LinkButton>
            }
          >
            {t(`${kind.texts}:join.goneText`)}
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
            <Card>
              <p>
                {t(`${kind.texts}:join.invitedBy`, { name: `\u2068${invitation.invitedBy}\u2069` })}
              </p>
              {children(invitation as ReplyOf<Read>)}
              <p className="text-ink-600">
                {t('invitation.for')} <EmailAddress>{invitation.email}</EmailAddress>
              </p>
              <p className="text-ink-600">
                {t('invitation.until')} <Moment at={invitation.expiresAt} />
              </p>
            </Card>
            <Ways {...{ kind, token, invitation }} onJoined={arrive} />
          </div>
        )}
      </div>
    </div>
  );
}
