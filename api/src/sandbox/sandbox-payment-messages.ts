import { sql } from 'kysely';
import type { Database, Transaction } from '../platform/database/database.ts';
import { signMessage } from '../platform/integrations/signed-message.ts';
import type { SandboxOptions } from './sandbox-options.ts';

/** When a message is sent. A late one comes after a minute, a lost one never. */
export type MessageTiming = 'now' | 'late' | 'lost' | 'doubled';

/** Stores a message for delivery. Returns its id; `undefined` for a lost one. */
export async function enqueueMessage(
  transaction: Transaction,
  message: { account: string; url: string; body: string },
  timing: MessageTiming,
): Promise<number | undefined> {
  if (timing === 'lost') return undefined;
  const due_at = new Date(Date.now() + (timing === 'late' ? 60_000 : 0));
  const copies = timing === 'doubled' ? [message, message] : [message];
  const rows = await transaction
    .insertInto('sandbox.payment_messages')
    .values(copies.map((copy) => ({ ...copy, due_at })))
    .returning('id')
    .execute();
  return rows[0]?.id;
}

interface Delivery {
  /** Sends one message and waits for the answer. */
  deliver(id: number): Promise<void>;
  /** Sends what is due, soon. */
  wake(): void;
  stop(): Promise<void>;
}

const attempts = 4;

function claim(database: Database, id?: number) {
  return sql<{ id: number; url: string; body: string }>`
    update sandbox.payment_messages
    set attempts = attempts + 1,
      due_at = now() + 5 * 2 ^ attempts * interval '1 second'
    where id in (
      select id
      from sandbox.payment_messages
      where delivered_at is null
        and due_at <= now()
        and attempts < ${attempts}
        and (${id ?? null}::bigint is null or id = ${id ?? null})
      order by due_at
      limit 20
      for update skip locked
    )
    returning id, url, body`.execute(database);
}

/** Sends the stored messages, signed, and repeats those that were not accepted. */
export function startDelivery({
  database,
  messageSecret,
}: Pick<SandboxOptions, 'database' | 'messageSecret'>): Delivery {
  let isStopped = false;
  let running: Promise<unknown> = Promise.resolve();
  const send = async ({ id, url, body }: { id: number; url: string; body: string }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'diwan-signature': signMessage(messageSecret, body),
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(5000),
    }).catch(() => undefined);
    if (!response?.ok) return;
    await database
      .updateTable('sandbox.payment_messages')
      .set({ delivered_at: sql`now()` })
      .where('id', '=', id)
      .execute();
  };
  const run = async (id?: number) => {
    if (isStopped) return;
    for (const message of (await claim(database, id)).rows) await send(message);
  };
  // A database that is stopped before the sandbox ends the delivery only.
  const runSoon = () => {
    running = running.then(() => run()).catch(() => undefined);
  };
  const timer = setInterval(runSoon, 5000);
  timer.unref();
  return {
    deliver: (id) => run(id).catch(() => undefined),
    wake: runSoon,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
