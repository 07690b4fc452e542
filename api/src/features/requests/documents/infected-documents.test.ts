import { expect, it } from 'vitest';
import { openAttachmentUploads } from '#features/attachments/attachments.actions.ts';
import { openNotifier } from '#features/messages/notifications.actions.ts';
import { refusalText } from '#platform/core/locale-texts.ts';
import type { Transaction } from '#platform/database/database.ts';
import { openDocuments } from '#platform/files/document-intake.ts';
import { uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import {
  freeService,
  openRequestStage,
  paidService,
  messageTexts,
  type SentRequest,
} from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { downloadFile } from '@diwan/contract/requests/attachments';
import * as calls from '@diwan/contract/requests/request-actions';
import { notifyInfected } from './infected-documents.ts';

const app = useTestApp();
const stage = openRequestStage(app);

type Notify = (transaction: Transaction, requestId: number) => Promise<void>;

// Acts as a scanner that was unavailable when the request was sent and is available now.
async function scanAsInfected(
  { attachmentIds: [id = ''] }: Pick<SentRequest, 'attachmentIds'>,
  notify?: Notify,
): Promise<void> {
  const notifier = await openNotifier(
    app.config,
    'https://diwan.example',
    (number) => `https://diwan.example/requests?request=${number}`,
  );
  const documents = await openDocuments(app.database, app.config, {
    scanner: {
      scan: async (content) => {
        content.resume();
        return { isClean: false, name: 'Test.Signature' };
      },
    },
  });
  // At the end, since the app has no scanner and soon accepts documents that wait for one.
  await app.database
    .updateTable('attachments')
    .set({ scan_state: 'waiting' })
    .where('id', '=', id)
    .execute();
  const notifyOrDefault: Notify =
    notify ?? ((transaction, requestId) => notifyInfected({ notifier }, transaction, requestId));
  await openAttachmentUploads({
    ...documents,
    database: app.database,
    references: {} as never,
    catalogue: {} as never,
    notifyInfected: notifyOrDefault,
  }).scanWaiting();
}

it('a document found infected after its request was sent cannot be opened and must be replaced', async () => {
  const sent = await stage.sendAndReceive('individual');
  const [infected = ''] = sent.attachmentIds;
  await scanAsInfected(sent);
  for (const who of ['employee', 'individual']) {
    const document = (await stage.read(who, sent.requestId)).body.attachments.find(
      ({ attachmentId }) => attachmentId === infected,
    );
    expect(document?.scanState, who).toBe('infected');
    expect(
      (await app.callAs(who, downloadFile, { query: { filePath: document?.filePath ?? '' } }))
        .refused.error,
      who,
    ).toBe('AttachmentInfected');
  }

  const before = await app.database
    .selectFrom('messages')
    .select('id')
    .where('request_id', '=', sent.requestId)
    .execute();
  const returned = await stage.performAction('employee', calls.returnRequest, {
    requestId: sent.requestId,
    ...messageTexts,
  });
  expect(returned.status).toBe(200);
  expect(returned.body.history.at(-1)?.marks).toEqual([
    {
      field: 'attachments.identityDocument',
      attachmentId: infected,
      title: expect.any(String),
      message: refusalText('AttachmentInfected', 'en-US'),
    },
  ]);
  const messages = await app.database
    .selectFrom('messages')
    .select('body')
    .where('request_id', '=', sent.requestId)
    .where('channel', '=', 'email')
    .where(
      'id',
      'not in',
      before.map(({ id }) => id),
    )
    .execute();
  expect(messages.map(({ body }) => body).join()).toContain(
    refusalText('AttachmentInfected', 'en-US'),
  );

  const { version } = (await stage.read('individual', sent.requestId)).body;
  const correct = (attachmentIds: string[]) =>
    stage.performAction('individual', calls.updateRequest, {
      requestId: sent.requestId,
      version,
      answers: sent.answers,
      attachmentIds,
      explanations: [
        { field: 'attachments.identityDocument', attachmentId: infected, text: 'It is fine' },
      ],
    });
  expect(
    (await correct(sent.attachmentIds)).refused.errors?.['attachments.identityDocument']?.join(),
  ).toMatch(/harmful/i);
  const replacements = await uploadRequiredDocuments(
    app,
    await app.signIn('individual'),
    await stage.findService(freeService),
  );
  expect(
    (await correct([...replacements.slice(0, 1), ...sent.attachmentIds.slice(1)])).status,
  ).toBe(200);
});

it('an infected document that staff marked is marked once', async () => {
  const sent = await stage.sendAndReceive('individual');
  await scanAsInfected(sent);
  const marks = [{ field: 'attachments.identityDocument', reasonId: 1 }];
  expect(
    (
      await stage.performAction('employee', calls.returnRequest, {
        requestId: sent.requestId,
        marks,
      })
    ).body.history.at(-1)?.marks,
  ).toHaveLength(1);
});

it('one notification lists all infected documents of a minute, and documents of drafts cause none', async () => {
  const sent = await stage.send('individual', paidService);
  expect(sent.attachmentIds.length).toBeGreaterThan(1);
  for (const id of sent.attachmentIds) await scanAsInfected({ attachmentIds: [id] });
  const messages = await app.database
    .selectFrom('messages')
    .selectAll()
    .where('request_id', '=', sent.requestId)
    .where('news', '=', 'documentInfected')
    .orderBy('channel')
    .execute();
  expect(
    messages.map(({ channel, state, due_at: at }) => [
      channel,
      state,
      at.getTime() > Date.now() + 30_000,
    ]),
  ).toEqual([
    ['email', 'waiting', true],
    ['sms', 'waiting', true],
  ]);
  const titles = (await stage.read('individual', sent.requestId)).body.attachments.map(
    ({ title }) => title,
  );
  expect(messages[0]?.body).toContain(`:\n${titles.map((title) => `- ${title}`).join('\n')}`);
  expect(messages[0]?.subject).toContain(sent.requestNumber);

  const unsent = await uploadRequiredDocuments(
    app,
    await app.signIn('individual'),
    await stage.findService(freeService),
  );
  const count = async () =>
    (await app.database.selectFrom('messages').select('id').execute()).length;
  const before = await count();
  await scanAsInfected({ attachmentIds: unsent });
  expect(await count()).toBe(before);
});

it('an infected document is found again after the process that found it failed', async () => {
  const sent = await stage.sendAndReceive('individual');
  const state = async () =>
    (
      await app.database
        .selectFrom('attachments')
        .select('scan_state')
        .where('id', '=', sent.attachmentIds[0] ?? '')
        .executeTakeFirstOrThrow()
    ).scan_state;
  await expect(
    scanAsInfected(sent, () => Promise.reject(new Error('the database went away'))),
  ).rejects.toThrow('the database went away');
  expect(await state()).toBe('waiting');
  await scanAsInfected(sent);
  expect(await state()).toBe('infected');
});
