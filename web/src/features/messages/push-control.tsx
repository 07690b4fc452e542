import { useQuery } from '@tanstack/react-query';
import { BellRing } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '#lib/api/query-client.ts';
import { hasStoredOwnToken, useSession } from '#lib/api/session.ts';
import { readPushState, turnOffPush, turnOnPush, type PushState } from '#lib/api/web-push.ts';
import { isSharedComputer, loadItem, storeItem } from '#lib/browser/storage.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { getPushState } from '@diwan/contract/people/communication-types';

const dismissedKey = 'push-offer-dismissed';

function usePush() {
  const session = useSession();
  const queryKey = [getPushState.name, session?.ssid];
  const { data: state } = useQuery({
    queryKey,
    queryFn: readPushState,
    staleTime: 0,
    retry: false,
    // Nobody is signed in, or this browser is not the user's: it is shared, or staff act for them.
    enabled: session !== null && !hasStoredOwnToken() && !isSharedComputer(),
  });
  const [isChanging, setIsChanging] = useState(false);
  const [isFailed, setIsFailed] = useState(false);
  const change = async (work: () => Promise<PushState>) => {
    setIsChanging(true);
    setIsFailed(false);
    try {
      queryClient.setQueryData(queryKey, await work());
    } catch {
      setIsFailed(true);
      await queryClient.invalidateQueries({ queryKey });
    } finally {
      setIsChanging(false);
    }
  };
  return {
    state,
    isChanging,
    isFailed,
    turnOn: () => void change(turnOnPush),
    turnOff: () => void change(turnOffPush),
  };
}

function PushFailed() {
  const { t } = useTranslation('messages');
  return (
    <Alert tone="danger" title={t('push.failed')} isLive>
      {t('push.failedHint')}
    </Alert>
  );
}

function PushStateTag({ state }: { state: PushState }) {
  const { t } = useTranslation('messages');
  const text = t(`push.states.${state}`);
  return state === 'on' || state === 'blocked' ? (
    <StatusTag tone={state === 'on' ? 'done' : 'refused'}>{text}</StatusTag>
  ) : (
    <span className="text-ink-700">{text}</span>
  );
}

/** Whether this browser shows the messages of the user while the portal is closed. */
export function PushControl() {
  const { t } = useTranslation('messages');
  const { state, isChanging, isFailed, turnOn, turnOff } = usePush();
  if (!state) return null;
  return (
    <section aria-label={t('push.title')} className="flex flex-col items-start gap-3">
      <h3 className="text-base font-semibold">{t('push.title')}</h3>
      <div role="status">
        <PushStateTag state={state} />
      </div>
      <p className="text-ink-600">
        {t(state === 'on' || state === 'off' ? 'push.lead' : `push.${state}Hint`)}
      </p>
      {isFailed ? <PushFailed /> : null}
      {state === 'off' ? (
        <Button
          variant="secondary"
          icon={<BellRing aria-hidden size={18} />}
          isPending={isChanging}
          pendingLabel={t('push.turningOn')}
          onPress={turnOn}
        >
          {t('push.turnOn')}
        </Button>
      ) : null}
      {state === 'on' ? (
        <Button
          variant="quiet"
          isPending={isChanging}
          pendingLabel={t('push.turningOff')}
          onPress={turnOff}
        >
          {t('push.turnOff')}
        </Button>
      ) : null}
    </section>
  );
}

/** Offers messages in this browser where they have a use: after a request was sent. */
export function PushOffer() {
  const { t } = useTranslation('messages');
  const { state, isChanging, isFailed, turnOn } = usePush();
  const [wasOff, setWasOff] = useState(false);
  const [isDismissed, setIsDismissed] = useState(loadItem('local', dismissedKey) !== null);
  const dismiss = () => {
    storeItem('local', dismissedKey, '1');
    setIsDismissed(true);
  };
  if (state === 'off' && !wasOff) setWasOff(true);
  if (state === 'homeScreen' && !isDismissed)
    return (
      <Alert
        title={t('push.offer')}
        action={
          <Button size="sm" variant="quiet" onPress={dismiss}>
            {t('push.later')}
          </Button>
        }
      >
        {t('push.homeScreenHint')}
      </Alert>
    );
  if (isDismissed || !wasOff || state === undefined) return null;
  if (state === 'on') return <Alert tone="success" title={t('push.states.on')} isLive />;
  if (state === 'blocked')
    return (
      <Alert title={t('push.states.blocked')} isLive>
        {t('push.blockedHint')}
      </Alert>
    );
  return (
    <div data-no-print className="flex flex-col gap-3">
      <Alert
        title={t('push.offer')}
        action={
          <>
            <Button
              size="sm"
              variant="secondary"
              isPending={isChanging}
              pendingLabel={t('push.turningOn')}
              onPress={turnOn}
            >
              {t('push.turnOn')}
            </Button>
            <Button size="sm" variant="quiet" onPress={dismiss}>
              {t('push.later')}
            </Button>
          </>
        }
      >
        {t('push.lead')}
      </Alert>
      {isFailed ? <PushFailed /> : null}
    </div>
  );
}
