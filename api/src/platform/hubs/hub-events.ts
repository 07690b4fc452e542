import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DatabaseUnavailable } from '../database/database-failures.ts';
import type { Database, Transaction } from '../database/database.ts';
import { acquireNamedLock } from '../database/named-lock.ts';
import { inTransaction } from '../database/unit-of-work.ts';
import type { EventTransport } from './event-transport.ts';
import * as store from './hub-events.store.ts';

/**
 * The name that stands for every hub. Its audiences are topics: `user:<id>` and others that a
 * connection follows beside the audience of its own hub.
 */
export const everyHub = '*';

/**
 * An event for one audience. `sequence` counts the events of a hub and an audience; events of topics
 * carry the number of their notification, which increases with gaps.
 */
export interface NumberedHubEvent {
  hub: string;
  event: string;
  audience: string;
  sequence: number;
}

/**
 * Returns, for audiences of a hub that several others share, those who hear their events; the others
 * hear their own.
 */
export type AudienceReader = (
  transaction: Transaction,
  audiences: readonly string[],
) => Promise<ReadonlyMap<string, readonly string[]>>;

const maximumBatch = 200;
// Events of this time are published together: a transaction for each would take a quarter of the
// processor time of the requests that they are about.
const pauseMs = 25;
// A notification holds 8000 bytes.
const eventsPerNotification = 50;
// Counts the notifications, so that a process knows when it has missed one.
const notificationCounter = { hub: '', audience: '' };
// How far apart a notification and its copy may arrive.
const mostRecent = 1000;
// How long the connection of a process may take to bring what seems to be missing: on a busy machine
// it comes late.
const longestSettleMs = 2000;
// A process that stops within a transaction does not hold up the others for longer.
const longestPauseMs = 2000;

/** A notification to all processes. `number` counts them, without gaps. */
const notification = z.object({
  number: z.int(),
  events: z.array(
    z.object({ hub: z.string(), event: z.string(), audience: z.string(), sequence: z.int() }),
  ),
});
type Notification = z.output<typeof notification>;

const keyOf = ({ hub, audience }: store.Counter) => `${hub} ${audience}`;

/** Adds to the positions of the database and returns each position before that, by its key. */
async function takeNumbers(
  transaction: Transaction,
  steps: readonly (store.Counter & { position: number })[],
): Promise<Map<string, number>> {
  const taken = new Map(steps.map((step) => [keyOf(step), step.position]));
  const reached = await store.addToPositions(transaction, steps);
  return new Map(reached.map((row) => [keyOf(row), row.position - (taken.get(keyOf(row)) ?? 0)]));
}

async function numberEvents(
  transaction: Transaction,
  events: readonly Omit<NumberedHubEvent, 'sequence'>[],
): Promise<Notification[]> {
  const counts = new Map<string, store.Counter & { position: number }>();
  for (const { hub, audience } of events) {
    if (hub === everyHub) continue;
    const key = keyOf({ hub, audience });
    counts.set(key, { hub, audience, position: (counts.get(key)?.position ?? 0) + 1 });
  }
  const notifications = Math.ceil(events.length / eventsPerNotification);
  const positions = await takeNumbers(transaction, [
    { ...notificationCounter, position: notifications },
    ...counts.values(),
  ]);
  const next = (place: store.Counter) => {
    const number = (positions.get(keyOf(place)) ?? 0) + 1;
    positions.set(keyOf(place), number);
    return number;
  };
  return Array.from({ length: notifications }, (_, index) => {
    const number = next(notificationCounter);
    return {
      number,
      events: events
        .slice(index * eventsPerNotification, (index + 1) * eventsPerNotification)
        .map((each) => ({ ...each, sequence: each.hub === everyHub ? number : next(each) })),
    };
  });
}

const publishingLock = 'events of hubs';

/**
 * Waits until no events are being published, and lets none be until the transaction ends. A change of
 * who hears what holds it: an event then goes to those who have not counted it.
 */
export const holdPublishing = (transaction: Transaction): Promise<void> =>
  acquireNamedLock(transaction, publishingLock);

async function addressEvents(
  transaction: Transaction,
  stored: readonly store.HubEvent[],
  readers: ReadonlyMap<string, AudienceReader>,
): Promise<Omit<NumberedHubEvent, 'sequence'>[]> {
  const listeners = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (const [hub, read] of readers) {
    const ofHub = stored.filter((each) => each.hub === hub);
    const audiences = new Set(ofHub.flatMap((each) => each.audiences));
    if (audiences.size > 0) listeners.set(hub, await read(transaction, [...audiences]));
  }
  return stored.flatMap(({ hub, event, audiences }) =>
    audiences
      .flatMap((each) => listeners.get(hub)?.get(each) ?? [each])
      .map((audience) => ({ hub, event, audience })),
  );
}

/**
 * Publishes stored events to all processes, in its own transaction or right after it. One
 * process numbers events at a time: an event gets a higher number than all events that were
 * committed before it was stored, so that a request leaves a count after it entered it. Returns
 * whether there may be more.
 */
async function publishHubEvents({
  database,
  transport,
  listenersOf = new Map(),
}: Pick<RelayOptions, 'database' | 'transport' | 'listenersOf'>): Promise<boolean> {
  const { isMore, send } = await inTransaction(database, async (transaction) => {
    await store.limitPause(transaction, longestPauseMs);
    await holdPublishing(transaction);
    const stored = await store.takeEvents(transaction, maximumBatch);
    if (stored.length === 0) return { isMore: false };
    const notifications = await numberEvents(
      transaction,
      await addressEvents(transaction, stored, listenersOf),
    );
    return {
      isMore: stored.length === maximumBatch,
      send: await transport.send(
        transaction,
        notifications.map((each) => JSON.stringify(each)),
      ),
    };
  });
  await send?.();
  return isMore;
}

/**
 * Compares the notifications that this process has received with those that were sent. `isMissing`
 * is true for one that was sent before the last comparison and has not arrived: a notification is
 * under way for a moment only.
 */
export function openReceipt(): {
  /** Returns whether the notification is new; one may arrive twice. */
  receive(number: number): boolean;
  /** Whether one that was sent before the last comparison has not arrived yet. */
  isBehind(): boolean;
  /** `sent`: the number of the last notification that was sent. */
  isMissing(sent: number): boolean;
  /** Everything up to now counts as received, because the clients fetch their data again. */
  reset(): void;
} {
  // All notifications up to this one have arrived; `undefined` before the first comparison.
  let complete: number | undefined;
  let sentBefore = 0;
  const early = new Set<number>();
  // The numbers that arrived last, in their order.
  const recent = new Set<number>();
  const advance = () => {
    while (complete !== undefined && early.delete(complete + 1)) complete += 1;
  };
  const isBehind = () => complete !== undefined && complete < sentBefore;
  return {
    receive(number) {
      const isNew = !recent.has(number);
      recent.add(number);
      if (recent.size > mostRecent) recent.delete(recent.values().next().value as number);
      if (complete !== undefined && number <= complete) return isNew;
      early.add(number);
      advance();
      return isNew;
    },
    isBehind,
    isMissing(sent) {
      complete ??= sent;
      for (const number of early) if (number <= complete) early.delete(number);
      advance();
      const isMissing = isBehind();
      if (isMissing) complete = sentBefore;
      advance();
      sentBefore = sent;
      return isMissing;
    },
    reset() {
      complete = undefined;
      sentBefore = 0;
      early.clear();
    },
  };
}

/** Carries events from the database to the listeners of this process. */
interface Relay {
  /** Publishes stored events. Is called after the commit of their transaction. Never throws. */
  announce(): void;
  /** Publishes the stored events that no other process is publishing, and waits for that. */
  publish(): Promise<void>;
  close(): Promise<void>;
}

interface RelayOptions {
  database: Database;
  transport: EventTransport;
  onEvents: (events: readonly NumberedHubEvent[]) => void;
  /** Events may be missing, because the connection to the database was lost and is restored. */
  onGap: () => void;
  warn: (message: string) => void;
  /** By the path of a hub. */
  listenersOf?: ReadonlyMap<string, AudienceReader>;
  /** How often the relay looks for events that were not announced or did not arrive. */
  recoveryPollMs: number;
}

// What another program sends to the channel must not end the process.
function readNotification(payload: string): Notification | undefined {
  try {
    // guard: what is not a notification to the hubs (hubs) => JSON.parse(payload)
    return notification.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}

/** Receives the events of all processes. */
export async function openRelay(options: RelayOptions): Promise<Relay> {
  const { database, transport, onEvents, onGap, warn, recoveryPollMs } = options;
  let [isClosed, isRequested] = [false, false];
  let publishing: Promise<void> | undefined;

  async function publish(): Promise<void> {
    try {
      while (isRequested && !isClosed) {
        isRequested = false;
        if (await publishHubEvents(options)) isRequested = true;
        await sleep(pauseMs);
      }
    } catch (error) {
      // The events stay in the database. The next poll publishes them.
      if (!isClosed && !(error instanceof DatabaseUnavailable))
        warn(`hubs cannot publish events: ${(error as Error).message}`);
    }
    publishing = undefined;
  }

  function announce(): void {
    isRequested = true;
    if (!isClosed) publishing ??= publish();
  }

  const receipt = openReceipt();
  // The listeners hear of a gap after the last number was read: what they fetch then includes
  // everything up to it.
  let isGapOpen = false;

  // Events that were not announced are those of a process that died.
  async function recover(): Promise<void> {
    const { sent, isWaiting } = await store.readPosition(database, notificationCounter);
    if (isClosed) return;
    if (isWaiting) announce();
    if (receipt.isBehind())
      await Promise.race([
        transport.settle().catch(() => undefined),
        // After a pause of the process its timers run before what has arrived is read.
        sleep(longestSettleMs, undefined, { ref: false }).then(() => endOfTurn()),
      ]);
    if (
      // guard: notification of the hubs that was lost (hubs)
      !receipt.isMissing(sent) &&
      !isGapOpen
    )
      return;
    isGapOpen = false;
    onGap();
  }

  let recovering: Promise<void> | undefined;
  // Without the database nothing is published. The next poll finds what was missed.
  const poll = () =>
    (recovering ??= recover()
      .catch(() => undefined)
      .finally(() => (recovering = undefined)));

  await transport.listen(
    (payload) => {
      const received = readNotification(payload);
      if (
        received &&
        // guard: copy of a notification to the hubs (redis-transport)
        receipt.receive(received.number)
      )
        onEvents(received.events);
    },
    () => {
      receipt.reset();
      isGapOpen = true;
      void poll();
    },
  );
  await poll();
  await publishing;
  const timer = setInterval(() => void poll(), recoveryPollMs);
  timer.unref();

  return {
    announce,
    async publish() {
      while (await publishHubEvents(options));
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await recovering;
      await publishing;
      await transport.close();
    },
  };
}
