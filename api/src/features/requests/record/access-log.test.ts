import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import {
  freeService,
  messageTexts,
  openRequestStage,
  paidService,
} from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getAuditLog } from '@diwan/contract/portal/audit-log';
import { downloadFile, markAttachmentViewed } from '@diwan/contract/requests/attachments';
import { getRequestMessages } from '@diwan/contract/requests/messages';
import { getInvoicePathByRequestId } from '@diwan/contract/requests/payments';
import { getAllRejectionReasons } from '@diwan/contract/requests/rejection-reasons';
import { rejectRequest } from '@diwan/contract/requests/request-actions';
import { getRequestById } from '@diwan/contract/requests/requests';
import {
  getRequestReads,
  getUnusualReaders,
  giveReasonForReading,
  unusualReads,
  type ReadReason,
} from '@diwan/contract/staff/access-log';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';

const app = useTestApp();
const stage = openRequestStage(app);

const accessLog = async (username: string, RequestId: number) =>
  app.callAs(username, getRequestReads, { query: { RequestId } });

it('shows applicants the office, and admins the name, and records a repeated access once', async () => {
  const { requestId } = await stage.sendAndApprove('individual', paidService);
  await app.database
    .updateTable('requests')
    .set({ updated_at: new Date() })
    .where('id', '=', requestId)
    .execute();
  const before = (await accessLog('individual', requestId)).body.length;
  for (const username of ['employee2', 'employee2', 'supervisor', 'individual', 'admin'])
    await stage.read(username, requestId);
  const latest = (await accessLog('individual', requestId)).body.slice(0, 3);
  expect((await accessLog('individual', requestId)).body.length - before).toBe(3);
  expect(latest.map(({ readerKind, name }) => [readerKind, name])).toEqual([
    ['admin', ''],
    ['serviceProvider', ''],
    ['employee', ''],
  ]);
  expect(latest[1]?.office).toBe('Demo Business and Vehicle Services Centre');
  expect((await accessLog('admin', requestId)).body.slice(0, 3).map(({ name }) => name)).toEqual([
    'Aisha Al Demo',
    'Omar Al Demo',
    'Khalid Al Demo',
  ]);
  for (const language of ['ar-EG', 'ur-PK'] as const) {
    const { body } = await app.callAs('admin', getRequestReads, {
      query: { RequestId: requestId },
      language,
    });
    expect(body.slice(0, 3).map(({ name }) => name)).toEqual([
      'عائشة العرض',
      'عمر العرض',
      'خالد العرض',
    ]);
  }
});

it('records opened documents, and no access that was refused', async () => {
  const { requestId } = await stage.sendAndReceive('individual', paidService);
  const token = await app.signIn('employee');
  const record = (await app.call(getRequestById, { token, query: { RequestId: requestId } })).body;
  const document = record.attachments[0]!;
  expect(
    (await app.call(downloadFile, { token, query: { filePath: document.filePath } })).status,
  ).toBe(200);
  expect((await accessLog('individual', requestId)).body[0]).toMatchObject({
    readerKind: 'employee',
    documentName: document.fileName,
  });
  const count = (await accessLog('individual', requestId)).body.length;
  for (const username of ['supervisor2', 'individual2', 'company'])
    expect((await stage.read(username, requestId)).status).toBe(404);
  await app.callAs('admin', downloadFile, { query: { filePath: document.filePath } });
  expect((await accessLog('individual', requestId)).body.length).toBe(count);
});

it('shows staff who opened a document first and when, and its owner only that it was opened', async () => {
  const {
    requestId,
    attachmentIds: [requestAttachmentId = ''],
  } = await stage.sendAndApprove('individual', paidService);
  const open = async (username: string) =>
    (await app.callAs(username, markAttachmentViewed, { body: { requestAttachmentId } })).body;
  const first = await open('employee');
  expect(first).toMatchObject({
    requestAttachmentId,
    viewedBy: 'Mariam Al Demo',
    viewedAt: expect.stringMatching(/Z$/),
  });
  expect(await open('supervisor')).toEqual(first);
  const shownTo = async (username: string) =>
    (await stage.read(username, requestId)).body.attachments.find(
      ({ attachmentId }) => attachmentId === requestAttachmentId,
    );
  for (const username of ['employee2', 'supervisor', 'admin'])
    expect(await shownTo(username)).toMatchObject({
      isViewed: true,
      viewedBy: first.viewedBy,
      viewedAt: first.viewedAt,
    });
  const own = await shownTo('individual');
  expect([own?.isViewed, own?.viewedBy, own?.viewedAt]).toEqual([true, undefined, undefined]);
});

it.each(['individual2', 'company'])(
  '%s cannot read the access log of another request',
  async (username) => {
    const { requestId } = await stage.send('individual', paidService);
    expect((await accessLog(username, requestId)).refused.error).toBe('RequestNotFound');
  },
);

it('is append-only', async () => {
  const { requestId } = await stage.send('individual', paidService);
  await stage.read('employee2', requestId);
  await expect(
    app.database.deleteFrom('request_reads').where('request_id', '=', requestId).execute(),
  ).rejects.toThrow(/append-only|change/i);
  await expect(
    app.database
      .updateTable('request_reads')
      .set({ reader_name: 'nobody' })
      .where('request_id', '=', requestId)
      .execute(),
  ).rejects.toThrow();
});

it('is written before the reply: nothing is shown when it cannot be written', async () => {
  const { requestId } = await stage.send('individual', paidService);
  const token = await app.signIn('employee2');
  await app.database.schema.alterTable('request_reads').renameTo('request_reads_away').execute();
  try {
    expect(
      (await app.call(getRequestById, { token, query: { RequestId: requestId } })).status,
    ).toBe(500);
  } finally {
    await app.database.schema.alterTable('request_reads_away').renameTo('request_reads').execute();
  }
  expect((await app.call(getRequestById, { token, query: { RequestId: requestId } })).status).toBe(
    200,
  );
});

const completed = 9;

/** Makes every access to a request one of an hour ago. */
async function ageReads(requestId: number): Promise<void> {
  await inTransaction(app.database, async (transaction) => {
    await sql`alter table request_reads disable trigger user`.execute(transaction);
    await sql`
      update request_reads set at = at - interval '1 hour' where request_id = ${requestId}
    `.execute(transaction);
    await sql`alter table request_reads enable trigger user`.execute(transaction);
  });
}

describe('a request that is not work of the reader', () => {
  const close = async () => {
    const { requestId, requestNumber } = await stage.sendAndReceive('individual', freeService);
    await app.database
      .updateTable('requests')
      .set({ status_id: completed, holder_id: null, came_to_provider: true })
      .where('id', '=', requestId)
      .execute();
    return { requestId, requestNumber };
  };
  const open = (username: string, RequestId: number) =>
    app.callAs(username, getRequestById, { query: { RequestId } });
  const give = (username: string, body: BodyInputOf<typeof giveReasonForReading>) =>
    app.callAs(username, giveReasonForReading, { body });

  it.each(['employee2', 'supervisor2', 'admin', 'finance', 'auditor'])(
    'is opened by %s with a reason only, which the applicant reads',
    async (username) => {
      const { requestId } = await close();
      const before = (await accessLog('individual', requestId)).body.length;
      const refused = await open(username, requestId);
      expect([refused.status, refused.refused.error]).toEqual([400, 'ReasonForReadingRequired']);
      expect(refused.refused).not.toHaveProperty('answers');
      expect((await accessLog('individual', requestId)).body.length).toBe(before);
      const given = await give(username, { requestId, reason: 'other', reasonText: 'short' });
      expect(Object.keys(given.refused.errors ?? {})).toEqual(['reasonText']);
      const reasonText = 'The court asked about the tenant';
      expect((await give(username, { requestId, reason: 'other', reasonText })).status).toBe(200);
      expect((await open(username, requestId)).status).toBe(200);
      const { body } = await accessLog('individual', requestId);
      expect(body.length - before).toBe(1);
      expect(body[0]).toMatchObject({ reason: 'other', reasonText });
    },
  );

  it('needs a reason again after an hour', async () => {
    const { requestId } = await close();
    await give('admin', { requestId, reason: 'audit' });
    expect((await open('admin', requestId)).status).toBe(200);
    await ageReads(requestId);
    expect((await open('admin', requestId)).refused.error).toBe('ReasonForReadingRequired');
  });

  it('is opened by its number, which must be the right one', async () => {
    const { requestId, requestNumber } = await close();
    const other = await stage.send('individual', freeService);
    for (const number of [undefined, '', 'DW-2026-000000', other.requestNumber])
      expect(
        (await give('admin', { requestId, reason: 'number', requestNumber: number })).refused.error,
      ).toBe('RequestNotFound');
    await give('admin', { requestId, reason: 'number', requestNumber });
    expect((await open('admin', requestId)).status).toBe(200);
  });

  it('shows no document, invoice or message without a reason', async () => {
    const { requestId } = await stage.sendAndReceive('individual', paidService);
    const token = await app.signIn('employee');
    const record = await app.call(getRequestById, { token, query: { RequestId: requestId } });
    const { filePath } = record.body.attachments[0]!;
    await app.database
      .updateTable('requests')
      .set({ status_id: completed, holder_id: null })
      .where('id', '=', requestId)
      .execute();
    await ageReads(requestId);
    const file = await app.call(downloadFile, { token, query: { filePath } });
    const messages = await app.call(getRequestMessages, { token, query: { RequestId: requestId } });
    const path = await app.call(getInvoicePathByRequestId, {
      token,
      query: { RequestId: requestId },
    });
    for (const { refused } of [file, messages, path])
      expect(refused.error).toBe('ReasonForReadingRequired');
  });

  it.each(['employee2', 'supervisor'])('needs none of %s while it is open', async (username) => {
    const { requestId } = await stage.sendAndApprove('individual', paidService);
    expect((await open(username, requestId)).status).toBe(200);
  });

  it('needs none of who holds it, or acted on it a moment ago', async () => {
    const { requestId } = await stage.sendAndReceive('individual', freeService);
    await stage.performAction('admin', rejectRequest, {
      requestId,
      requestHistoryRejectionReasonId: (await app.callAs('admin', getAllRejectionReasons, {}))
        .body[0]!.id,
      ...messageTexts,
    });
    expect((await open('admin', requestId)).status).toBe(200);
  });

  it('cannot be explained by who may not see it', async () => {
    const { requestId } = await close();
    expect((await give('employee-moi', { requestId, reason: 'audit' })).refused.error).toBe(
      'RequestNotFound',
    );
    expect((await give('individual2', { requestId, reason: 'audit' })).status).toBe(403);
  });
});

describe('unusual reading', () => {
  const day = todayInDubai();
  const readers = async (username: string, query = { From: day, Until: day }) =>
    app.callAs(username, getUnusualReaders, { query });
  /** Records that somebody opened requests `minutes` ago. */
  async function recordReads(
    username: string,
    requestIds: readonly number[],
    { minutes = 0, reason = null as ReadReason | null },
  ) {
    const reader_id = await app.idOf(username);
    await app.database
      .insertInto('request_reads')
      .values(
        requestIds.map((request_id) => ({
          request_id,
          reader_id,
          reader_name: username,
          reader_kind: 'employee' as const,
          reason,
          at: new Date(Date.now() - minutes * 60_000),
        })),
      )
      .execute();
  }
  const someRequests = async (count: number, ofOnePerson = false) => {
    const own = ofOnePerson ? await app.idOf('individual') : undefined;
    const rows = await app.database
      .selectFrom('requests')
      .select(['id', 'user_id'])
      .$if(own !== undefined, (query) => query.where('user_id', '=', own!))
      .limit(count)
      .execute();
    expect(rows).toHaveLength(count);
    return rows.map(({ id }) => id);
  };

  it('lists who opened many records of one person without work, and not one less', async () => {
    const ids = await someRequests(unusualReads.ofOnePerson, true);
    await recordReads('employee-rta', ids.slice(1), { reason: 'enquiry' });
    const found = async () =>
      (await readers('admin')).body.find(({ username }) => username === 'employee-rta');
    expect(await found()).toBeUndefined();
    await recordReads('employee-rta', ids.slice(0, 1), { reason: 'audit' });
    expect(await found()).toMatchObject({
      day,
      records: unusualReads.ofOnePerson,
      ofOnePerson: unusualReads.ofOnePerson,
      personName: expect.stringMatching(/./),
    });
  });

  it('lists who opened many records within an hour, also across the hour', async () => {
    const ids = await someRequests(unusualReads.anHour / 2);
    await recordReads('employee-moi', ids, { minutes: 50 });
    await recordReads('employee-moi', ids.slice(1), { minutes: 5 });
    const found = async () =>
      (await readers('auditor')).body.find(({ username }) => username === 'employee-moi');
    expect(await found()).toBeUndefined();
    await recordReads('employee-moi', ids.slice(0, 1), { minutes: 4 });
    expect(await found()).toMatchObject({ anHour: unusualReads.anHour, personName: '' });
  });

  it('refuses days in the wrong order and more than a month', async () => {
    for (const query of [
      { From: day, Until: dayAfter(day, -1) },
      { From: dayAfter(day, -31), Until: day },
    ])
      expect(Object.keys((await readers('admin', query)).refused.errors ?? {})).toEqual(['Until']);
  });

  it('is in the audit log with the reason', async () => {
    const [requestId = 0] = await someRequests(1);
    await giveReasonAs('auditor', requestId);
    const { body } = await app.callAs('admin', getAuditLog, {
      query: { Kind: 'read', Username: 'auditor' },
    });
    expect(body.items[0]?.read).toMatchObject({ reason: 'audit', reasonText: 'Yearly audit' });
  });

  const giveReasonAs = (username: string, requestId: number) =>
    app.callAs(username, giveReasonForReading, {
      body: { requestId, reason: 'audit', reasonText: 'Yearly audit' },
    });
});
