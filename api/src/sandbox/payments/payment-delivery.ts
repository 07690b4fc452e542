import { signMessage } from '#platform/integrations/signed-message.ts';
import type { PaymentJournal, SandboxMessage } from './payment-journal.ts';

interface Delivery {
  /** Sends these messages and waits for the answers. */
  deliver(messages: readonly SandboxMessage[]): Promise<void>;
  /** Sends what is due, soon. */
  wake(): void;
  stop(): Promise<void>;
}

const attempts = 8;
const tickMilliseconds = 2000;
/** Messages that are sent at the same time. They may arrive in another order. */
const width = 20;

/**
 * Sends the stored messages, signed, and repeats those that were not accepted, after 5 seconds and
 * then after twice as long each time.
 */
export function startDelivery(journal: PaymentJournal, messageSecret: string): Delivery {
  let isStopped = false;
  let running: Promise<unknown> = Promise.resolve();
  const send = async ({ id, url, body }: SandboxMessage) => {
    const message = journal.openMessages().find((each) => each.id === id);
    if (!message) return;
    const tried = {
      ...message,
      attempts: message.attempts + 1,
      dueAt: Date.now() + 5000 * 2 ** message.attempts,
    };
    journal.save({ messages: [tried] });
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
    if (response?.ok || tried.attempts === attempts)
      journal.save({ messages: [{ ...tried, isOver: true }] });
  };
  const run = async () => {
    while (!isStopped) {
      const due = journal
        .openMessages()
        .filter(({ dueAt }) => dueAt <= Date.now())
        .slice(0, width);
      if (due.length === 0) return;
      // The event is in the file before the product hears of it.
      await journal.settled();
      await Promise.all(due.map(send));
    }
  };
  // A file that cannot be written ends the delivery.
  const runSoon = () => {
    running = running.then(run).catch(() => undefined);
  };
  const timer = setInterval(runSoon, tickMilliseconds);
  timer.unref();
  return {
    deliver: async (messages) => {
      await journal.settled();
      await Promise.all(messages.map(send));
    },
    wake: runSoon,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
