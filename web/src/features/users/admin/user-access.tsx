import { useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { TextLink } from '#ui/actions/links.tsx';
import { Card } from '#ui/data/card.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import type { OwnSession } from '@diwan/contract/people/accounts';
import { getAuditEvents, sessionEnds } from '@diwan/contract/people/audit';
import {
  endUserSessions,
  getUserSessions,
  type UserRecord,
} from '@diwan/contract/staff/user-administration';
import { useUserAction } from './user.data.ts';

function SessionText({ session }: { session: OwnSession }) {
  const { t } = useTranslation('accounts');
  const { time } = useFormat();
  const { browser, system, actorName, actsUntil } = session;
  return (
    <div className="min-w-0">
      <p className="font-semibold">
        {browser && system
          ? t('sessions.device', { browser, system })
          : (browser ?? system ?? t('sessions.unknown'))}
      </p>
      <p className="text-sm text-ink-600">
        <span>
          {actorName && actsUntil
            ? t('sessions.byActor', { name: `\u2068${actorName}\u2069`, time: time(actsUntil) })
            : t(session.isUAEPass ? 'sessions.byUAEPass' : 'sessions.byPassword')}
        </span>{' '}
        · <Moment at={session.startedAt} /> · <Moment at={session.lastSeenAt} as="relative" />
      </p>
    </div>
  );
}

function EndAllDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const { t } = useTranslation('people');
  const end = useUserAction(endUserSessions, () => {
    showToast(t('sessions.endedAll'), 'success');
    onClose();
  });
  return (
    <ConfirmDialog
      title={t('sessions.endAllTitle')}
      confirmLabel={t('sessions.endAll')}
      pendingLabel={t('acts.pending')}
      cancelLabel={t('acts.cancel')}
      isDangerous
      isPending={end.isPending}
      onConfirm={() => end.mutate({ body: { userId } })}
      onClose={onClose}
    >
      <ErrorAlert error={end.error} />
      <p>{t('sessions.endAllText')}</p>
    </ConfirmDialog>
  );
}

function Sessions({ user }: { user: UserRecord }) {
  const { t } = useTranslation('people');
  const sessions = useCall(getUserSessions, { query: { UserId: user.id } });
  const [isConfirming, setIsConfirming] = useState(false);
  const end = useUserAction(endUserSessions, () => showToast(t('sessions.ended'), 'success'));
  const { data, error } = sessions;
  const mayEnd = user.allowedActions.includes('endSessions');
  return (
    <Card
      title={t('sessions.title')}
      action={
        mayEnd && data && data.length > 0 ? (
          <Button
            call={endUserSessions}
            variant="secondary"
            size="sm"
            onPress={() => setIsConfirming(true)}
          >
            {t('sessions.endAll')}
          </Button>
        ) : null
      }
    >
      <ErrorAlert error={end.error} />
      {data?.length === 0 ? (
        <p className="text-ink-600">{t('sessions.none')}</p>
      ) : data ? (
        <ul className="divide-y divide-ink-100">
          {data.map((session) => (
            <li
              key={session.sessionId}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
            >
              <SessionText session={session} />
              {mayEnd ? (
                <Button
                  call={endUserSessions}
                  variant="quiet"
                  size="sm"
                  isPending={end.isPending && end.variables.body?.sessionId === session.sessionId}
                  pendingLabel={t('acts.pending')}
                  onPress={() =>
                    end.mutate({ body: { userId: user.id, sessionId: session.sessionId } })
                  }
                >
                  {t('sessions.end')}
                  <span className="sr-only">
                    : <span>{session.browser ?? session.system ?? ''}</span>
                  </span>
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      ) : error ? (
        <ErrorState error={error} onRetry={sessions.refetch} isRetrying={sessions.isRefetching} />
      ) : (
        <SkeletonRows count={2} />
      )}
      {isConfirming ? (
        <EndAllDialog userId={user.id} onClose={() => setIsConfirming(false)} />
      ) : null}
    </Card>
  );
}

function AccountEvents({ user }: { user: UserRecord }) {
  const { t } = useTranslation(['people', 'dashboards']);
  const events = useCall(getAuditEvents, { query: { Username: user.username, Take: 20 } });
  const { data, error } = events;
  const detailOf = (reason: string | undefined, by: string | undefined) => {
    if (by) return t('audit.by', { ns: 'dashboards', name: `\u2068${by}\u2069` });
    return sessionEnds.some((known) => known === reason)
      ? t(`audit.reasons.${reason}`, { ns: 'dashboards' })
      : '';
  };
  return (
    <Card title={t('signIns.title')}>
      {data ? (
        <>
          {data.items.length === 0 ? <p className="text-ink-600">{t('signIns.none')}</p> : null}
          <ul className="divide-y divide-ink-100">
            {data.items.map((event) => (
              <li key={event.id} className="py-2 first:pt-0">
                <span className="font-medium">
                  {t(`audit.kinds.${event.kind}`, { ns: 'dashboards' })}
                </span>{' '}
                <span className="text-ink-600">{detailOf(event.reason, event.by)}</span>
                <span className="block text-sm text-ink-600">
                  <Moment at={event.at} />
                  {event.address ? (
                    <>
                      {' · '}
                      <Reference>{event.address}</Reference>
                    </>
                  ) : null}
                </span>
              </li>
            ))}
          </ul>
          {data.totalCount > data.items.length ? (
            <TextLink to={`/dashboard/audit?person=${encodeURIComponent(user.username)}`}>
              {t('signIns.all')}
            </TextLink>
          ) : null}
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={events.refetch} isRetrying={events.isRefetching} />
      ) : (
        <SkeletonRows count={4} />
      )}
    </Card>
  );
}

/** Where a user is signed in, and the sign-ins and other events of the account. */
export function UserAccess({ user }: { user: UserRecord }) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Sessions user={user} />
      <AccountEvents user={user} />
    </div>
  );
}
