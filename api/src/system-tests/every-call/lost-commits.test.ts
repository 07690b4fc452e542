import { randomUUID } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { openJobsByHand } from '#testing/test-app.ts';
import { people, type Parts, type Person, type WellFormed } from '#testing/well-formed/call.ts';
import { openRoleStage, type RoleStage } from '#testing/well-formed/role-stage.ts';
import { allCalls } from '@diwan/contract/all-calls';
import { revokeCertificate } from '@diwan/contract/content/issued-certificates';
import { createPayment } from '@diwan/contract/requests/payments';
import { repeatsOf, type Call } from '@diwan/contract/wire/call';
import { roleMatrix } from './role-matrix.ts';

// A job would change the tables between two readings of them.
const jobs = openJobsByHand();
let stage: RoleStage;
beforeAll(async () => {
  stage = await openRoleStage(jobs.open);
});
afterAll(() => stage.app.close());

const original = pg.Client.prototype.query;
afterEach(async () => {
  pg.Client.prototype.query = original;
  // The server has not heard of the commit; its jobs read what it changed.
  await jobs.run();
});

interface Statement {
  text?: string;
}

function lose(connection: pg.Client): never {
  const { stream } = (connection as unknown as { connection: { stream: { destroy(): void } } })
    .connection;
  stream.destroy();
  throw new Error('Connection terminated unexpectedly');
}

/**
 * Loses the answer to the next commit of a call with a key: PostgreSQL has committed, and the
 * connection ends before the server hears of it.
 */
function loseCommit(): { isLost: () => boolean } {
  let isLost = false;
  const lossy = new WeakSet<pg.Client>();
  let committed: Promise<unknown> | undefined;
  const query = original as unknown as (this: unknown, ...sent: unknown[]) => Promise<unknown>;
  const loseThis = (connection: pg.Client) => {
    isLost = true;
    return lose(connection);
  };
  pg.Client.prototype.query = async function loseAnswer(this: pg.Client, ...sent: unknown[]) {
    const { text = '' } = (sent[0] ?? {}) as Statement;
    if (!isLost && text.includes('insert into call_answers')) {
      lossy.add(this);
      await query.apply(this, sent);
      // The commit is sent in the same packet.
      await committed;
      return loseThis(this);
    }
    if (!lossy.has(this) || text !== 'commit') return query.apply(this, sent);
    committed = query.apply(this, sent);
    await committed;
    return loseThis(this);
  } as never;
  return { isLost: () => isLost };
}

// What the outbox and the hubs write, and what each call of a session notes.
const othersWrite = /^(messages|sessions|hub_\w+)$/;

/** Changes with each committed change of the database, those of a table excepted. */
async function fingerprint(except = ''): Promise<string> {
  const { database } = stage.app;
  const tables = await sql<{ name: string }>`
    select relname as name
    from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
    order by relname`.execute(database);
  const names = tables.rows
    .map(({ name }) => name)
    .filter((name) => !othersWrite.test(name) && name !== except);
  const counted = names.map(
    (name) =>
      `select '${name}' as name, count(*) as rows, sum(xmin::text::bigint) as versions from "${name}"`,
  );
  const all = await database.executeQuery<{ name: string; rows: number; versions: string | null }>(
    CompiledQuery.raw(counted.join(' union all ')),
  );
  return all.rows.map(({ name, rows, versions }) => `${name} ${rows} ${versions}`).join('\n');
}

const insert = (table: 'receipt_runs' | 'ledger_closings', row: object) =>
  stage.app.database
    .insertInto(table)
    .values(row as never)
    .returning('id')
    .executeTakeFirstOrThrow();

/** A request of `individual` with a certificate. */
async function certified(): Promise<{ requestId: number }> {
  const { body } = (await stage.calls.revokeCertificate?.make('employee')) ?? {};
  const { requestId } = body as { requestId: number };
  const series = 'CRT-2026';
  await sql`
    insert into invoice_counters (series, last_sequence)
    values (${series}, 1000000)
    on conflict do nothing`.execute(stage.app.database);
  await sql`
    insert into certificates (request_id, series, sequence, number, content, issued_at)
    values (${requestId}, ${series}, 1000000 + ${requestId}, ${`CRT-${requestId}`}, '{}', now())
  `.execute(stage.app.database);
  return { requestId };
}

/** What calls send whose well-formed call is refused by a rule for every user. */
const done: Record<string, () => Promise<Parts>> = {
  async cancelReceiptRun() {
    // One runs at a time.
    await stage.app.database
      .updateTable('receipt_runs')
      .set({ state: 'done' })
      .where('state', '=', 'running')
      .execute();
    const { id } = await insert('receipt_runs', {
      from_day: '2026-01-01',
      until_day: '2026-01-31',
      total: 5,
      created_by: await stage.app.idOf('admin'),
      creator_name: 'Aisha Al Demo',
      worker: randomUUID(),
    });
    return { body: { runId: id } };
  },
  async decideLedgerClosing() {
    const { id } = await insert('ledger_closings', {
      from_day: '2001-01-01',
      until_day: '2001-01-31',
      state: 'waiting',
      asked_by: await stage.app.idOf('employee'),
    });
    return { body: { id, isConfirmed: false } };
  },
  revokeCertificate: async () => ({ body: { ...(await certified()), reason: 'issuedInError' } }),
  async restoreCertificate() {
    const { requestId } = await certified();
    await stage.app.callAs('employee', revokeCertificate, {
      body: { requestId, reason: 'issuedInError' },
    });
    return { body: { requestId, reason: 'revokedInError' } };
  },
};

const rows = Object.values(roleMatrix).flatMap((group) => Object.entries(group));
const callOf = (row: string): Call | undefined =>
  allCalls.find(({ name }) => name === row.split(' ')[0]);
const keyedRows = rows.flatMap(([row, statuses]) => {
  const call = callOf(row);
  const index = statuses.split(' ').indexOf(row in done ? '404' : '200');
  const person = people[index];
  return call && repeatsOf(call) === 'byKey' && person ? [{ row, call, person }] : [];
});

const make = async (row: string, person: Person): Promise<Parts> => {
  const { make: makeParts }: WellFormed = stage.calls[row] ?? { make: () => ({}) };
  return (done[row] ?? makeParts)(person);
};

/**
 * Loses the answer to a statement that matches, or to the commit of its transaction: PostgreSQL has done
 * it, and the connection ends before the server hears of it.
 */
function loseAnswerTo(pattern: RegExp, part: 'statement' | 'commit'): { isLost: () => boolean } {
  let isLost = false;
  const begun = new WeakSet<pg.Client>();
  const query = original as unknown as (this: unknown, ...sent: unknown[]) => Promise<unknown>;
  pg.Client.prototype.query = async function loseOne(this: pg.Client, ...sent: unknown[]) {
    const { text = '' } = (sent[0] ?? {}) as Statement;
    const result = query.apply(this, sent);
    const isNow = part === 'commit' ? begun.has(this) && text === 'commit' : pattern.test(text);
    if (pattern.test(text)) begun.add(this);
    if (isLost || !isNow) return result;
    await result;
    isLost = true;
    return lose(this);
  } as never;
  return { isLost: () => isLost };
}

const storedAnswer = async (key: string) =>
  stage.app.database.selectFrom('call_answers').select('answer').where('key', '=', key).execute();

// The act takes the caller to the page that says what they wait for.
const refusedAfterwards: Record<string, string> = { registerPartner: 'ServiceProviderInactive' };

describe('a payment whose answer is lost', () => {
  // It works in several transactions and with the provider, so no key stores its answer.
  it.each([
    ['the payment is stored', /^insert into "payments"/, 'commit'],
    ['its page is stored', /^update "payments" set "payment_url"/, 'statement'],
  ] as const)('when %s: the repeat gets the page of the same payment', async (_, pattern, part) => {
    const parts = await make('createPayment', 'individual');
    const loss = loseAnswerTo(pattern, part);
    const first = await stage.send(createPayment, 'individual', parts);
    pg.Client.prototype.query = original;
    expect([loss.isLost(), first.status, first.error]).toEqual([true, 503, 'ServerBusy']);
    const payments = () =>
      stage.app.database
        .selectFrom('payments')
        .select(['merchant_reference', 'payment_url', 'status'])
        .where('request_id', '=', Number(parts.params?.requestId))
        .execute();
    const [stored, ...others] = await payments();
    expect([stored?.status, others]).toEqual(['pending', []]);
    const repeats = await Promise.all(
      [1, 2, 3].map(() => stage.send(createPayment, 'individual', parts)),
    );
    for (const { status, body } of repeats) {
      expect(status).toBe(200);
      expect(JSON.parse(body)).toMatchObject({ merchantReference: stored?.merchant_reference });
    }
    expect(new Set(repeats.map(({ body }) => body)).size).toBe(1);
    expect(await payments()).toHaveLength(1);
  });
});

// What a second call finds, and why it harms nobody. Tables that it changes, in their order.
const secondCalls: Record<string, readonly [found: string, changed: string, reason: string]> = {
  acceptCompanyInvitation: ['InvitationNotValid', '', 'an invitation is used once'],
  beginActing: ['VerificationCodeWrong', 'audit_events', 'a code is used once'],
  beginSecondFactor: ['200', '', 'the secret that waits is shown again'],
  changeContact: ['VerificationCodeWrong', '', 'a code is used once'],
  changeUserPassword: [
    'IncorrectPassword',
    'audit_events sign_in_tries',
    'the former password is not right any more; the new one signs in',
  ],
  confirmSecondFactor: ['SecondFactorNotBegun', '', 'it is confirmed; codes can be made anew'],
  createUser: ['VerificationCodeWrong', '', 'a code is used once, and the name is taken'],
  declineUAEPassLink: ['IdentityNotConfirmed', '', 'an attempt is used once'],
  endActing: ['200', '', 'nothing is left to end'],
  endSessions: ['NotFound', '', 'the sessions have ended'],
  fetchSettlement: ['200', '', 'a file is known by its digest'],
  findPerson: ['200', '', 'it reads'],
  forgotPassword: ['200', 'code_askers verification_codes', 'one code a minute, ten a day'],
  importSettlement: ['200', '', 'a file is known by its digest'],
  joinCompany: ['InvitationNotValid', '', 'an invitation is used once'],
  joinStaff: ['InvitationNotValid', '', 'an invitation is used once'],
  linkUAEPass: ['IdentityNotConfirmed', '', 'an attempt is used once'],
  login: ['200', 'audit_events sign_in_tries users', 'another session of the same person'],
  logout: ['200', '', 'the session has ended'],
  newRecoveryCodes: [
    'SecondFactorWrong',
    'audit_events sign_in_tries',
    'a code of the app is used once; the next one makes other codes, and these end',
  ],
  prepareCatalogueImport: [
    '200',
    'catalogue_job_parts catalogue_jobs',
    'a prepared file changes nothing until it is run',
  ],
  refreshToken: ['200', '', 'the former token counts for some seconds'],
  removeSecondFactor: ['200', '', 'nothing is left to remove'],
  resetPassword: ['VerificationCodeWrong', 'audit_events', 'a code is used once'],
  runCatalogueJob: ['CatalogueJobRuns', 'catalogue_jobs', 'a job runs once'],
  savePartnerServices: ['RecordHasChanged', '', 'it names who has the services'],
  saveText: ['RecordHasChanged', '', 'it names the version'],
  saveTexts: ['RecordHasChanged', '', 'it names the versions'],
  sendActingCode: ['TooManyRequests', 'code_askers', 'one code a minute'],
  sendPasswordCode: ['TooManyRequests', '', 'one code a minute'],
  sendVerificationCode: ['200', 'code_askers verification_codes', 'one code a minute, ten a day'],
  uploadAttachment: ['AttachmentNotFound', '', 'it has arrived, and no file is awaited'],
  uploadComplaintDocument: ['AttachmentNotFound', '', 'as above'],
  uploadPartnerDocument: ['AttachmentNotFound', '', 'as above'],
};
// The role matrix has no well-formed call of these.
const elsewhere: Record<string, string> = {
  acceptStaffInvitation: 'as joinStaff, which ends the same invitation: staff-invitations',
  receivePaymentMessage: 'events are known by their ids: payment-safety',
  setUpPortal: 'the page is closed with the first administrator: setup',
};

describe('a second call whose answer no key stores', () => {
  const unstored = rows.flatMap(([row, statuses]) => {
    const call = callOf(row);
    const person = people[statuses.split(' ').indexOf('200')];
    return call && repeatsOf(call) === 'unstored' && person ? [{ row, call, person }] : [];
  });
  const linesOf = (text: string) =>
    new Map(text.split('\n').map((line) => [line.split(' ')[0], line]));

  it('has a reason for each of them', () => {
    expect([...Object.keys(secondCalls), ...Object.keys(elsewhere)].toSorted()).toEqual(
      allCalls
        .filter((call) => repeatsOf(call) === 'unstored')
        .map(({ name }) => name)
        .toSorted(),
    );
    expect([...new Set(unstored.map(({ call }) => call.name))].toSorted()).toEqual(
      Object.keys(secondCalls).toSorted(),
    );
  });

  it.each(unstored)('$row', async ({ row, call, person }) => {
    const parts = await make(row, person);
    expect((await stage.send(call, person, parts)).status).toBe(200);
    const before = linesOf(await fingerprint());
    const second = await stage.send(call, person, parts);
    const after = [...linesOf(await fingerprint())];
    const [found, changed = ''] = secondCalls[call.name] ?? [];
    expect(second.error ?? String(second.status)).toBe(found);
    const names = after
      .filter(([name, line]) => before.get(name) !== line)
      .map(([name]) => name ?? '');
    // It works in the background meanwhile.
    if (call.name !== 'runCatalogueJob')
      expect(names.filter((name) => !changed.split(' ').includes(name))).toEqual([]);
    await stage.restore();
  });
});

describe('an answer that is lost between the commit and the server', () => {
  it('is tried with every call that repeats by key', () => {
    const names = new Set(keyedRows.map(({ call }) => call.name));
    const missing = allCalls.filter((call) => repeatsOf(call) === 'byKey' && !names.has(call.name));
    expect(missing).toEqual([]);
  });

  it.each(keyedRows)(
    '$row: the repeat gets it, and changes nothing',
    async ({ row, call, person }) => {
      const key = randomUUID();
      const parts = { ...(await make(row, person)), key };
      const loss = loseCommit();
      const first = await stage.send(call, person, parts);
      pg.Client.prototype.query = original;
      expect([loss.isLost(), first.status, first.error]).toEqual([true, 503, 'ServerBusy']);
      const stored = await storedAnswer(key);
      expect(stored).toHaveLength(1);

      // That an export was sent again is recorded.
      const recorded = call.isExport ? 'audit_events' : '';
      const before = await fingerprint(recorded);
      const repeat = await stage.send(call, person, parts);
      if (call.name in refusedAfterwards) expect(repeat.error).toBe(refusedAfterwards[call.name]);
      else expect([repeat.status, repeat.body]).toEqual([200, stored[0]?.answer]);
      expect(await fingerprint(recorded)).toBe(before);
      await stage.restore();
    },
  );
});
