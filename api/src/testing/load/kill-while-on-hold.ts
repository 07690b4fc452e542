import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { demoPassword } from '#seed/seed.ts';
import type { Calendar } from '@diwan/contract/calendars/calendars';
import { getService, getServiceIdByServiceName } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import * as calls from '@diwan/contract/requests/request-actions';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import { killInRounds } from '../programs/kill-in-rounds.ts';
import type { ProgramData, RunningProgram } from '../programs/running-program.ts';
import { countDayByDay, dueDayByDay } from '../requests/day-by-day.ts';
import { makeAnswers, uploadRequiredDocuments } from '../requests/demo-request.ts';
import { freeService, messageTexts } from '../requests/request-stage.ts';
import { findInconsistencies } from './consistency.ts';

const statuses = { processing: 4, onHold: 11 };

/** Puts requests on hold and resumes them over HTTP, until the program is killed. */
class HoldLoad {
  /** The acknowledged version of each request. */
  readonly acknowledged = new Map<number, number>();
  readonly actions = { hold: 0, resume: 0, refused: 0 };
  interrupted = 0;

  /** `mayResume`: requests that the day may resume at the same time. */
  async run(program: RunningProgram, mayResume: readonly number[]): Promise<void> {
    try {
      const signIn = async (username: string) =>
        (await program.call(login, { body: { username, password: demoPassword } })).body.token;
      const [individual, employee] = await Promise.all(['individual', 'employee'].map(signIn));
      const query = { serviceName: freeService };
      const { body: found } = await program.call(getServiceIdByServiceName, { query });
      const { body: service } = await program.call(getService, { query: found });
      const left = [...mayResume];
      const work = async () => {
        for (;;) {
          const raced = left.pop();
          if (raced !== undefined) await this.#act(program, employee, 'resume', raced);
          const requestId = await this.#create(program, individual, service);
          await program.call(calls.receiveRequest, { token: employee, params: { requestId } });
          // The last hold lasts, until its day.
          for (const action of ['hold', 'resume', 'hold'] as const)
            await this.#act(program, employee, action, requestId);
        }
      };
      await Promise.all(Array.from({ length: 4 }, work));
    } catch (error) {
      // The program was killed, so the connection is closed.
      if (!(error instanceof TypeError)) throw error;
      this.interrupted += 1;
    }
  }

  async #create(
    program: RunningProgram,
    token: string | undefined,
    service: Parameters<typeof uploadRequiredDocuments>[2],
  ): Promise<number> {
    const attachmentIds = await uploadRequiredDocuments(program, token ?? '', service);
    const answers = makeAnswers(service.form);
    const sent = { serviceId: service.id, answers, attachmentIds, agreeToTermsAndConditions: true };
    const { body } = await program.call(calls.createRequest, { token, body: sent });
    return body.requestId;
  }

  async #act(
    program: RunningProgram,
    token: string | undefined,
    action: 'hold' | 'resume',
    requestId: number,
  ): Promise<void> {
    const until = { holdUntil: dayAfter(todayInDubai(), randomInt(1, 30)), ...messageTexts };
    const { status, body, refused } =
      action === 'hold'
        ? await program.call(calls.holdRequest, { token, body: { requestId, ...until } })
        : await program.call(calls.resumeRequest, { token, body: { requestId } });
    if (status === 200) {
      this.actions[action] += 1;
      this.acknowledged.set(requestId, body.version);
    } else if (refused.error === 'ActionNotAllowed') this.actions.refused += 1;
    else throw new Error(`${action}: ${status} ${JSON.stringify(refused).slice(0, 300)}`);
  }

  get steps(): number {
    return this.actions.hold + this.actions.resume;
  }
}

/** Lets the day of every hold come, as if it had begun some days ago. Returns the requests. */
async function letDaysCome(database: Database, from: number): Promise<number[]> {
  return inTransaction(database, async (transaction) => {
    const { rows } = await sql<{ id: number }>`
      update requests
      set hold_until = ${todayInDubai()}::date
      where id > ${from}
        and hold_until > ${todayInDubai()}::date
      returning id`.execute(transaction);
    const ids = rows.map(({ id }) => id);
    // The history is append-only for everybody else.
    await sql`set local session_replication_role = replica`.execute(transaction);
    await sql`
      update request_history
      set at = at - make_interval(days => 1 + (request_id % 20)::int),
        hold_until = ${todayInDubai()}::date
      where id in (
        select max(id)
        from request_history
        where request_id = any(${ids}::bigint[])
        group by request_id
      )`.execute(transaction);
    return ids;
  });
}

interface HeldRequest {
  id: number;
  status_id: number;
  version: number;
  working_days: number;
  hold_until: string | null;
  has_reason: boolean;
  promised_on: string | null;
  due_on: string | null;
  calendar: Calendar;
  steps: {
    action: string;
    at: string;
    holdUntil: string | null;
    to: number;
    notice: string | null;
    /** The channels of its messages. */
    channels: string[];
  }[];
}

/** The requests after an id that were put on hold. */
async function selectHeld(database: Database, from: number): Promise<HeldRequest[]> {
  const { rows } = await sql<HeldRequest>`
    select
      id, status_id, version, working_days, hold_until::text, hold_reason is not null as has_reason,
      promised_on::text, due_on::text, (
        select document
        from calendar_versions
        where calendar_versions.id = calendar_id
      ) as calendar, (
        select jsonb_agg(
          jsonb_build_object(
            'action', action, 'at', at, 'holdUntil', hold_until, 'to', to_status_id,
            'notice', notice, 'channels', array(
              select channel
              from messages
              where history_id = step.id
            )
          )
          order by step.id
        )
        from request_history as step
        where step.request_id = requests.id
      ) as steps
    from requests
    where id > ${from}
      and id in (
        select request_id
        from request_history
        where action = 'hold'
      )`.execute(database);
  return rows;
}

/** What disagrees between a request, its history and its messages; empty when nothing does. */
function findContradictions({ steps, calendar, ...row }: HeldRequest): string[] {
  const last = steps.at(-1);
  const isOnHold = row.status_id === statuses.onHold;
  const seen = JSON.stringify({ ...row, steps: steps.map(({ action }) => action) });
  const problems: string[] = [];
  const check = (holds: boolean, problem: string) => {
    if (!holds) problems.push(`request ${row.id}: ${problem}: ${seen}`);
  };
  check(isOnHold || row.status_id === statuses.processing, 'it is in another status');
  check(row.version === steps.length && row.status_id === last?.to, 'the history disagrees');
  const order = steps.slice(2).map(({ action }, index) => action === ['hold', 'resume'][index % 2]);
  check(!order.includes(false), 'holds and their ends do not alternate');
  check(row.hold_until === (isOnHold ? last?.holdUntil : null), 'the day of the hold is another');
  check(row.has_reason === isOnHold, 'the reason of the hold disagrees');
  for (const { action, notice, channels } of steps.slice(2)) {
    const isSent = notice !== null && channels.includes('email');
    check(isSent, `the message about ${action} is missing`);
    check(new Set(channels).size === channels.length, `${action} was announced twice`);
  }
  const onHold = steps.reduce((sum, { action, at }, index) => {
    const ended = steps[index + 1];
    const isEnded = action === 'hold' && ended !== undefined;
    return sum + (isEnded ? countDayByDay(calendar, new Date(at), new Date(ended.at)) : 0);
  }, 0);
  const begun = new Date(steps[0]?.at ?? 0);
  const due = isOnHold ? null : dueDayByDay(calendar, begun, row.working_days + onHold);
  check(row.due_on === due && row.promised_on === due, `it is due on ${due}`);
  return problems;
}

async function findProblems(
  database: Database,
  { from, dataDir }: { from: number; dataDir: string },
  { acknowledged }: Pick<HoldLoad, 'acknowledged'>,
): Promise<string[]> {
  const held = await selectHeld(database, from);
  const versions = new Map(held.map(({ id, version }) => [id, version]));
  return [
    ...(await findInconsistencies(database, dataDir)),
    ...held.flatMap(findContradictions),
    ...[...acknowledged]
      .filter(([id, version]) => (versions.get(id) ?? 0) < version)
      .map(([id, version]) => `request ${id} was acknowledged in version ${version}`),
  ];
}

async function countEndedByDay(database: Database): Promise<number> {
  const { count } = await database
    .selectFrom('request_history')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('actor_kind', '=', 'schedule')
    .executeTakeFirstOrThrow();
  return count;
}

interface HoldKillReport {
  problems: string[];
  actions: HoldLoad['actions'];
  /** The steps that the job of the day took. */
  endedByDay: number;
  interrupted: number;
  output: string;
}

/**
 * In each round: runs the load, kills the program with SIGKILL, starts it again and checks the data.
 * In every second round, the days of all holds come, and the kill hits the job that ends them. At the
 * end the job ends what is left.
 */
export async function killWhileOnHold(
  { settings: own, dataDir, open }: ProgramData,
  rounds: number,
  report: (line: string) => void = () => undefined,
): Promise<HoldKillReport> {
  const load = new HoldLoad();
  const problems: string[] = [];
  const settings = {
    ...own,
    REQUESTS_PER_DAY: '100000',
    LOGIN_ATTEMPTS_PER_MINUTE: '100000',
    SIGN_IN_FREE_TRIES: '100000',
    EVENT_LOOP_DELAY_MS: '20000',
  };
  const database = open();
  // Requests of the demo have other histories.
  const { rows } = await sql<{ last: number }>`
    select max(id) as last
    from requests`.execute(database);
  const from = rows[0]?.last ?? 0;
  let [endedBefore, left] = [0, 0];
  const program = await killInRounds(settings, rounds, {
    async begin(running, round) {
      const isDay = round % 2 === 0;
      const due = isDay ? await letDaysCome(database, from) : [];
      endedBefore = await countEndedByDay(database);
      const enough = load.steps + randomInt(20, 50);
      return {
        // Some of the holds are ended by hand while the job runs.
        work: load.run(running, due.slice(0, due.length / 4)),
        isEnough: async () =>
          isDay ? (await countEndedByDay(database)) > endedBefore : load.steps >= enough,
        delayMs: randomInt(isDay ? 300 : 30),
      };
    },
    async afterKill() {
      const counted = await sql<{ count: number }>`
        select count(*)::int as count
        from requests
        where hold_until <= ${todayInDubai()}::date`.execute(database);
      left = counted.rows[0]?.count ?? 0;
    },
    async afterStart(_, round) {
      const found = await findProblems(database, { from, dataDir }, load);
      problems.push(...found.map((problem) => `round ${round}: ${problem}`));
      const ended = (await countEndedByDay(database)) - endedBefore;
      report(
        `round ${round}: ${JSON.stringify(load.actions)}` +
          (round % 2 === 0 ? `, the day ended ${ended}, ${left} left` : '') +
          `, ${found.length} problems`,
      );
    },
  });
  const due = await letDaysCome(database, from);
  for (let tries = 0; tries < 300; tries += 1) {
    const onHold = (await selectHeld(database, from)).filter(({ hold_until: day }) => day !== null);
    if (onHold.length === 0) break;
    await sleep(100);
  }
  const last = await selectHeld(database, from);
  problems.push(
    ...last
      .filter(({ hold_until: day }) => day !== null)
      .map(({ id }) => `request ${id} is still on hold after its day`),
    ...(await findProblems(database, { from, dataDir }, load)),
  );
  report(`the end: the day ended ${due.length} more`);
  program.signal('SIGINT');
  await program.ended;
  const endedByDay = await countEndedByDay(database);
  await database.destroy();
  return {
    problems,
    actions: load.actions,
    endedByDay,
    interrupted: load.interrupted,
    output: program.output(),
  };
}
