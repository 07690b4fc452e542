import { useState } from 'react';
import { hasRole, useMayCall, useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton, TextLink } from '#ui/actions/links.tsx';
import { Card } from '#ui/data/card.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { RecordPage } from '#ui/data/record-page.tsx';
import { Tabs } from '#ui/data/tabs.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { EmailAddress, Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { getAuditLog } from '@diwan/contract/portal/audit-log';
import { pages } from '@diwan/contract/portal/pages';
import {
  getUserById,
  getUserSessions,
  type UserRecord,
} from '@diwan/contract/staff/user-administration';
import { useAgenciesText } from './agencies-choice.tsx';
import { EntryAction, EntryDetail } from './log-entry.tsx';
import { usePositionText } from './role-changes.tsx';
import { UserAccess } from './user-access.tsx';
import { hasDialog, UserDialog, type DialogName } from './user-dialogs.tsx';

/** The teams of an employee in an agency, and what they see of it. */
function TeamsOfAgency({ user, agencyId }: { user: UserRecord; agencyId: number }) {
  const { t } = useTranslation('teams');
  const teams = user.teams.filter((team) => team.agencyId === agencyId);
  const isLimited = user.limitedAgencyIds.includes(agencyId);
  const reach = isLimited ? (teams.length > 0 ? 'seesTeams' : 'seesNothing') : 'seesWhole';
  const to = `/dashboard/teams?agency=${agencyId}`;
  return (
    <>
      {teams.length === 0 ? (
        <TextLink to={to}>{t('noTeam')}</TextLink>
      ) : (
        <ul className="flex flex-wrap gap-x-4">
          {teams.map(({ id, name }) => (
            <li key={id}>
              <TextLink to={to}>
                <bdi>{name}</bdi>
              </TextLink>
            </li>
          ))}
        </ul>
      )}
      <span className="block text-sm text-ink-600">{t(reach)}</span>
    </>
  );
}

/** The agencies of an employee by name, each with their teams there. */
function AgenciesAndTeams({ user }: { user: UserRecord }) {
  return (
    <ul className="flex flex-col gap-3">
      {user.agencies.map(({ id, name }) => (
        <li key={id}>
          <bdi className="block">{name}</bdi>
          <TeamsOfAgency user={user} agencyId={id} />
        </li>
      ))}
    </ul>
  );
}

function Details({ user }: { user: UserRecord }) {
  const { t } = useTranslation(['people', 'shell', 'urgent', 'teams']);
  const verified = (isVerified: boolean) => (
    <span className="ms-2 text-sm text-ink-500">
      {t(isVerified ? 'user.verified' : 'user.notVerified')}
    </span>
  );
  const agencies = useAgenciesText()(user);
  const ways = [
    ...(user.hasUAEPass ? [t('user.uaePass')] : []),
    ...(user.hasPassword ? [t('user.password')] : []),
  ];
  return (
    <KeyValueList
      items={[
        { label: t('user.username'), value: <Reference isName>{user.username}</Reference> },
        {
          label: t('roles.roles'),
          value: user.roles
            .map((role) => t(`roles.${role}`, { ns: 'shell' }))
            .join(t('listSeparator', { ns: 'shell' })),
        },
        ...(agencies === undefined
          ? []
          : user.roles.includes('Employee') && user.agencies.length > 0
            ? [{ label: t('teams:ofUser'), value: <AgenciesAndTeams user={user} /> }]
            : [{ label: t('agencies.title'), value: agencies }]),
        ...(user.readsUrgently
          ? [{ label: t('urgent:right.label'), value: t('urgent:right.hint') }]
          : []),
        ...(user.partner
          ? [
              {
                label: t('user.partner'),
                value: (
                  <TextLink to={`/dashboard/service-providers/${user.partner.id}`}>
                    {user.partner.name}
                  </TextLink>
                ),
              },
            ]
          : []),
        ...(user.company
          ? [
              {
                label: t(user.isCompanyManager ? 'user.manager' : 'user.company'),
                value: (
                  <TextLink to={`/dashboard/companies/${user.company.id}`}>
                    {user.company.name}
                  </TextLink>
                ),
              },
            ]
          : []),
        {
          label: t('users.email', { ns: 'dashboards' }),
          value: (
            <>
              <EmailAddress>{user.email}</EmailAddress>
              {user.email ? verified(user.isEmailVerified) : null}
            </>
          ),
        },
        {
          label: t('users.phone', { ns: 'dashboards' }),
          value: user.phoneNumber ? (
            <>
              <Reference>{user.phoneNumber}</Reference>
              {verified(user.isPhoneVerified)}
            </>
          ) : (
            ''
          ),
        },
        {
          label: t('user.signsIn'),
          value: ways.join(t('listSeparator', { ns: 'shell' })) || t('user.nothing'),
        },
        {
          label: t('user.secondFactor'),
          value: t(user.hasSecondFactor ? 'user.on' : 'user.off'),
        },
        { label: t('user.created'), value: <Moment at={user.createdAt} /> },
        {
          label: t('user.lastSignIn'),
          value: user.lastSignInAt ? (
            <Moment at={user.lastSignInAt} />
          ) : (
            <span className="text-ink-500">{t('user.neverSignedIn')}</span>
          ),
        },
      ]}
    />
  );
}

/** What the person did, the newest first: all that the audit log has of them. */
function Activity({ user }: { user: UserRecord }) {
  const { t } = useTranslation('people');
  const log = useCall(getAuditLog, { query: { Username: user.username, Take: 20 } });
  const { data, error } = log;
  return (
    <Card title={t('activity.title')}>
      {data?.items.length === 0 ? (
        <p className="text-ink-600">{t('activity.none')}</p>
      ) : data ? (
        <>
          <ol className="flex flex-col gap-4">
            {data.items.map((entry) => (
              <li key={entry.key} className="border-s-2 border-ink-100 ps-4">
                <EntryAction entry={entry} />
                <span className="block pb-1 text-sm text-ink-600">
                  <Moment at={entry.at} as="exactTime" />
                </span>
                <EntryDetail entry={entry} />
              </li>
            ))}
          </ol>
          <TextLink to={`/dashboard/audit?person=${encodeURIComponent(user.username)}`}>
            {t('signIns.all')}
          </TextLink>
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={log.refetch} isRetrying={log.isRefetching} />
      ) : (
        <SkeletonRows count={4} />
      )}
    </Card>
  );
}

function Suspension({ user }: { user: UserRecord }) {
  const { t } = useTranslation('people');
  const { dateTime } = useFormat();
  if (!user.suspendedAt) return null;
  return (
    <Alert tone="warning" title={t('user.suspendedTitle')}>
      <p>{t('user.suspendedSince', { date: `\u2068${dateTime(user.suspendedAt)}\u2069` })}</p>
      <p>
        {user.suspensionReason
          ? t('user.reason', { reason: `\u2068${user.suspensionReason}\u2069` })
          : t('user.noReason')}
      </p>
    </Alert>
  );
}

function PendingRoles({ user }: { user: UserRecord }) {
  const { t } = useTranslation('people');
  const textOf = usePositionText();
  if (!user.pendingRoles) return null;
  return (
    <Alert
      tone="warning"
      title={t('confirm.pendingTitle')}
      action={
        <LinkButton
          call={pages.adminSecurity}
          to="/dashboard/security"
          variant="secondary"
          size="sm"
        >
          {t('confirm.show')}
        </LinkButton>
      }
    >
      <p>{t('confirm.to', { roles: textOf(user.pendingRoles) })}</p>
      <p>{t('confirm.askedBy', { name: user.pendingRoles.askedBy })}</p>
    </Alert>
  );
}

function Actions({ user, onOpen }: { user: UserRecord; onOpen: (name: DialogName) => void }) {
  const { t } = useTranslation('people');
  const actions = user.allowedActions.filter(hasDialog);
  if (actions.length === 0) return null;
  return (
    <div role="group" aria-label={t('acts.label')} className="flex flex-wrap gap-3">
      {actions.map((action) => (
        <Button
          key={action}
          variant={action === 'suspend' ? 'danger' : action === 'restore' ? 'primary' : 'secondary'}
          onPress={() => onOpen(action)}
        >
          {t(`acts.${action}`)}
        </Button>
      ))}
    </div>
  );
}

const tabNames = ['account', 'access', 'activity'] as const;

function UserContent({ user }: { user: UserRecord }) {
  const { t } = useTranslation('people');
  const session = useSession();
  const isOfAgency = hasRole(session, 'AgencyAdmin');
  const filters = useSearchFilters('tab');
  // An administrator of agencies sees no sessions.
  const mayRead = {
    account: true,
    access: useMayCall(getUserSessions),
    activity: useMayCall(getAuditLog),
  };
  const shownTabs = tabNames.filter((name) => mayRead[name]);
  const [dialog, setDialog] = useState<DialogName>();
  const contents = {
    account: (
      <div className="flex max-w-form flex-col gap-6">
        <Card title={t('user.details')}>
          <Details user={user} />
        </Card>
        <ChangeHistory entity="user" entityId={user.id} />
      </div>
    ),
    access: <UserAccess user={user} />,
    activity: <Activity user={user} />,
  };
  return (
    <div className="flex flex-col gap-6">
      <Suspension user={user} />
      {user.id === session?.ssid ? (
        <Alert>{t(isOfAgency ? 'user.ownAgencyAccount' : 'user.ownAccount')}</Alert>
      ) : null}
      <PendingRoles user={user} />
      {user.heldRequestsCount > 0 ? (
        <Alert tone={user.isSuspended ? 'warning' : 'info'}>
          {t('user.held', { count: user.heldRequestsCount })}
        </Alert>
      ) : null}
      <Actions user={user} onOpen={setDialog} />
      <Tabs
        label={t('user.tabs.label')}
        selected={shownTabs.find((name) => name === filters.values.tab) ?? 'account'}
        onSelect={(tab) => filters.change({ tab: tab === 'account' ? '' : tab })}
        tabs={shownTabs.map((id) => ({
          id,
          label: t(`user.tabs.${id}`),
          content: contents[id],
        }))}
      />
      {dialog ? (
        <UserDialog name={dialog} user={user} onClose={() => setDialog(undefined)} />
      ) : null}
    </div>
  );
}

/** One account for an admin: its details, sessions and history, and what can be done with it. */
export function UserPage() {
  const { t } = useTranslation(['people', 'dashboards']);
  const UserId = useParams().userId ?? '';
  const user = useCall(getUserById, { query: { UserId } });
  return (
    <RecordPage
      record={user}
      title={user.data?.fullName ?? t('user.title')}
      list={{ label: t('dashboards:users.title'), to: '/dashboard/users' }}
      state={
        user.data && (
          <StatusTag tone={user.data.isSuspended ? 'refused' : 'done'}>
            {t(user.data.isSuspended ? 'list.suspended' : 'list.active')}
          </StatusTag>
        )
      }
    >
      {(data) => <UserContent user={data} />}
    </RecordPage>
  );
}
