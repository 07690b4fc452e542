import type { FastifyInstance } from 'fastify';
import { Refusal } from './refusals.ts';

/** Adds a periodic job. */
export type Scheduler = (everySeconds: number, run: () => unknown) => void;

/**
 * Runs periodic jobs while a server runs. A job never runs twice at once in this process. A failure
 * is logged as a warning, except for ServerBusy, and the job runs again at its next time. A server
 * that closes starts no job any more and waits for the running ones.
 */
export function openScheduler(server: Pick<FastifyInstance, 'addHook' | 'log'>): Scheduler {
  const timers: NodeJS.Timeout[] = [];
  const running = new Set<Promise<void>>();
  server.addHook('onClose', async () => {
    timers.forEach((timer) => clearInterval(timer));
    await Promise.all(running);
  });
  return (everySeconds, run) => {
    let isRunning = false;
    const start = async () => {
      isRunning = true;
      try {
        await run();
      } catch (error) {
        // The database reports its own outages.
        if (!(error instanceof Refusal && error.refusal === 'ServerBusy'))
          server.log.warn((error as Error).message);
      } finally {
        isRunning = false;
      }
    };
    timers.push(
      setInterval(() => {
        if (isRunning) return;
        const done = start().finally(() => running.delete(done));
        running.add(done);
      }, everySeconds * 1000).unref(),
    );
  };
}
