import { crc32 } from 'node:zlib';
import { beforeAll, expect, it, vi } from 'vitest';
import { makeZip } from '#platform/core/make-zip.ts';
import { sql } from '#platform/database/sql.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { exportPaymentList } from '@diwan/contract/payments/payment-lists';
import {
  cancelReceiptRun,
  getReceiptRuns,
  startReceiptRun,
  type ReceiptRun,
} from '@diwan/contract/payments/receipt-runs';
import { downloadFile } from '@diwan/contract/requests/attachments';
import type { InvoiceKind } from '@diwan/contract/requests/payments';
import { recordRefund } from '@diwan/contract/requests/request-costs';
import { dayInDubai } from '@diwan/contract/wire/days';
import { eInvoicesOf } from '../invoices/invoice-document.ts';

const app = useTestApp({ RECEIPTS_IN_A_FILE: '2', PAYMENT_CHECK_SECONDS: '3' });
const stage = openRequestStage(app);
const today = dayInDubai(new Date());
const period = { from: today, until: today, kind: 'receipt' as const };

// Some payments of the demo are of today, by the time of the day: they come on another one.
beforeAll(async () => {
  const earlier = new Date('2024-01-01T00:00:00Z');
  await app.database.updateTable('payments').set({ created_at: earlier }).execute();
  await app.database.connection().execute(async (connection) => {
    // Events of payments are append-only.
    await sql`set session_replication_role = replica`.execute(connection);
    await connection.updateTable('payment_events').set({ occurred_at: earlier }).execute();
    await sql`set session_replication_role = origin`.execute(connection);
  });
});

const latest = async (): Promise<ReceiptRun> => {
  const { body } = await app.callAs('admin', getReceiptRuns, {});
  const [run] = body.runs;
  if (!run) throw new Error('There is no run');
  return run;
};
const untilDone = () =>
  vi.waitFor(async () => expect((await latest()).state).toBe('done'), {
    timeout: 100_000,
    interval: 100,
  });

/** The names in a ZIP, by its central directory, with the content of each checked by its sum. */
function readZip(zip: Buffer): string[] {
  const end = zip.length - 22;
  expect(zip.readUInt32LE(end)).toBe(0x06_05_4b_50);
  let at = zip.readUInt32LE(end + 16);
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    expect(zip.readUInt32LE(at)).toBe(0x02_01_4b_50);
    const [sum, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)];
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('ascii', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    expect(zip.toString('ascii', local + 30, local + 30 + nameLength)).toBe(name);
    const content = zip.subarray(local + 30 + nameLength, local + 30 + nameLength + size);
    expect(crc32(content)).toBe(sum);
    at += 46 + nameLength;
    return `${name} ${content.toString('latin1', 0, 5)}`;
  });
}

const download = async (username: string, filePath: string) =>
  app.server.inject({
    url: `${downloadFile.path}?filePath=${encodeURIComponent(filePath)}`,
    headers: { authorization: `Bearer ${await app.signIn(username)}` },
  });

const firstPayment = 100_000;

it('a period that ends before it begins is refused at its end', async () => {
  const { refused } = await app.callAs('admin', startReceiptRun, {
    body: { from: '2026-11-24', until: '2026-11-23' },
  });
  expect(refused.errors).toEqual({ until: ['The date must not be before 2026-11-24'] });
});

/** The receipts of the payments of this test. */
const receiptsOf = () =>
  app.database
    .selectFrom('invoices')
    .select(['id', 'number', 'payment_id'])
    .where('kind', '=', 'receipt')
    .where('payment_id', '>=', firstPayment)
    .orderBy('id')
    .execute();

it(
  'a run makes each receipt once, continues after a process that died, and is downloaded',
  { timeout: 240_000 },
  async () => {
    const empty = await app.callAs('admin', startReceiptRun, { body: period });
    expect(empty.refused.error).toBe('NoDocumentsInPeriod');
    await vi.waitFor(
      async () => {
        const { rows } = await sql`
          select
          from payments
          where status = 'paid'
            and invoiced_at is null`.execute(app.database);
        expect(rows).toEqual([]);
      },
      { timeout: 60_000 },
    );
    // In time a receipt has the id of its payment by chance.
    await sql`
      select setval(pg_get_serial_sequence('invoices', 'id'), ${firstPayment - 2}),
        setval(pg_get_serial_sequence('payments', 'id'), ${firstPayment - 1})`.execute(
      app.database,
    );
    for (let count = 0; count < 5; count += 1)
      await stage.pay((await stage.send('individual', paidService)).requestId);

    // Another process begins, makes one file and dies.
    const { body: started } = await app.callAs('admin', startReceiptRun, { body: period });
    expect(started.runs[0]).toMatchObject({
      state: 'running',
      total: 5,
      startedBy: 'Aisha Al Demo',
    });
    const again = await app.callAs('admin', startReceiptRun, { body: period });
    expect(again.refused.error).toBe('ReceiptRunIsRunning');
    await untilDone();
    const first = await latest();
    expect([first.done, first.parts.map(({ documents }) => documents)]).toEqual([5, [2, 2, 1]]);
    const receipts = await receiptsOf();
    expect(receipts).toHaveLength(5);
    expect(receipts[0]?.id).toBe(receipts[0]?.payment_id);
    await app.database.deleteFrom('receipt_run_parts').where('number', '>', 1).execute();
    const runs = app.database.updateTable('receipt_runs');
    const dead = '00000000-0000-4000-8000-000000000000';
    const last = receipts[1]?.id ?? 0;
    await runs
      .set({
        state: 'running',
        done: 2,
        last_document_id: last,
        worker: dead,
        worked_at: new Date(),
      })
      .execute();
    // Its lease lasts: nobody else works.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await latest()).toMatchObject({ state: 'running', done: 2 });
    await runs.set({ worked_at: new Date(Date.now() - 90_000) }).execute();
    await untilDone();
    const run = await latest();
    expect([run.done, run.parts.map(({ documents }) => documents)]).toEqual([5, [2, 2, 1]]);
    // The same receipts as before, none twice.
    expect(await receiptsOf()).toEqual(receipts);

    const names: string[] = [];
    for (const { filePath, size } of run.parts) {
      const { statusCode, rawPayload, headers } = await download('admin', filePath);
      expect([statusCode, headers['content-type'], rawPayload.length]).toEqual([
        200,
        'application/zip',
        size,
      ]);
      names.push(...readZip(rawPayload));
    }
    expect(names).toEqual(receipts.map(({ number }) => `${number}.pdf %PDF-`));
    expect((await download('employee', run.parts[0]?.filePath ?? '')).statusCode).toBe(404);
  },
);

it(
  'a run makes all documents of a period with their e-invoices, as the list has them',
  { timeout: 240_000 },
  async () => {
    const { requestId } = await stage.send('individual', paidService);
    await stage.pay(requestId);
    const refund = { requestId, amount: 100, reference: 'by hand' };
    await app.database
      .updateTable('requests')
      .set({ refundable: 100 })
      .where('id', '=', requestId)
      .execute();
    expect((await app.callAs('admin', recordRefund, { body: refund })).status).toBe(200);
    const body = { from: today, until: today, withXml: true };
    const { status } = await app.callAs('finance', startReceiptRun, { body });
    expect(status).toBe(200);
    await untilDone();
    const run = await latest();
    const issued = await app.database
      .selectFrom('invoices')
      .selectAll()
      .where(sql<boolean>`content -> 'transfer' ->> 'day' = ${today}`)
      .orderBy('id')
      .execute();
    expect(new Set(issued.map(({ kind }) => kind)).size).toBe(3);
    expect([run.total, run.done, run.withXml]).toEqual([issued.length, issued.length, true]);
    const names: string[] = [];
    for (const { filePath } of run.parts)
      names.push(...readZip((await download('admin', filePath)).rawPayload));
    expect(names).toEqual(
      issued.flatMap((row) => [
        `${row.number}.pdf %PDF-`,
        ...eInvoicesOf(row).map(({ name }) => `${name} <?xml`),
      ]),
    );
    expect(names.filter((name) => name.includes('.xml')).length).toBeGreaterThan(1);

    const listed = async (State?: InvoiceKind) => {
      const query = {
        ...({ List: 'documents', Format: 'csv', From: today, Until: today } as const),
        ...(State ? { State } : {}),
      };
      const reply = await app.callAs('finance', exportPaymentList, { query });
      expect([reply.status, reply.refused.error]).toEqual([200, undefined]);
      return String(reply.body).trim().split('\r\n').slice(1);
    };
    const rows = await listed();
    expect(rows.map((row) => row.split(',')[0]?.replaceAll('"', ''))).toEqual(
      issued.map(({ number }) => number),
    );
    expect(await listed('creditNote')).toEqual(
      rows.filter((_, index) => issued[index]?.kind === 'creditNote'),
    );
    expect((await listed('creditNote')).at(-1)).toMatch(/-1$/);
    const invoice = issued.find(({ kind }) => kind === 'invoice');
    const lines = invoice?.content.lines ?? [];
    const sum = (field: 'amount' | 'vat') =>
      lines.reduce((total, line) => total + line[field], 0) / 100;
    const row = rows.find((each) => each.includes(invoice?.number ?? '-')) ?? '';
    expect(row.endsWith(`,${sum('amount')},${sum('vat')},${(invoice?.total ?? 0) / 100}`)).toBe(
      true,
    );
  },
);

it('a cancelled run stops and keeps its finished files', async () => {
  const id = await app.idOf('admin');
  const { id: runId } = await app.database
    .insertInto('receipt_runs')
    .values({
      from_day: today,
      until_day: today,
      total: 5,
      created_by: id,
      creator_name: 'Aisha Al Demo',
      worker: '00000000-0000-4000-8000-000000000000',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { body } = await app.callAs('admin', cancelReceiptRun, { body: { runId } });
  expect(body.runs[0]).toMatchObject({ runId, state: 'cancelled', parts: [] });
  const unknown = await app.callAs('admin', cancelReceiptRun, { body: { runId: runId + 1000 } });
  expect(unknown.refused.error).toBe('NotFound');
});

it('a ZIP of nothing has an end', () => {
  expect(readZip(makeZip([]))).toEqual([]);
});
