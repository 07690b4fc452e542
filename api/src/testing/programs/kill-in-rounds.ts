import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram, type RunningProgram } from './running-program.ts';

/** What a kill interrupts. */
interface InterruptedWork {
  /** Ends when the program has ended. */
  work: Promise<unknown>;
  /**
   * Whether the program may be killed. It counts what was done and not seconds, so that the kill hits
   * work in progress on a busy machine too.
   */
  isEnough(): boolean | Promise<boolean>;
  /** How long the work then continues, in milliseconds. */
  delayMs: number;
}

interface RoundSteps {
  /** Begins the work of a round with a program that is ready. Rounds begin at 1. */
  begin(program: RunningProgram, round: number): Promise<InterruptedWork> | InterruptedWork;
  /** Looks at the data before the next start. */
  afterKill?(round: number): Promise<void>;
  /** Looks at the data when the program is ready again. */
  afterStart?(program: RunningProgram, round: number): Promise<void>;
}

/**
 * In each round: begins work, kills the program with SIGKILL during it and starts the program again.
 * Returns the program that runs at the end.
 */
export async function killInRounds(
  settings: Record<string, string>,
  rounds: number,
  { begin, afterKill, afterStart }: RoundSteps,
): Promise<RunningProgram> {
  const start = async () => {
    const started = await startProgram(settings);
    await started.waitUntilReady();
    return started;
  };
  let program = await start();
  for (let round = 1; round <= rounds; round += 1) {
    const { work, isEnough, delayMs } = await begin(program, round);
    let isOver = false;
    const end = () => (isOver = true);
    work.then(end, end);
    while (!isOver && !(await isEnough())) await sleep(2);
    await sleep(delayMs);
    program.signal('SIGKILL');
    await Promise.all([work, program.ended]);
    await afterKill?.(round);
    program = await start();
    await afterStart?.(program, round);
  }
  return program;
}
