import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import { insertRows } from '../database/combined-writes.ts';
import { DatabaseUnavailable } from '../database/database-failures.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Notifications } from '../database/notifications.ts';

/** An event, and the audiences of a hub that receive it. */
export interface HubEvent {
  hub: string;
  event: string;
  audiences: readonly string[];
}

/** An event for one audience. `sequence` counts the events of a hub and an audience. */
export interface NumberedHubEvent {
  hub: string;
  event: string;
  audience: string;
  sequence: number;
}

// All processes listen to this channel. PostgreSQL separates the channels of databases.
const channel = 'diwan_hubs';
const maximumBatch = 200;
// Events of this time are published together: a transaction for each would take a quarter of the
// processor time of the requests that they are about.
const pauseMs = 25;
// A notification holds 8000 bytes.
const eventsPerNotification = 50;

/**
 * The write that stores events, in the transaction of the change that they are about. Events of a
 * transaction that is rolled back are never published. Events of a committed one are published even
 * if this process dies.
 */
export function insertHubEvents(events: readonly HubEvent[]): RawBuilder<unknown> | undefined {
  const [first, ...others] = events.map(({ hub, event, audiences }) => ({
    hub,
    event,
    audiences: [...audiences],
  }));
  return first && insertRows('hub_news', [first, ...others]);
}

// The rows of positions are locked in the order of their keys, so that two processes cannot
// deadlock.
async function numberEvents(
  transaction: Transaction,
  events: readonly Omit<NumberedHubEvent, 'sequence'>[],
): Promise<NumberedHubEvent[]> {
  const keyOf = ({ hub, audience }: { hub: string; audience: string }) => `${hub} ${audience}`;
  const counts = new Map<string, { hub: string; audience: string; position: number }>();
  for (const each of events)
    counts.set(keyOf(each), {
      hub: each.hub,
      audience: each.audience,
      position: (counts.get(keyOf(each))?.position ?? 0) + 1,
    });
  const steps = [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, step]) => step);
  const reached = await transaction
    .insertInto('hub_positions')
    .values(steps)
    .onConflict((conflict) =>
      conflict.columns(['hub', 'audience']).doUpdateSet((eb) => ({
        position: eb('hub_positions.position', '+', eb.ref('excluded.position')),
      })),
    )
    .returningAll()
    .execute();
  const positions = new Map(
    reached.map((row) => [keyOf(row), row.position - (counts.get(keyOf(row))?.position ?? 0)]),
  );
  return events.map((each) => {
    const sequence = (positions.get(keyOf(each)) ?? 0) + 1;
    positions.set(keyOf(each), sequence);
    return { ...each, sequence };
  });
}

// Publishes stored events to all processes, in a transaction of its own. Returns whether there may
// be more.
async function publishHubEvents(database: Database): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<HubEvent & { id: number }>`
      delete from hub_news
      where id = any(array(
        select id
        from hub_news
        order by id
        limit ${maximumBatch}
        for update skip locked
      ))
      returning id, hub, event, audiences`.execute(transaction);
    if (rows.length === 0) return false;
    const inOrder = rows.sort((one, other) => one.id - other.id);
    const events = await numberEvents(
      transaction,
      inOrder.flatMap(({ hub, event, audiences }) =>
        audiences.map((audience) => ({ hub, event, audience })),
      ),
    );
    for (let first = 0; first < events.length; first += eventsPerNotification) {
      const payload = JSON.stringify(events.slice(first, first + eventsPerNotification));
      await sql`select pg_notify(${channel}, ${payload})`.execute(transaction);
    }
    return rows.length === maximumBatch;
  });
}

/** Carries events from the database to the listeners of this process. */
export interface Relay {
  /** Publishes stored events. Is called after the commit of their transaction. Never throws. */
  announce(): void;
  /** Publishes the stored events that no other process is publishing, and waits for that. */
  publish(): Promise<void>;
  close(): Promise<void>;
}

interface RelayOptions {
  database: Database;
  notifications: Notifications;
  onEvents: (events: readonly NumberedHubEvent[]) => void;
  /** Events may be missing, because the connection to the database was lost and is restored. */
  onGap: () => void;
  warn: (message: string) => void;
  /** How often the relay publishes events that were not announced. */
  recoveryPollMs: number;
}

/** Receives the events of all processes. */
export async function openRelay({
  database,
  notifications,
  onEvents,
  onGap,
  warn,
  recoveryPollMs,
}: RelayOptions): Promise<Relay> {
  let [isClosed, isRequested] = [false, false];
  let publishing: Promise<void> | undefined;

  async function publish(): Promise<void> {
    try {
      while (isRequested && !isClosed) {
        isRequested = false;
        if (await publishHubEvents(database)) isRequested = true;
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

  await notifications.listen(
    channel,
    (payload) => onEvents(JSON.parse(payload) as NumberedHubEvent[]),
    onGap,
  );
  // Publishes the events of a process that died.
  announce();
  await publishing;
  const poll = setInterval(announce, recoveryPollMs);
  poll.unref();

  return {
    announce,
    async publish() {
      while (await publishHubEvents(database));
    },
    async close() {
      isClosed = true;
      clearInterval(poll);
      await publishing;
    },
  };
}
