import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '#config.ts';
import { issueDueDocuments } from '#features/payments/invoices/invoices.actions.ts';
import { sellerOf } from '#features/payments/invoices/sellers.actions.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { enqueueMessages } from '#platform/messages/message-outbox.ts';
import { cloneProgramData } from '#testing/programs/clone-program-data.ts';
import { endPrograms } from '#testing/programs/running-program.ts';
import { findInvoiceProblems } from '../find-integrity-problems.store.ts';
import { markRestored } from './mark-restored.ts';

type Clone = Awaited<ReturnType<typeof cloneProgramData>>;
const clones: Clone[] = [];
let own: Clone;
let database: Database;
beforeEach(async () => {
  clones.push((own = await cloneProgramData()));
  database = own.open();
});
afterEach(() => database.destroy());
afterAll(async () => {
  await endPrograms();
  for (const clone of clones) await clone.close();
});

const hourAgo = () => new Date(Date.now() - 3_600_000);

async function issueAll(of: Database): Promise<void> {
  const seller = sellerOf(readConfig(own.settings));
  const context = { database: of, seller, now: () => new Date(), warn: () => undefined };
  while ((await issueDueDocuments(context)) > 0);
}
const enqueue = (of: Database, ...recipients: string[]) =>
  inTransaction(of, (transaction) =>
    enqueueMessages(
      transaction,
      ...recipients.map((recipient) => ({
        kind: 'request' as const,
        channel: 'email' as const,
        recipient,
        language: 'en-US' as const,
        subject: 'A subject',
        body: 'A text',
      })),
    ),
  );
const states = async () =>
  Object.fromEntries(
    (
      await database
        .selectFrom('messages')
        .select(['recipient', 'state'])
        .where('recipient', 'like', '%@restored.example')
        .execute()
    ).map(({ recipient, state }) => [recipient.split('@')[0], state]),
  );
const lastNumbers = async (of: Database) =>
  new Map(
    (await of.selectFrom('invoice_counters').selectAll().execute()).map((each) => [
      each.series,
      each.last_sequence,
    ]),
  );
const nextId = async () =>
  (await sql<{ id: number }>`select nextval('requests_id_seq') as id`.execute(database)).rows[0]
    ?.id ?? 0;

it('pauses what waits, and skips more numbers than two busy days took', async () => {
  await issueAll(database);
  await enqueue(database, 'waits@restored.example');
  const before = await lastNumbers(database);
  const id = await nextId();
  const { paused, skipped } = await markRestored(database, hourAgo());
  expect(paused).toBeGreaterThan(0);
  expect(await states()).toEqual({ waits: 'paused' });
  expect(skipped.map(({ series }) => series).toSorted()).toEqual([...before.keys()].toSorted());
  const after = await lastNumbers(database);
  for (const { series, first, last } of skipped) {
    expect(first).toBe((before.get(series) ?? 0) + 1);
    expect(last).toBe(after.get(series));
    // The demo's documents were all issued on this day.
    if (!series.startsWith('CERT')) expect(last).toBeGreaterThan(3 * (before.get(series) ?? 0));
  }
  expect(await nextId()).toBeGreaterThan(id + 10);
  // The numbers that are missing have a reason; one that is missing without one is still found.
  expect(await findInvoiceProblems(database)).toEqual([]);
  await sql`update invoice_counters set last_sequence = last_sequence + 1`.execute(database);
  expect((await findInvoiceProblems(database)).length).toBeGreaterThan(0);
});

it('follows the former database exactly, where it can be read', async () => {
  await issueAll(database);
  await enqueue(database, 'sent@restored.example', 'unsent@restored.example');
  clones.push(await cloneProgramData());
  const former = clones.at(-1) as Clone;
  const formerDatabase = former.open();
  await issueAll(formerDatabase);
  // Two messages that both know, one of which was sent, and three invoices that only the former has.
  const copied = await database
    .selectFrom('messages')
    .selectAll()
    .where('recipient', 'like', '%@restored.example')
    .execute();
  await formerDatabase.insertInto('messages').values(copied).execute();
  await sql`
    update messages
    set state = 'sent', ended_at = now()
    where recipient = 'sent@restored.example'`.execute(formerDatabase);
  await sql`
    update invoice_counters
    set last_sequence = last_sequence + 3
    where series like 'INV-%'`.execute(formerDatabase);
  await sql`insert into invoice_counters values ('INV-2099', 2)`.execute(formerDatabase);
  await sql`select setval('requests_id_seq', ${(await nextId()) + 41})`.execute(formerDatabase);
  const wanted = await lastNumbers(formerDatabase);
  await formerDatabase.destroy();
  const expectedId = (await nextId()) + 41;
  const { skipped, ended } = await markRestored(
    database,
    hourAgo(),
    former.settings.MIGRATIONS_DATABASE_URL,
  );
  expect(ended).toBe(1);
  expect(await states()).toEqual({ sent: 'sent', unsent: 'paused' });
  expect(await lastNumbers(database)).toEqual(wanted);
  expect(skipped.map(({ first, last }) => last - first + 1).toSorted()).toEqual([2, 3]);
  expect(await nextId()).toBe(expectedId);
});

it('is marked by the role of the server, at a past time only', async () => {
  await expect(markRestored(database, new Date('yesterday'))).rejects.toThrow('is a past one');
  await expect(markRestored(database, new Date(Date.now() + 60_000))).rejects.toThrow('past');
  const marks = () => database.selectFrom('restores').select('restored_to').execute();
  expect(await marks()).toEqual([]);
  const server = openDatabase(own.settings.DATABASE_URL ?? '', () => undefined);
  const time = hourAgo();
  await markRestored(server, time).finally(() => server.destroy());
  expect(await marks()).toEqual([{ restored_to: time }]);
});
