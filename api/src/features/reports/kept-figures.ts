import type { FiguresRow } from './reports.store.ts';

interface Kept {
  figures: Promise<FiguresRow>;
  until: number;
}

const manyRequests = 20_000;
const keptMs = 60_000;
const mostKept = 200;

/** Whether figures were counted over so many requests that the next to ask may have the same for a minute; a year of a large portal takes PostgreSQL seconds. */
export function areWorthKeeping({ current, previous }: Pick<FiguresRow, 'current' | 'previous'>): boolean {
  return current.created + current.completed + previous.created + previous.completed > manyRequests;
}

/** Keeps what took long to count, by key, and counts it once for all who ask at the same time. Of few requests it keeps nothing: those figures are always of this moment. */
export function keepFigures(now: () => number = () => performance.now()): (key: string, count: () => Promise<FiguresRow>) => Promise<FiguresRow> {
  const kept = new Map<string, Kept>();

  function keep(key: string, figures: Promise<FiguresRow>): Promise<FiguresRow> {
    kept.delete(key);
    kept.set(key, { figures, until: now() + keptMs });
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return figures;
  }

  async function countAndJudge(key: string, count: () => Promise<FiguresRow>): Promise<FiguresRow> {
    try {
      const figures = await count();
      if (areWorthKeeping(figures)) keep(key, Promise.resolve(figures));
      else kept.delete(key);
      return figures;
    } catch (error) {
      kept.delete(key);
      throw error;
    }
  }

  return (key, count) => {
    const known = kept.get(key);
    if (known && now() < known.until) return known.figures;
    const counting = countAndJudge(key, count);
    // They were many the last time, so that others wait for this count.
    return known ? keep(key, counting) : counting;
  };
}
