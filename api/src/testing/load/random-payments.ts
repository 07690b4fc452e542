import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { SandboxPayment } from '#sandbox/payments/payment-journal.ts';
import { startProgram, type RunningProgram } from '../programs/running-program.ts';
import { PaymentLoad, readBooks, type ProviderOfRun } from './payment-load.ts';
import { makePlan, seededRandom } from './payment-plans.ts';
import { findPaymentProblems } from './payment-problems.ts';
import { settleAll } from './settle-all.ts';

interface RandomPayments {
  seed: number;
  payments: number;
  /** Nobody else begins after these minutes. Default: everybody does. */
  minutes?: number | undefined;
  /** Persons who pay at the same time. */
  workers: number;
  /** How many users pay. */
  users: number;
  /** Settings of the program, such as its database. */
  settings: Record<string, string>;
  database: Database;
  /** The folder of another bundle of the program, with a fault. */
  bundle?: string;
  /** Runs once the program has started. */
  prepare?: () => Promise<void>;
  provider: ProviderOfRun & { kill(): Promise<void> };
  /** Kills PostgreSQL, or ends all of its connections. */
  killDatabase(): Promise<void>;
  /** What is killed or switched, in this order first; everything where it is not given. */
  faultNames?: readonly string[];
  /** After how many payments something is killed or switched. */
  faultEvery: number;
  /** The longest time for which the provider is slow or down. */
  switchMilliseconds: number;
  /**
   * PAYMENT_CHECK_SECONDS until the end. The provider is asked about each open payment some 60 times in
   * two hours; a long run would do little else with 1, which holds at the end.
   */
  checkSeconds: number;
  report?: (line: string) => void;
}

interface RandomReport {
  problems: string[];
  line: string;
  /** How often each part was killed or switched. */
  faults: Record<string, number>;
  done: PaymentLoad['done'];
}

/** Adds users like `individual`, with the same password. */
export async function addUsers(database: Database, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `payer${index}`);
  // A generated column takes no value.
  const { rows } = await sql<{ column_name: string }>`
    select column_name
    from information_schema.columns
    where table_schema = current_schema()
      and table_name = 'users'
      and is_generated = 'NEVER'`.execute(database);
  const columns = sql.join(rows.map((row) => sql.id(row.column_name)));
  for (const [index, username] of names.entries()) {
    const own = {
      username,
      full_name: `Payer ${index}`,
      phone_number: `+9715511${String(10_000 + index)}`,
      email: `${username}@example.com`,
      emirates_id: null,
      uaepass_id: null,
    };
    await sql`
      insert into users (${columns})
      select ${columns}
      from (
        select (
          jsonb_populate_record(
            like_this,
            ${JSON.stringify(own)}::jsonb || jsonb_build_object('id', gen_random_uuid())
          )
        ).*
        from users as like_this
        where username = 'individual'
      ) as person
      on conflict (username) do nothing`.execute(database);
  }
  return names;
}

const longestWithoutProgress = 180_000;

/** Waits until the jobs have asked about the chosen payments and sent every refund. */
async function waitForJobs(database: Database): Promise<void> {
  let [least, last] = [Infinity, Date.now()];
  while (Date.now() - last < longestWithoutProgress) {
    await sql`
      update refunds
      set next_attempt_at = now()
      where state in ('ready', 'sent')
        and next_attempt_at > now() + interval '2 seconds'`.execute(database);
    const { rows } = await sql<{ count: number }>`
      select (
        select count(*)
        from payments
        where checked_at = 'epoch'
      )::int + (
        select count(*)
        from refunds
        where state in ('ready', 'sent')
      )::int as count`.execute(database);
    const count = rows[0]?.count ?? 0;
    if (count === 0) return;
    if (count < least) [least, last] = [count, Date.now()];
    await sleep(100);
  }
  throw new Error(`${least} payments or refunds do not finish`);
}

/** Lets the jobs finish: every payment is asked about, every refund is sent. */
async function finishAll(database: Database): Promise<void> {
  // As if all were an hour old: those that are over are asked about then, and the others until they are two
  // hours old. A message may have been lost.
  await sql`
    update payments
    set created_at = now() - interval '1 hour', checked_at = 'epoch'
    where payment_url is not null
      or is_cancel_wanted
      or status in ('pending', 'declined', 'cancelled', 'expired')`.execute(database);
  await waitForJobs(database);
  // A payment that was decided now may have closed others, or left money to give back.
  for (let round = 0; round < 2; round += 1) {
    await sql`
      update payments
      set checked_at = 'epoch'
      where status = 'pending'
        or is_cancel_wanted`.execute(database);
    await waitForJobs(database);
  }
}

/**
 * Keeps the product from fetching settlement files: a day may end during the run, which fetches its
 * file at the end.
 */
async function holdSettlement(database: Database): Promise<void> {
  await sql`
    insert into settlement_files (provider, day, digest, lines)
    select provider, day::date, 'held by a trial ' || day::date, 0
    from unnest(array['paypro', 'reserve']) as provider
    cross join generate_series(current_date - 8, current_date + 2, interval '1 day') as day`.execute(
    database,
  );
}

/** Bank accounts by one provider and cards by the other one; `exchangeProviders` changes that. */
async function insertRulesByMethod(database: Database): Promise<void> {
  await sql`
    insert into payment_rules (position, method, provider, fallback)
    values (1, 'bankAccount', 'reserve', 'paypro'), (2, 'card', 'paypro', 'reserve')`.execute(
    database,
  );
}

const exchangeProviders = (database: Database) =>
  sql`
    update payment_rules
    set provider = fallback, fallback = provider
    where method is not null`.execute(database);

function settingsOf({ settings, provider, checkSeconds }: RandomPayments): Record<string, string> {
  return {
    SANDBOX: 'on',
    SEED: 'demo',
    ...settings,
    PAYMENT_PROVIDER_URL: provider.url,
    PAYMENT_PROVIDER_KEY: provider.key,
    PAYMENT_PROVIDER_SECRET: provider.messageSecret,
    PAYMENT_RESERVE_URL: `${provider.url}/reserve`,
    PAYMENT_RESERVE_KEY: provider.key,
    PAYMENT_RESERVE_SECRET: provider.messageSecret,
    PAYMENT_CHECK_SECONDS: String(checkSeconds),
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'silent',
    LOGIN_ATTEMPTS_PER_MINUTE: '100000',
    SIGN_IN_FREE_TRIES: '100000',
    REQUESTS_PER_DAY: '1000000',
    DOCUMENTS_UNSENT_PER_HOUR: '1000000',
  };
}

/** The program of a run, which starts again after it was killed. */
class RestartedProgram {
  readonly settings: Record<string, string>;
  /** Rejects when the program does not start again, which ends the run. */
  readonly failed: Promise<never>;
  private readonly bundle: string | undefined;
  private running: Promise<RunningProgram>;
  private fail: (error: Error) => void = () => undefined;

  constructor(options: RandomPayments) {
    this.settings = settingsOf(options);
    this.bundle = options.bundle;
    this.failed = new Promise<never>((_, reject) => (this.fail = reject));
    this.running = this.start();
  }

  current(): Promise<RunningProgram> {
    return this.running;
  }

  private async start(): Promise<RunningProgram> {
    const program = await startProgram(this.settings, this.bundle);
    await program.waitUntilReady();
    return program;
  }

  async kill(): Promise<void> {
    const running = await this.running;
    running.signal('SIGKILL');
    this.running = running.ended.then(() => this.start());
    await this.running.catch(this.fail);
  }

  async end(): Promise<void> {
    const last = await this.running.catch(() => undefined);
    last?.signal('SIGTERM');
    await last?.ended;
  }
}

/** What can be killed or switched during a run, and the end of all switches. */
function openFaults(
  options: RandomPayments,
  program: RestartedProgram,
  random: () => number,
): { faults: Record<string, () => Promise<unknown>>; calm: () => Promise<void> } {
  const { database, provider } = options;
  const setSwitch = (account: string, own: Record<string, string>) =>
    fetch(`${provider.url}/switches`, {
      method: 'POST',
      body: new URLSearchParams({ account, fault: 'none', ...own }),
      redirect: 'manual',
    }).catch(() => undefined);
  const calm = async () => {
    for (const account of ['paypro', 'reserve']) await setSwitch(account, {});
  };
  // A user who pays there waits for its end.
  const endLater = () => sleep(500 + random() * options.switchMilliseconds).then(calm);
  const faults: Record<string, () => Promise<unknown>> = {
    program: () => program.kill(),
    database: options.killDatabase,
    provider: () => provider.kill(),
    slow: () => setSwitch('paypro', { isSlow: 'on' }).then(() => endLater()),
    rules: () => exchangeProviders(database).catch(() => undefined),
    down: () =>
      setSwitch(random() < 0.5 ? 'paypro' : 'reserve', { isDown: 'on' }).then(() => endLater()),
  };
  return { faults, calm };
}

/**
 * Random payments of random people with every fault of the provider, while the program, PostgreSQL and
 * the provider are killed, and a comparison of the product with the provider's books at the end. The
 * plans follow from the seed; what happens at the same time does not.
 */
export async function payAtRandom(options: RandomPayments): Promise<RandomReport> {
  const { seed, payments, workers, database, provider, report = () => undefined } = options;
  const random = seededRandom(seed);
  const program = new RestartedProgram(options);
  await program.current();
  await options.prepare?.();
  await holdSettlement(database);
  await insertRulesByMethod(database);
  const users = await addUsers(database, options.users);
  const load = new PaymentLoad({ program: () => program.current(), database, provider, users });
  const { faults, calm } = openFaults(options, program, random);
  const counts: Record<string, number> = {};
  const names = options.faultNames ?? Object.keys(faults);
  const stuck: string[] = [];
  let [begun, finished, next] = [0, 0, options.faultEvery];
  let faulting: Promise<unknown> = Promise.resolve();
  const until = Date.now() + (options.minutes ?? Infinity) * 60_000;
  const worker = async () => {
    while (begun < payments && Date.now() < until) {
      begun += 1;
      const plan = makePlan(random, users.length);
      await load.live(plan).catch((error: Error) => {
        stuck.push(`person ${begun}: ${error.message}`);
      });
      finished += 1;
      if (finished < next) continue;
      next += options.faultEvery;
      // Each in turn first, so that a short run has all of them.
      const made = Object.keys(counts).length;
      const name = names[made < names.length ? made : Math.floor(random() * names.length)] ?? '';
      counts[name] = (counts[name] ?? 0) + 1;
      faulting = faulting.then(faults[name]);
      report(`${finished} of ${payments} persons, ${name}, ${JSON.stringify(load.done)}`);
    }
  };
  const problems: string[] = [];
  let books: SandboxPayment[] = [];
  let settled = 'no settlement';
  // What follows still says what is wrong when a part of the run does not end.
  const parts: (() => Promise<unknown>)[] = [
    () => Promise.race([Promise.all(Array.from({ length: workers }, worker)), program.failed]),
    () => faulting,
    calm,
    async () => {
      if (options.checkSeconds <= 1) return;
      program.settings.PAYMENT_CHECK_SECONDS = '1';
      await faults.program?.();
    },
    () => finishAll(database),
    async () => {
      books = await readBooks(provider);
      problems.push(...(await findPaymentProblems(database, books)));
    },
    async () => {
      const { problems: differing, line } = await settleAll(options, books);
      problems.push(...differing);
      settled = line;
    },
  ];
  for (const part of parts)
    await part().catch((error: Error) => problems.push(`the run broke off: ${error.message}`));
  problems.push(...stuck);
  if (load.done.believed > 0) problems.push(`${load.done.believed} forged messages were accepted`);
  await program.end();
  const charges = books.flatMap(({ events }) => events).filter(({ kind }) => kind === 'paid');
  const refunds = books
    .flatMap((payment) => payment.refunds)
    .filter(({ state }) => state === 'succeeded');
  return {
    problems,
    faults: counts,
    done: load.done,
    line:
      `seed ${seed}: ${begun} persons, ${books.length} payments at the provider, ` +
      `${charges.length} charges, ${refunds.length} refunds, ${settled}, ` +
      `${load.done.forged} forged messages, ` +
      `${load.done.unanswered} steps without an answer, faults ${JSON.stringify(counts)}, ` +
      `${problems.length} problems`,
  };
}
