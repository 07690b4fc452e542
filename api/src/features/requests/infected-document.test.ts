import { afterAll, beforeAll, expect, it } from 'vitest';
import { downloadFile } from '@diwan/contract/attachments';
import * as calls from '@diwan/contract/requests';
import { openDocuments } from '../../platform/document-intake.ts';
import { uploadRequired } from '../../testing/demo-request.ts';
import { freeService, openRequestStage, words, type RequestStage, type Sent } from '../../testing/request-stage.ts';
import { openTestHouse, type TestHouse } from '../../testing/test-house.ts';
import { arrivalOf } from '../attachments/attachment-content.ts';

let house: TestHouse;
let stage: RequestStage;
beforeAll(async () => {
  house = await openTestHouse();
  stage = openRequestStage(house);
});
afterAll(() => house.close());

// As if the scanner had been away when it was sent, and came back after that.
async function findHarm({ attachmentIds: [id = ''] }: Sent): Promise<void> {
  await house.database.updateTable('attachments').set({ scan_state: 'waiting' }).where('id', '=', id).execute();
  const parts = { ...(await openDocuments(house.database, house.config, { scanner: { scan: async () => ({ isClean: false, name: 'Test.Signature' }) } })), database: house.database, references: {} as never, catalogue: {} as never, unsentMegabytes: 1 };
  await arrivalOf(parts).scanWaiting();
}

it('a document that is found harmful after its request was sent: nobody opens it, a return asks for another, and the old one cannot stay', async () => {
  const sent = await stage.sendAndReceive('individual');
  const [infected = ''] = sent.attachmentIds;
  await findHarm(sent);
  for (const who of ['employee', 'individual']) {
    const document = (await stage.read(who, sent.requestId)).body.attachments.find(({ attachmentId }) => attachmentId === infected);
    expect(document?.scanState, who).toBe('infected');
    expect((await house.call(downloadFile, { token: await house.signIn(who), query: { filePath: document?.filePath ?? '' } })).refused.error, who).toBe('AttachmentInfected');
  }

  const before = await house.database.selectFrom('messages').select('id').where('request_id', '=', sent.requestId).execute();
  const returned = await stage.act('employee', calls.returnRequest, { requestId: sent.requestId, ...words });
  expect(returned.status).toBe(200);
  expect(returned.body.history.at(-1)?.marks).toEqual([{ field: 'attachments.identityDocument', attachmentId: infected, title: expect.any(String), message: expect.stringContaining('Something harmful was found in this file') }]);
  const told = await house.database.selectFrom('messages').select('body').where('request_id', '=', sent.requestId).where('channel', '=', 'email').where('id', 'not in', before.map(({ id }) => id)).execute();
  expect(told.map(({ body }) => body).join()).toMatch(/Something harmful was found|عُثر في هذا الملف على محتوى ضار/);

  const { version } = (await stage.read('individual', sent.requestId)).body;
  const mend = (attachmentIds: string[]) => stage.act('individual', calls.updateRequest, { requestId: sent.requestId, version, answers: sent.answers, attachmentIds, explanations: [{ field: 'attachments.identityDocument', attachmentId: infected, text: 'It is fine' }] });
  expect((await mend(sent.attachmentIds)).refused.errors?.['attachments.identityDocument']?.join()).toContain('Something harmful was found');
  const fresh = await uploadRequired(house, await house.signIn('individual'), await stage.findService(freeService));
  expect((await mend([...fresh.slice(0, 1), ...sent.attachmentIds.slice(1)])).status).toBe(200);
});

it('a document that staff marked themselves is marked once', async () => {
  const sent = await stage.sendAndReceive('individual');
  await findHarm(sent);
  const marks = [{ field: 'attachments.identityDocument', reasonId: 1 }];
  expect((await stage.act('employee', calls.returnRequest, { requestId: sent.requestId, marks })).body.history.at(-1)?.marks).toHaveLength(1);
});
