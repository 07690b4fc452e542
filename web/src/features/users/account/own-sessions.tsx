import { useState } from 'react';
import { queryClient } from '#lib/api/query-client.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { clearSession } from '#lib/auth/sign-out.ts';
import { goTo } from '#lib/browser/navigation.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Card } from '#ui/data/card.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton, SkeletonText } from '#ui/feedback/skeleton.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { endSessions, getSessions, type OwnSession } from '@diwan/contract/people/accounts';

function SessionRow({
  session,
  isEnding,
  onEnd,
}: {
  session: OwnSession;
  isEnding: boolean;
  onEnd: () => void;
}) {
  const { t } = useTranslation('accounts');
  const { time } = useFormat();
  const { browser, system } = session;
  const device =
    browser && system
      ? t('sessions.device', { browser, system })
      : (browser ?? system ?? t('sessions.unknown'));
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="font-semibold">{device}</p>
        <p className="text-sm text-ink-600">
          <span>
            {session.actorName && session.actsUntil
              ? t('sessions.byActor', {
                  name: `\u2068${session.actorName}\u2069`,
                  time: time(session.actsUntil),
                })
              : t(session.isUAEPass ? 'sessions.byUAEPass' : 'sessions.byPassword')}
          </span>{' '}
          · <Moment at={session.startedAt} />
        </p>
      </div>
      {session.isCurrent ? (
        <StatusTag tone="done">{t('sessions.current')}</StatusTag>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          isPending={isEnding}
          pendingLabel={t('sessions.ending')}
          onPress={onEnd}
        >
          {t('sessions.end')}
          <span className="sr-only">
            : <span>{device}</span>
          </span>
        </Button>
      )}
    </li>
  );
}

/** The active sessions of the user; one or all of them can be ended. */
export function OwnSessions() {
  const { t } = useTranslation('accounts');
  const { data, error, refetch, isFetching } = useCall(getSessions, {});
  const [isConfirming, setIsConfirming] = useState(false);
  const one = useAction(endSessions, {
    onSuccess: () => {
      showToast(t('sessions.ended'), 'success');
      return queryClient.invalidateQueries({ queryKey: [getSessions.name] });
    },
  });
  const all = useAction(endSessions, {
    onSuccess: async () => {
      await goTo('/account/login');
      clearSession();
      showToast(t('sessions.endedAll'), 'success');
    },
  });
  return (
    <Card title={t('sessions.title')}>
      <p className="mb-4 text-ink-600">{t('sessions.lead')}</p>
      {data ? (
        <ul className="divide-y divide-ink-100">
          {data.map((session) => (
            <SessionRow
              key={session.sessionId}
              session={session}
              isEnding={one.isPending && one.variables.body?.sessionId === session.sessionId}
              onEnd={() => one.mutate({ body: { sessionId: session.sessionId } })}
            />
          ))}
        </ul>
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} isRetrying={isFetching} />
      ) : (
        <Skeleton>
          <SkeletonText lines={3} />
        </Skeleton>
      )}
      <div className="mt-5">
        <Button variant="secondary" onPress={() => setIsConfirming(true)}>
          {t('sessions.endAll')}
        </Button>
      </div>
      {isConfirming ? (
        <ConfirmDialog
          title={t('sessions.endAll')}
          confirmLabel={t('sessions.endAll')}
          pendingLabel={t('sessions.ending')}
          cancelLabel={t('contact.cancel')}
          cancelVariant="secondary"
          isDangerous
          isPending={all.isPending}
          onConfirm={() => all.mutate({ body: {} })}
          onClose={() => setIsConfirming(false)}
        >
          <p>{t('sessions.endAllLead')}</p>
        </ConfirmDialog>
      ) : null}
    </Card>
  );
}
