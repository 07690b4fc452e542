import { Refusal } from './refusals.ts';

/** Runs work some at a time, the rest in order. `waiting` says how many wait. */
export interface Turns {
  <Result>(work: () => Promise<Result>): Promise<Result>;
  waiting(): number;
}

/**
 * Runs work at most `count` at once; the rest waits in order. An error belongs to the work that
 * threw it.
 */
export function atMost(count: number): Turns {
  const line: (() => void)[] = [];
  let running = 0;
  const turns = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= count) await new Promise<void>((resolve) => line.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else running -= 1;
    }
  };
  return Object.assign(turns, { waiting: () => line.length });
}

// By then somebody's turn has most probably come.
const comeBackSeconds = 3;

/** The refusal of whoever finds no place now and will find one soon. */
export const serverBusy = (): Refusal => new Refusal('ServerBusy', { retryAfter: comeBackSeconds });

/**
 * Throws ServerBusy where `longest` wait already: who would wait too long is told to come back,
 * before something on the way has hung up.
 */
export function refuseLongLine(turns: Turns, longest: number): void {
  if (turns.waiting() >= longest) throw serverBusy();
}
