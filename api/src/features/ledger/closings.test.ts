import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as calls from '@diwan/contract/payments/closings';
import { closeLedgerDay } from '@diwan/contract/payments/ledger';
import { checkSealedFile } from '@diwan/contract/requests/payments';
import { dayAfter, startOfDay, todayInDubai } from '@diwan/contract/wire/days';
import { languages } from '@diwan/contract/wire/languages';
import { closeReconciledDays } from './days.actions.ts';
import { postEntry } from './ledger.actions.ts';

const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400', REFUND_APPROVAL_ABOVE: '50000' });
let day = dayAfter(todayInDubai(), -600);
let count = 0;
beforeAll(async () => {
  await app.database
    .insertInto('ledger_days')
    .values({ day: dayAfter(day, 1), totals: '[]', entries: 0 })
    .execute();
});
// Each test has its own days, before those of the demo.
beforeEach(() => {
  day = dayAfter(day, 3);
});

const book = (amount: number, of = day) =>
  inTransaction(app.serverDatabase, (transaction) =>
    postEntry(transaction, {
      kind: 'correction',
      source: `closing test ${(count += 1)}`,
      currency: 'AED',
      occurredAt: new Date(startOfDay(of).getTime() + 3_600_000),
      lines: [
        { account: 'bank', amount },
        { account: 'providerCash', provider: 'paypro', amount: -amount },
      ],
    }),
  );
const close = (of = day) => app.callAs('admin', closeLedgerDay, { body: { day: of } });
const decide = (id: number, isConfirmed = true) =>
  app.callAs('admin', calls.decideLedgerClosing, { body: { id, isConfirmed } });
const newest = async () => {
  const { body } = await app.callAs('admin', calls.getLedgerClosings, { query: {} });
  const [closing] = body.items;
  if (!closing) throw new Error('no closing');
  return closing;
};
const askedBy = async (username: string, id: number) =>
  app.database
    .updateTable('ledger_closings')
    .set({ asked_by: await app.idOf(username) })
    .where('id', '=', id)
    .execute();
const statement = async (id: number, language = 'en-US') =>
  app.server.inject({
    url: `${calls.getClosingStatement.path}?Id=${id}`,
    headers: { authorization: `Bearer ${await app.signIn('admin')}`, 'accept-language': language },
  });

/** The hash as decision 0131 describes it, one line of text for each line of an entry. */
async function hashOf(days: readonly string[]): Promise<string> {
  const { rows } = await sql<Record<string, string | number | null> & { day: string; at: string }>`
    select entry.*, line.*, entry.id as entry_id, line.id as line_id,
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from ledger_entries as entry
    join ledger_lines as line
      on line.entry_id = entry.id
    order by entry.id, line.id`.execute(app.database);
  const texts = rows
    .filter((row) => days.includes(row.day))
    .map((row) =>
      ['entry_id', 'line_id', 'day', 'kind', 'source', 'currency', 'at', 'account', 'provider']
        .map((name) => row[name] ?? '')
        .concat(row.agency_id ?? '', row.amount ?? '')
        .join('|'),
    );
  return createHash('sha256').update(texts.join('\n')).digest('hex');
}

describe('a closing', () => {
  it('of a small sum closes the days, and its statement adds up and is sealed', async () => {
    await book(10_000);
    await book(5_000, dayAfter(day, 1));
    const until = dayAfter(day, 1);
    const { body: preview } = await app.callAs('admin', calls.previewLedgerClosing, {
      query: { Until: until },
    });
    expect(preview).toMatchObject({
      days: [day, until],
      entries: 2,
      accounts: [
        { account: 'bank', currency: 'AED', debits: 15_000, credits: 0 },
        { account: 'providerCash', currency: 'AED', debits: 0, credits: 15_000 },
      ],
      providers: [{ provider: 'paypro', account: 'providerCash', credits: 15_000 }],
    });
    expect(preview.hash).toBe(await hashOf([day, until]));
    expect((await close(until)).body.closedAt).toBeDefined();
    const closing = await newest();
    expect(closing).toMatchObject({ state: 'closed', from: day, until, isOwn: false });
    const contents = await Promise.all(
      languages.map(async (language) => (await statement(closing.id, language)).rawPayload),
    );
    for (const content of contents) {
      const { body } = await app.call(checkSealedFile, {
        body: { content: content.toString('base64') },
      });
      expect(body.state).toBe('genuine');
    }
    expect((await statement(closing.id)).rawPayload.equals(contents[1] ?? Buffer.of())).toBe(true);
    expect((await statement(99_999_999)).statusCode).toBe(404);
  });

  it('of a large sum waits for another person, keeps the job away, and is closed once', async () => {
    await book(60_000);
    expect((await close()).body).not.toHaveProperty('closedAt');
    const waiting = await newest();
    expect(waiting).toMatchObject({ state: 'waiting', isOwn: true, until: day });
    expect((await close()).refused.error).toBe('ClosingIsWaiting');
    await closeReconciledDays(app.serverDatabase);
    expect((await statement(waiting.id)).statusCode).toBe(404);
    expect((await decide(waiting.id)).refused.error).toBe('DecisionNeedsSecondPerson');
    await askedBy('employee', waiting.id);
    const setMaker = (admin_by: string | null) =>
      app.database.updateTable('users').set({ admin_by }).where('username', '=', 'admin').execute();
    await setMaker(await app.idOf('employee'));
    expect((await decide(waiting.id)).refused.error).toBe('SecondPersonNotIndependent');
    await setMaker(null);
    const both = await Promise.all([decide(waiting.id), decide(waiting.id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const closed = await newest();
    expect(closed).toMatchObject({ state: 'closed', isOwn: false });
    expect([closed.askedBy, closed.decidedBy].every(Boolean)).toBe(true);
    expect((await close()).refused.error).toBe('DayIsClosed');
  });

  it('that is refused leaves the days open, and the job closes them with a statement', async () => {
    await book(70_000);
    await close();
    const waiting = await newest();
    expect((await decide(waiting.id, false)).body.state).toBe('refused');
    expect((await decide(waiting.id)).refused.error).toBe('RecordHasChanged');
    expect((await decide(99_999_999)).status).toBe(404);
    await closeReconciledDays(app.serverDatabase);
    const closed = await newest();
    expect(closed).toMatchObject({ state: 'closed', from: day });
    expect(closed).not.toHaveProperty('askedBy');
    expect((await statement(closed.id)).statusCode).toBe(200);
  });
});
