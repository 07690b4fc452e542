import { randomInt } from 'node:crypto';
import { killInRounds } from '../programs/kill-in-rounds.ts';
import type { ProgramData } from '../programs/running-program.ts';
import { ActionLoad } from './action-load.ts';
import { findInconsistencies, findMoneyInconsistencies } from './consistency.ts';

/** The result of several kills: the problems found, and the amount of work. */
interface KillReport {
  problems: string[];
  acknowledged: number;
  actions: Record<string, number>;
  interrupted: number;
  /** The output of the program after the last kill. */
  output: string;
}

/**
 * In each round: starts the program, runs the load, kills it with SIGKILL at a random moment,
 * starts it again and checks the data.
 */
export async function killWhileActing(
  { settings: own, dataDir, open }: ProgramData,
  rounds: number,
  report: (line: string) => void = () => undefined,
): Promise<KillReport> {
  const load = new ActionLoad();
  const faults: string[] = [];
  // Payments are booked within a round, and a busy machine refuses no call.
  const settings = {
    ...own,
    PAYMENT_CHECK_SECONDS: '1',
    CALL_WAIT_MS: '20000',
    EVENT_LOOP_DELAY_MS: '20000',
    LOGIN_ATTEMPTS_PER_MINUTE: '100000',
    SIGN_IN_FREE_TRIES: '100000',
  };
  const program = await killInRounds(settings, rounds, {
    begin(running) {
      const enough = load.steps + randomInt(15, 60);
      const isEnough = () => load.steps >= enough;
      return { work: load.run(running), isEnough, delayMs: randomInt(30) };
    },
    async afterStart(_, round) {
      const database = open();
      const found = [
        ...(await findInconsistencies(database, dataDir)),
        ...(await findMoneyInconsistencies(database)),
        ...(await load.findLost(database)),
      ];
      await database.destroy();
      faults.push(...found.map((fault) => `round ${round}: ${fault}`));
      report(
        `round ${round}: ${load.acknowledged.size} requests acknowledged so far, ${load.steps} steps, ${found.length} problems`,
      );
    },
  });
  program.signal('SIGINT');
  await program.ended;
  return {
    problems: faults,
    acknowledged: load.acknowledged.size,
    actions: Object.fromEntries(load.actions),
    interrupted: load.interrupted,
    output: program.output(),
  };
}
