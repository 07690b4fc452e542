import type { FastifyInstance } from 'fastify';
import { Refusal } from './refusals.ts';

/** Adds a periodic job. The result starts it soon, beside its times. */
type Scheduler = (everySeconds: number, run: () => unknown) => () => void;

// Many calls within this time start the job once.
const soonMs = 200;

/**
 * Runs periodic jobs while a server runs. A job never runs twice at the same time in this process.
 * A failure is logged as a warning, except for ServerBusy, and the job runs again at its next time.
 * A server that closes starts no job any more and waits for the running ones.
 */
export function openScheduler(server: Pick<FastifyInstance, 'addHook' | 'log'>): Scheduler {
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  let isClosed = false;
  server.addHook('onClose', async () => {
    isClosed = true;
    timers.forEach((timer) => clearTimeout(timer));
    await Promise.all(running);
  });
  return (everySeconds, run) => {
    let isRunning = false;
    let soon: NodeJS.Timeout | undefined;
    const runAndLog = async () => {
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
    const start = () => {
      if (isRunning) return;
      const done = runAndLog().finally(() => running.delete(done));
      running.add(done);
    };
    const startSoon = () => {
      if (isClosed || soon) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        soon = undefined;
        // The current run may have read before the change, so another one follows it.
        if (isRunning) startSoon();
        else start();
      }, soonMs).unref();
      soon = timer;
      timers.add(timer);
    };
    timers.add(setInterval(start, everySeconds * 1000).unref());
    return startSoon;
  };
}
