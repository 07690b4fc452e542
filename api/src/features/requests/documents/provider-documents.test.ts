import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { downloadFile } from '@diwan/contract/requests/attachments';
import { returnRequest, updateRequest } from '@diwan/contract/requests/requests';
import * as calls from '@diwan/contract/requests/service-provider-attachments';
import {
  openRequestStage,
  paidService,
  words,
  type RequestStage,
} from '../../../testing/request-stage.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { sendProviderDocument } from '../../../testing/well-formed-finds.ts';

let app: TestApp;
let stage: RequestStage;
beforeAll(async () => {
  app = await openTestApp();
  stage = openRequestStage(app);
});
afterAll(() => app.close());

type Put = { attachmentId: string; title: string; isVisibleToApplicant?: boolean };
const put = async (
  username: string,
  RequestId: number,
  list: Put[],
  call:
    | typeof calls.createServiceProviderRequestAttachment
    | typeof calls.saveServiceProviderRequestAttachment = calls.createServiceProviderRequestAttachment,
) =>
  app.call(call, {
    token: await app.signIn(username),
    body: { RequestId, ServiceProviderRequestAttachments: list },
  });
const read = async (username: string, RequestId: number) =>
  app.call(calls.getAllServiceProviderRequestAttachmentsByRequestId, {
    token: await app.signIn(username),
    query: { RequestId },
  });
const titles = async (username: string, requestId: number) =>
  (await read(username, requestId)).body.map(({ title }) => title);
const open = async (username: string, filePath: string) =>
  (await app.call(downloadFile, { token: await app.signIn(username), query: { filePath } })).status;

describe('documents of staff and service provider', () => {
  it('are put on a request at any step; applicants see and open those that are meant for them', async () => {
    const { requestId } = await stage.sendAndApprove('individual', paidService);
    const [hidden, shown] = [
      await sendProviderDocument(app, 'supervisor', requestId),
      await sendProviderDocument(app, 'employee', requestId),
    ];
    expect(
      (await put('supervisor', requestId, [{ attachmentId: hidden, title: 'Inspection' }])).body,
    ).toMatchObject([
      { title: 'Inspection', isVisibleToApplicant: false, addedBy: 'Omar Al Demo' },
    ]);
    await put('employee', requestId, [
      { attachmentId: shown, title: 'تقرير المعاينة', isVisibleToApplicant: true },
    ]);
    expect(await titles('employee', requestId)).toEqual(['Inspection', 'تقرير المعاينة']);
    expect(await titles('individual', requestId)).toEqual(['تقرير المعاينة']);
    const [own] = (await read('individual', requestId)).body;
    expect(own).not.toHaveProperty('addedBy');
    expect(await open('individual', own?.filePath ?? '')).toBe(200);
    // What is hidden afterwards is opened no more, though the reference is still good.
    await put(
      'employee',
      requestId,
      [
        { attachmentId: hidden, title: 'Inspection' },
        { attachmentId: shown, title: 'Report' },
      ],
      calls.saveServiceProviderRequestAttachment,
    );
    expect(await open('individual', own?.filePath ?? '')).toBe(404);
    expect(await titles('individual', requestId)).toEqual([]);
    expect(await titles('supervisor', requestId)).toEqual(['Inspection', 'Report']);
    // They are no documents of the applicant, nor results.
    const { attachments } = (await stage.read('individual', requestId)).body;
    expect(attachments.map(({ attachmentId }) => attachmentId)).not.toContain(shown);
  });

  it('stay when the request is mended, which takes the place of the applicant’s own alone', async () => {
    const sent = await stage.sendAndReceive('individual');
    const attachmentId = await sendProviderDocument(app, 'employee', sent.requestId);
    await put('employee', sent.requestId, [{ attachmentId, title: 'Notes' }]);
    await stage.act('employee', returnRequest, {
      requestId: sent.requestId,
      requestHistoryRejectionReasonsList: [1],
      ...words,
    });
    const mend = (attachmentIds: string[]) =>
      stage.act('individual', updateRequest, {
        requestId: sent.requestId,
        answers: sent.answers,
        attachmentIds,
      });
    expect((await mend([...sent.attachmentIds, attachmentId])).status).toBe(400);
    expect((await mend(sent.attachmentIds)).status).toBe(200);
    expect(await titles('employee', sent.requestId)).toEqual(['Notes']);
  });

  it('are added once however often it is asked, and no more than twenty', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const attachmentId = await sendProviderDocument(app, 'employee', requestId);
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        put('employee', requestId, [
          { attachmentId, title: 'Once' },
          { attachmentId, title: 'Once' },
        ]),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await titles('employee', requestId)).toEqual(['Once']);
    const more = [];
    for (let index = 0; index < 20; index += 1)
      more.push({
        attachmentId: await sendProviderDocument(app, 'employee', requestId),
        title: `Number ${index}`,
      });
    expect((await put('employee', requestId, more)).refused.error).toBe('AttachmentCountExceeded');
    expect(await titles('employee', requestId)).toEqual(['Once']);
  });

  it('are changed by clerks, and by a provider only where its own people added them', async () => {
    const { requestId } = await stage.sendAndApprove('individual', paidService);
    const [ours, theirs] = [
      await sendProviderDocument(app, 'employee', requestId),
      await sendProviderDocument(app, 'supervisor', requestId),
    ];
    await put('employee', requestId, [{ attachmentId: ours, title: 'Ours' }]);
    await put('supervisor', requestId, [{ attachmentId: theirs, title: 'Theirs' }]);
    expect(
      (
        await put(
          'supervisor',
          requestId,
          [{ attachmentId: theirs, title: 'Theirs' }],
          calls.saveServiceProviderRequestAttachment,
        )
      ).refused.error,
    ).toBe('AttachmentNotFound');
    expect(
      (
        await put(
          'supervisor',
          requestId,
          [
            { attachmentId: ours, title: 'Mine now' },
            { attachmentId: theirs, title: 'Theirs' },
          ],
          calls.saveServiceProviderRequestAttachment,
        )
      ).refused.error,
    ).toBe('AttachmentNotFound');
    expect(
      (
        await put(
          'supervisor',
          requestId,
          [{ attachmentId: ours, title: 'Ours' }],
          calls.saveServiceProviderRequestAttachment,
        )
      ).body.map(({ title }) => title),
    ).toEqual(['Ours']);
    expect(
      (await put('employee', requestId, [], calls.saveServiceProviderRequestAttachment)).body,
    ).toEqual([]);
  });
});

describe('what is refused', () => {
  it('are files of others, of another request, never sent, results, and requests that are not theirs', async () => {
    const { requestId } = await stage.sendAndApprove('individual', paidService);
    const other = await stage.sendAndApprove('individual', paidService);
    const mine = await sendProviderDocument(app, 'employee', requestId);
    for (const list of [
      [{ attachmentId: await sendProviderDocument(app, 'admin', requestId), title: 'x' }],
      [
        {
          attachmentId: await sendProviderDocument(app, 'employee', other.requestId),
          title: 'x',
        },
      ],
      [{ attachmentId: crypto.randomUUID(), title: 'x' }],
      [{ attachmentId: other.attachmentIds[0] ?? '', title: 'x' }],
    ])
      expect((await put('employee', requestId, list)).refused.error).toBe('AttachmentNotFound');
    expect((await put('supervisor2', requestId, [])).refused.error).toBe('RequestNotFound');
    for (const title of ['', '   ', 'x'.repeat(121)])
      expect((await put('employee', requestId, [{ attachmentId: mine, title }])).status).toBe(400);
    for (const username of ['individual2', 'company', 'supervisor2'])
      expect((await read(username, requestId)).refused.error).toBe('RequestNotFound');
    expect((await put('individual', requestId, [])).status).toBe(403);
  });
});
