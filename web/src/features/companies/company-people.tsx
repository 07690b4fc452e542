import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { EmailAddress, Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import type { CompanyInvitation, CompanyUser } from '@diwan/contract/people/companies';
import type { CompanyDecision } from './company-confirm-dialog.tsx';

type Decide = (decision: CompanyDecision) => void;

function UserActions({ user, decide }: { user: CompanyUser; decide: Decide }) {
  const { t } = useTranslation('companies');
  const ask = (kind: CompanyDecision['kind']) =>
    decide({ kind, id: user.userId, name: user.fullName });
  const named = (text: string) => `${text}: ${user.fullName}`;
  return (
    <div className="flex flex-wrap gap-2 md:justify-end">
      <Button
        variant="quiet"
        size="sm"
        aria-label={named(t(user.isManager ? 'actions.endManager' : 'actions.makeManager'))}
        onPress={() => ask(user.isManager ? 'endManager' : 'makeManager')}
      >
        {t(user.isManager ? 'actions.endManager' : 'actions.makeManager')}
      </Button>
      <Button
        variant="quiet"
        size="sm"
        aria-label={named(t(user.isMe ? 'actions.leave' : 'actions.remove'))}
        onPress={() => ask(user.isMe ? 'leave' : 'remove')}
      >
        {t(user.isMe ? 'actions.leave' : 'actions.remove')}
      </Button>
    </div>
  );
}

function useUserColumns(decide: Decide | undefined): Column<CompanyUser>[] {
  const { t } = useTranslation('companies');
  return [
    {
      key: 'name',
      header: t('columns.name'),
      isPrimary: true,
      cell: (user) => (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <bdi>{user.fullName}</bdi>
          {user.isMe ? <span className="font-normal text-ink-500">{t('you')}</span> : null}
        </span>
      ),
    },
    {
      key: 'role',
      header: t('columns.role'),
      cell: (user) =>
        user.isManager ? <StatusTag tone="done">{t('manager')}</StatusTag> : t('user'),
    },
    {
      key: 'email',
      header: t('columns.email'),
      cell: (user) => <EmailAddress>{user.email}</EmailAddress>,
    },
    {
      key: 'phone',
      header: t('columns.phone'),
      cell: (user) => <Reference>{user.phoneNumber}</Reference>,
    },
    {
      key: 'lastSignIn',
      header: t('columns.lastSignIn'),
      cell: (user) =>
        user.lastSignInAt ? (
          <Moment at={user.lastSignInAt} as="relative" />
        ) : (
          <span className="text-ink-500">{t('never')}</span>
        ),
    },
    ...(decide
      ? [
          {
            key: 'actions',
            header: t('columns.actions'),
            align: 'end' as const,
            isControl: true,
            cell: (user: CompanyUser) => <UserActions user={user} decide={decide} />,
          },
        ]
      : []),
  ];
}

/** The users of the company, with actions for a manager. */
export function CompanyPeople({
  users,
  decide,
}: {
  users: readonly CompanyUser[];
  decide: Decide | undefined;
}) {
  const { t } = useTranslation('companies');
  const columns = useUserColumns(decide);
  return (
    <DataTable caption={t('title')} columns={columns} rows={users} rowKey={(user) => user.userId} />
  );
}

interface InvitationsProps {
  invitations: readonly CompanyInvitation[];
  decide: Decide;
  resend: (invitationId: string) => void;
  /** The invitation that is being sent. */
  sending: string | undefined;
}

function InvitationActions({
  invitation: { invitationId, email },
  decide,
  resend,
  sending,
}: Omit<InvitationsProps, 'invitations'> & { invitation: CompanyInvitation }) {
  const { t } = useTranslation('companies');
  return (
    <div className="flex flex-wrap gap-2 md:justify-end">
      <Button
        variant="quiet"
        size="sm"
        isPending={sending === invitationId}
        aria-label={`${t('actions.resend')}: ${email}`}
        onPress={() => resend(invitationId)}
      >
        {t('actions.resend')}
      </Button>
      <Button
        variant="quiet"
        size="sm"
        aria-label={`${t('actions.cancelInvitation')}: ${email}`}
        onPress={() => decide({ kind: 'cancelInvitation', id: invitationId, name: email })}
      >
        {t('actions.cancelInvitation')}
      </Button>
    </div>
  );
}

const stateOf = ({ isSent, isExpired }: CompanyInvitation) =>
  !isSent ? 'notSent' : isExpired ? 'expired' : 'open';

function useInvitationColumns(
  actions: Omit<InvitationsProps, 'invitations'>,
): Column<CompanyInvitation>[] {
  const { t } = useTranslation('companies');
  return [
    {
      key: 'email',
      header: t('columns.email'),
      isPrimary: true,
      cell: ({ email }) => <EmailAddress>{email}</EmailAddress>,
    },
    {
      key: 'state',
      header: t('columns.state'),
      cell: (invitation) => (
        <StatusTag tone={stateOf(invitation) === 'open' ? 'waiting' : 'refused'}>
          {t(`invitations.${stateOf(invitation)}`)}
        </StatusTag>
      ),
    },
    {
      key: 'invitedBy',
      header: t('columns.invitedBy'),
      cell: ({ invitedBy }) => <bdi>{invitedBy}</bdi>,
    },
    {
      key: 'expires',
      header: t('columns.expires'),
      cell: ({ expiresAt }) => <Moment at={expiresAt} as="dateTime" />,
    },
    {
      key: 'actions',
      header: t('columns.actions'),
      align: 'end',
      isControl: true,
      cell: (invitation) => <InvitationActions invitation={invitation} {...actions} />,
    },
  ];
}

/** Invitations that are not accepted yet. */
export function CompanyInvitations({ invitations, ...actions }: InvitationsProps) {
  const { t } = useTranslation('companies');
  const columns = useInvitationColumns(actions);
  return (
    <DataTable
      caption={t('invitations.title')}
      columns={columns}
      rows={invitations}
      rowKey={({ invitationId }) => invitationId}
    />
  );
}
