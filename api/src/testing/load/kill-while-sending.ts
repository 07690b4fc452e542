import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { demoPassword } from '#seed/seed.ts';
import {
  getService,
  getServiceIdByServiceName,
  type Service,
} from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { createRequest } from '@diwan/contract/requests/request-actions';
import { killInRounds } from '../programs/kill-in-rounds.ts';
import { endPrograms, type ProgramData, type RunningProgram } from '../programs/running-program.ts';
import { makeAnswers, uploadRequiredDocuments } from '../requests/demo-request.ts';
import { freeService } from '../requests/request-stage.ts';

/**
 * The messages about requests after several kills. `twice` and `lost` name a request and a channel.
 */
interface KillReport {
  rounds: number;
  acknowledged: number;
  written: number;
  delivered: number;
  /** Messages that more than one process handed over; the gateway recognised them. */
  retried: number;
  twice: string[];
  lost: string[];
}

async function send(
  program: RunningProgram,
  token: string,
  service: Service,
  acknowledged: Set<string>,
): Promise<void> {
  const attachmentIds = await uploadRequiredDocuments(program, token, service);
  const { status, body } = await program.call(createRequest, {
    token,
    body: {
      serviceId: service.id,
      answers: makeAnswers(service.form),
      attachmentIds,
      agreeToTermsAndConditions: true,
    },
  });
  if (status === 200) acknowledged.add(body.requestNumber);
}

/** The numbers of all requests. */
async function selectNumbers(open: () => Database): Promise<string[]> {
  const database = open();
  const rows = await database.selectFrom('requests').select('number').execute();
  await database.destroy();
  return rows.map(({ number }) => number);
}

async function compareMessages(
  database: Database,
  acknowledged: ReadonlySet<string>,
  numbers: readonly string[],
): Promise<Omit<KillReport, 'rounds'>> {
  const arrived = await database
    .selectFrom('sandbox.messages')
    .select(['channel', 'subject', 'body'])
    .execute();
  const about = (number: string, channel: string) =>
    arrived.filter(
      (message) =>
        message.channel === channel && `${message.subject} ${message.body}`.includes(number),
    ).length;
  const all = [...new Set([...numbers, ...acknowledged])].flatMap((number) =>
    (['email', 'sms'] as const).map((channel) => ({
      name: `${number} ${channel}`,
      count: about(number, channel),
    })),
  );
  const { count: retried } = await database
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tries', '>', 1)
    .executeTakeFirstOrThrow();
  return {
    acknowledged: acknowledged.size,
    written: numbers.length,
    delivered: arrived.length,
    retried,
    twice: all.filter(({ count }) => count > 1).map(({ name }) => name),
    lost: all.filter(({ count }) => count === 0).map(({ name }) => name),
  };
}

/**
 * In each round: sends requests and kills the program with SIGKILL at a random moment. At the end
 * waits until no message is waiting.
 */
export async function killWhileSending(
  { settings, open }: ProgramData,
  rounds: number,
  report: (line: string) => void = () => undefined,
): Promise<KillReport> {
  const acknowledged = new Set<string>();
  const limits = { LOG_LEVEL: 'silent', LOGIN_ATTEMPTS_PER_MINUTE: '10000' };
  let before: ReadonlySet<string> | undefined;
  try {
    await killInRounds({ ...settings, ...limits }, rounds, {
      async begin(program) {
        before ??= new Set(await selectNumbers(open));
        const {
          body: { token },
        } = await program.call(login, { body: { username: 'individual', password: demoPassword } });
        const {
          body: { serviceId },
        } = await program.call(getServiceIdByServiceName, { query: { serviceName: freeService } });
        const { body: service } = await program.call(getService, { query: { serviceId } });
        let isSent = false;
        const working = Array.from({ length: 6 }, () =>
          send(program, token, service, acknowledged)
            .catch(() => undefined)
            .finally(() => (isSent = true)),
        );
        // The kill hits the time between the first commit and the last hand-over, which is some tens
        // of milliseconds, also on a busy machine.
        return {
          work: Promise.all(working),
          isEnough: () => isSent,
          delayMs: randomInt(60),
        };
      },
      async afterStart(_, round) {
        report(`round ${round}: ${acknowledged.size} requests acknowledged`);
      },
    });
    const database = open();
    // Ends the leases of killed processes immediately instead of after a minute.
    await sql`update messages set leased_until = now(), due_at = now() where state = 'waiting'`.execute(
      database,
    );
    const waiting = async () =>
      (
        await database
          .selectFrom('messages')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('state', '=', 'waiting')
          .executeTakeFirstOrThrow()
      ).count;
    for (let patience = 600; patience > 0 && (await waiting()) > 0; patience -= 1) await sleep(100);
    const written = (await selectNumbers(open)).filter((number) => !before?.has(number));
    const result = { rounds, ...(await compareMessages(database, acknowledged, written)) };
    await database.destroy();
    return result;
  } finally {
    await endPrograms();
  }
}
