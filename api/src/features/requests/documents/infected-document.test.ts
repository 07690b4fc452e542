import { afterAll, beforeAll, expect, it } from 'vitest';
import { downloadFile } from '@diwan/contract/requests/attachments';
import * as calls from '@diwan/contract/requests/requests';
import type { Transaction } from '../../../platform/database/database.ts';
import { openDocuments } from '../../../platform/files/document-intake.ts';
import { refusalText } from '../../../platform/core/texts.ts';
import { uploadRequired } from '../../../testing/demo-request.ts';
import {
  freeService,
  openRequestStage,
  paidService,
  words,
  type RequestStage,
  type Sent,
} from '../../../testing/request-stage.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { arrivalOf } from '../../attachments/attachment-content.ts';
import { openNotices, readMessageWords } from '../../messages/notices.actions.ts';
import { tellInfected } from './tell-infected.ts';

let app: TestApp;
let stage: RequestStage;
beforeAll(async () => {
  app = await openTestApp();
  stage = openRequestStage(app);
});
afterAll(() => app.close());

type Tell = (transaction: Transaction, requestId: number) => Promise<void>;

// As if the scanner had been away when it was sent, and came back after that.
async function findHarm(
  { attachmentIds: [id = ''] }: Pick<Sent, 'attachmentIds'>,
  tell?: Tell,
): Promise<void> {
  const notices = openNotices(
    await readMessageWords(app.config),
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
  // Last of all: the house itself has no scanner, and lets nothing wait for one for long.
  await app.database
    .updateTable('attachments')
    .set({ scan_state: 'waiting' })
    .where('id', '=', id)
    .execute();
  const tellOf: Tell =
    tell ?? ((transaction, requestId) => tellInfected({ notices }, transaction, requestId));
  await arrivalOf({
    ...documents,
    database: app.database,
    references: {} as never,
    catalogue: {} as never,
    tellInfected: tellOf,
  }).scanWaiting();
}

it('a document that is found harmful after its request was sent: nobody opens it, a return asks for another, and the old one cannot stay', async () => {
  const sent = await stage.sendAndReceive('individual');
  const [infected = ''] = sent.attachmentIds;
  await findHarm(sent);
  for (const who of ['employee', 'individual']) {
    const document = (await stage.read(who, sent.requestId)).body.attachments.find(
      ({ attachmentId }) => attachmentId === infected,
    );
    expect(document?.scanState, who).toBe('infected');
    expect(
      (
        await app.call(downloadFile, {
          token: await app.signIn(who),
          query: { filePath: document?.filePath ?? '' },
        })
      ).refused.error,
      who,
    ).toBe('AttachmentInfected');
  }

  const before = await app.database
    .selectFrom('messages')
    .select('id')
    .where('request_id', '=', sent.requestId)
    .execute();
  const returned = await stage.act('employee', calls.returnRequest, {
    requestId: sent.requestId,
    ...words,
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
  const told = await app.database
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
  expect(told.map(({ body }) => body).join()).toContain(refusalText('AttachmentInfected', 'en-US'));

  const { version } = (await stage.read('individual', sent.requestId)).body;
  const mend = (attachmentIds: string[]) =>
    stage.act('individual', calls.updateRequest, {
      requestId: sent.requestId,
      version,
      answers: sent.answers,
      attachmentIds,
      explanations: [
        { field: 'attachments.identityDocument', attachmentId: infected, text: 'It is fine' },
      ],
    });
  expect(
    (await mend(sent.attachmentIds)).refused.errors?.['attachments.identityDocument']?.join(),
  ).toMatch(/harmful/i);
  const fresh = await uploadRequired(
    app,
    await app.signIn('individual'),
    await stage.findService(freeService),
  );
  expect((await mend([...fresh.slice(0, 1), ...sent.attachmentIds.slice(1)])).status).toBe(200);
});

it('a document that staff marked themselves is marked once', async () => {
  const sent = await stage.sendAndReceive('individual');
  await findHarm(sent);
  const marks = [{ field: 'attachments.identityDocument', reasonId: 1 }];
  expect(
    (
      await stage.act('employee', calls.returnRequest, { requestId: sent.requestId, marks })
    ).body.history.at(-1)?.marks,
  ).toHaveLength(1);
});

it('the applicant is told once of all that was found within a minute, by its titles; of what a draft holds nobody is', async () => {
  const sent = await stage.send('individual', paidService);
  expect(sent.attachmentIds.length).toBeGreaterThan(1);
  for (const id of sent.attachmentIds) await findHarm({ attachmentIds: [id] });
  const told = await app.database
    .selectFrom('messages')
    .selectAll()
    .where('request_id', '=', sent.requestId)
    .where('news', '=', 'documentInfected')
    .orderBy('channel')
    .execute();
  expect(
    told.map(({ channel, state, due_at: at }) => [
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
  expect(told[0]?.body).toContain(`:\n${titles.map((title) => `- ${title}`).join('\n')}`);
  expect(told[0]?.subject).toContain(sent.requestNumber);

  const unsent = await uploadRequired(
    app,
    await app.signIn('individual'),
    await stage.findService(freeService),
  );
  const count = async () =>
    (await app.database.selectFrom('messages').select('id').execute()).length;
  const before = await count();
  await findHarm({ attachmentIds: unsent });
  expect(await count()).toBe(before);
});

it('that a process found harmful and could not write down is found by the next one, and keeps nothing behind it waiting', async () => {
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
    findHarm(sent, () => Promise.reject(new Error('the database went away'))),
  ).rejects.toThrow('the database went away');
  expect(await state()).toBe('waiting');
  await findHarm(sent);
  expect(await state()).toBe('infected');
});
