import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useMayCall } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { getHeldActions } from '@diwan/contract/processing/pending-actions';
import { getRequestsByStatusId, getRequestsCount } from '@diwan/contract/requests/request-lists';
import { getRequestById, type RequestRecord } from '@diwan/contract/requests/requests';
import type { ReplyOf } from '@diwan/contract/wire/call';

type PendingAction = ReplyOf<typeof getHeldActions>[number];

const keyOf = ({ requestId, version }: Pick<PendingAction, 'requestId' | 'version'>) =>
  `${requestId}.${version}`;
// When each action takes effect, by the clock of this page. A later answer does not postpone it.
const deadlines = new Map<string, number>();

function deadlineOf(pending: PendingAction): number {
  const key = keyOf(pending);
  const known = deadlines.get(key);
  if (known !== undefined) return known;
  const deadline = Date.now() + pending.actsInMs;
  deadlines.set(key, deadline);
  return deadline;
}

/** Removes an undone action immediately. */
export function useRemovePendingAction() {
  const client = useQueryClient();
  return (requestId: number): void =>
    void client.setQueriesData<PendingAction[]>({ queryKey: [getHeldActions.name] }, (old) =>
      old?.filter((each) => each.requestId !== requestId || each.failure !== undefined),
    );
}

/**
 * Shows an action as pending immediately, without waiting for the next answer of GetHeldActions.
 */
export function useAddPendingAction() {
  const client = useQueryClient();
  return ({ requestId, requestNumber, version, heldAction }: RequestRecord): void => {
    if (!heldAction?.isYou) return;
    const { action, actsInMs, waiting } = heldAction;
    // It takes effect when somebody else confirms it, which nobody counts down to.
    if (waiting) return;
    const added = { heldActionId: 0, requestId, requestNumber, action, version, actsInMs };
    deadlines.set(keyOf(added), Date.now() + actsInMs);
    client.setQueriesData<PendingAction[]>({ queryKey: [getHeldActions.name] }, (old) => [
      ...(old ?? []).filter((each) => each.requestId !== requestId),
      added,
    ]);
  };
}

const tickMs = 250;

/**
 * The caller's actions that wait, with the seconds that are left, and those that failed. An action
 * whose time has come is asked for until the server has carried it out.
 */
export function usePendingActions() {
  const client = useQueryClient();
  const [now, setNow] = useState(Date.now);
  const [isDue, setIsDue] = useState(false);
  const { data = [], refetch } = useCall(getHeldActions, {
    enabled: useMayCall(getHeldActions),
    skipErrorHandling: true,
    refetchInterval: isDue ? 1000 : false,
  });
  const waiting = data.filter(
    ({ failure, waitsWith }) => failure === undefined && waitsWith === undefined,
  );
  const tick = useEffectEvent(() => {
    setNow(Date.now());
    setIsDue(waiting.some((pending) => deadlineOf(pending) <= Date.now()));
  });
  const isWaiting = waiting.length > 0;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(tick, tickMs);
    return () => {
      clearInterval(timer);
      setIsDue(false);
    };
  }, [isWaiting]);
  // What has taken effect, or was undone, is read again.
  const keys = waiting.map(keyOf).join(' ');
  const before = useRef(keys);
  useEffect(() => {
    const isOver = before.current.split(' ').some((key) => key !== '' && !keys.includes(key));
    before.current = keys;
    if (!isOver) return;
    for (const call of [getRequestById, getRequestsByStatusId, getRequestsCount])
      void client.invalidateQueries({ queryKey: [call.name] });
  }, [client, keys]);
  return {
    waiting: waiting.map((pending) => ({
      ...pending,
      // `now` may be from before the action.
      seconds: Math.max(0, Math.ceil(Math.min(pending.actsInMs, deadlineOf(pending) - now) / 1000)),
    })),
    failed: data.filter(({ failure }) => failure !== undefined),
    reload: refetch,
  };
}
