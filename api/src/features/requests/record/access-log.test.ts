import { expect, it } from 'vitest';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { downloadFile, markAttachmentViewed } from '@diwan/contract/requests/attachments';
import { getRequestById, getRequestReads } from '@diwan/contract/requests/requests';

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
