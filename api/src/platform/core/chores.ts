import type { FastifyInstance } from 'fastify';

/** Adds a piece of work that comes again every so many seconds. */
export type Chores = (everySeconds: number, work: () => unknown) => void;

/**
 * Work that comes again and again while a server runs. One piece is never under way twice at once
 * in this process; what fails is a line in the log
 * and comes again; a server that closes begins nothing more and waits for what is under way.
 */
export function openChores(server: Pick<FastifyInstance, 'addHook' | 'log'>): Chores {
  const timers: NodeJS.Timeout[] = [];
  const underWay = new Set<Promise<void>>();
  server.addHook('onClose', async () => {
    timers.forEach((timer) => clearInterval(timer));
    await Promise.all(underWay);
  });
  return (everySeconds, work) => {
    let isUnderWay = false;
    const begin = async () => {
      isUnderWay = true;
      try {
        await work();
      } catch (error) {
        server.log.warn((error as Error).message);
      } finally {
        isUnderWay = false;
      }
    };
    timers.push(
      setInterval(() => {
        if (isUnderWay) return;
        const done = begin().finally(() => underWay.delete(done));
        underWay.add(done);
      }, everySeconds * 1000).unref(),
    );
  };
}
