import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionLoad } from './action-load.ts';
import { findFaults } from './find-faults.ts';
import { findMoneyFaults } from './find-money-faults.ts';
import { startProgram, type ProgramPlace } from './running-program.ts';

/** What rounds of killing came to: everything wrong that was found, and how much was under way. */
export interface KillReport {
  faults: string[];
  answered: number;
  actions: Record<string, number>;
  cut: number;
  /** What the program printed after the last kill. */
  said: string;
}

/**
 * Starts the program, lets people work in it, kills it with -9 at a random moment, starts it again
 * and looks; so many times in one place.
 */
export async function killRounds(
  { settings: own, dataDir, open }: ProgramPlace,
  rounds: number,
  tell: (line: string) => void = () => undefined,
): Promise<KillReport> {
  const load = new ActionLoad();
  const faults: string[] = [];
  // Asked again soon, so that what was paid at the provider is booked within a round.
  const settings = {
    ...own,
    PAYMENT_CHECK_SECONDS: '1',
    LOGIN_ATTEMPTS_PER_MINUTE: '100000',
    SIGN_IN_FREE_TRIES: '100000',
  };
  let program = await startProgram(settings);
  await program.ready();
  for (let round = 1; round <= rounds; round += 1) {
    const work = load.run(program);
    // By work done and not by the clock, so that a busy machine is killed in the middle of work
    // too.
    const enough = load.steps + randomInt(15, 60);
    const over = work.then(() => true);
    while (load.steps < enough && !(await Promise.race([over, sleep(5)])));
    await sleep(randomInt(30));
    program.signal('SIGKILL');
    await Promise.all([work, program.ended]);
    program = await startProgram(settings);
    await program.ready();
    const database = open();
    const found = [
      ...(await findFaults(database, dataDir)),
      ...(await findMoneyFaults(database)),
      ...(await load.findLost(database)),
    ];
    await database.destroy();
    faults.push(...found.map((fault) => `round ${round}: ${fault}`));
    tell(
      `round ${round}: ${load.answered.size} requests answered so far, ${load.steps} steps, ${found.length} faults`,
    );
  }
  program.signal('SIGINT');
  await program.ended;
  return {
    faults,
    answered: load.answered.size,
    actions: Object.fromEntries(load.actions),
    cut: load.cut,
    said: program.said(),
  };
}
