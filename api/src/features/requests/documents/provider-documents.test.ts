import { describe, expect, it } from 'vitest';
import { openRequestStage, paidService, messageTexts } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { sendProviderDocument } from '#testing/well-formed/request-lists.ts';
import { downloadFile } from '@diwan/contract/requests/attachments';
import * as calls from '@diwan/contract/requests/provider-documents';
import { returnRequest, updateRequest } from '@diwan/contract/requests/request-actions';

const app = useTestApp();
const stage = openRequestStage(app);

type Input = { attachmentId: string; title: string; isVisibleToApplicant?: boolean };
const save = async (
  username: string,
  RequestId: number,
  list: Input[],
  call:
    | typeof calls.createServiceProviderRequestAttachment
    | typeof calls.saveServiceProviderRequestAttachment = calls.createServiceProviderRequestAttachment,
) => app.callAs(username, call, { body: { RequestId, ServiceProviderRequestAttachments: list } });
const read = async (username: string, RequestId: number) =>
  app.callAs(username, calls.getAllServiceProviderRequestAttachmentsByRequestId, {
    query: { RequestId },
  });
const titles = async (username: string, requestId: number) =>
  (await read(username, requestId)).body.map(({ title }) => title);
const open = async (username: string, filePath: string) =>
  (await app.callAs(username, downloadFile, { query: { filePath } })).status;

describe('documents of staff and service providers', () => {
  it('can be added in any status, and applicants see and open the visible ones', async () => {
    const { requestId } = await stage.sendAndApprove('individual', paidService);
    const [hidden, shown] = [
      await sendProviderDocument(app, 'supervisor', requestId),
      await sendProviderDocument(app, 'employee', requestId),
    ];
    expect(
      (await save('supervisor', requestId, [{ attachmentId: hidden, title: 'Inspection' }])).body,
    ).toMatchObject([
      { title: 'Inspection', isVisibleToApplicant: false, addedBy: 'Omar Al Demo' },
    ]);
    await save('employee', requestId, [
      { attachmentId: shown, title: 'تقرير المعاينة', isVisibleToApplicant: true },
    ]);
    expect(await titles('employee', requestId)).toEqual(['Inspection', 'تقرير المعاينة']);
    expect(await titles('individual', requestId)).toEqual(['تقرير المعاينة']);
    const [own] = (await read('individual', requestId)).body;
    expect(own).not.toHaveProperty('addedBy');
    expect(await open('individual', own?.filePath ?? '')).toBe(200);
    // A document that becomes hidden cannot be opened by an earlier reference.
    await save(
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
    // They are neither documents of the applicant nor results.
    const { attachments } = (await stage.read('individual', requestId)).body;
    expect(attachments.map(({ attachmentId }) => attachmentId)).not.toContain(shown);
  });

  it('stay when the applicant corrects the request', async () => {
    const sent = await stage.sendAndReceive('individual');
    const attachmentId = await sendProviderDocument(app, 'employee', sent.requestId);
    await save('employee', sent.requestId, [{ attachmentId, title: 'Notes' }]);
    await stage.performAction('employee', returnRequest, {
      requestId: sent.requestId,
      requestHistoryRejectionReasonsList: [1],
      ...messageTexts,
    });
    const correct = (attachmentIds: string[]) =>
      stage.performAction('individual', updateRequest, {
        requestId: sent.requestId,
        answers: sent.answers,
        attachmentIds,
      });
    expect((await correct([...sent.attachmentIds, attachmentId])).status).toBe(400);
    expect((await correct(sent.attachmentIds)).status).toBe(200);
    expect(await titles('employee', sent.requestId)).toEqual(['Notes']);
  });

  it('are added once by repeated calls, and up to twenty', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const attachmentId = await sendProviderDocument(app, 'employee', requestId);
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        save('employee', requestId, [
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
    expect((await save('employee', requestId, more)).refused.error).toBe('AttachmentCountExceeded');
    expect(await titles('employee', requestId)).toEqual(['Once']);
  });

  it('are changed by the portal’s staff, and by providers only for their own partner', async () => {
    const { requestId } = await stage.sendAndApprove('individual', paidService);
    const [ours, theirs] = [
      await sendProviderDocument(app, 'employee', requestId),
      await sendProviderDocument(app, 'supervisor', requestId),
    ];
    await save('employee', requestId, [{ attachmentId: ours, title: 'Ours' }]);
    await save('supervisor', requestId, [{ attachmentId: theirs, title: 'Theirs' }]);
    expect(
      (
        await save(
          'supervisor',
          requestId,
          [{ attachmentId: theirs, title: 'Theirs' }],
          calls.saveServiceProviderRequestAttachment,
        )
      ).refused.error,
    ).toBe('AttachmentNotFound');
    expect(
      (
        await save(
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
        await save(
          'supervisor',
          requestId,
          [{ attachmentId: ours, title: 'Ours' }],
          calls.saveServiceProviderRequestAttachment,
        )
      ).body.map(({ title }) => title),
    ).toEqual(['Ours']);
    expect(
      (await save('employee', requestId, [], calls.saveServiceProviderRequestAttachment)).body,
    ).toEqual([]);
  });
});

describe('refused documents', () => {
  it('are files of others, of other requests, not uploaded, and those for requests of others', async () => {
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
      expect((await save('employee', requestId, list)).refused.error).toBe('AttachmentNotFound');
    expect((await save('supervisor2', requestId, [])).refused.error).toBe('RequestNotFound');
    for (const title of ['', '   ', 'x'.repeat(121)])
      expect((await save('employee', requestId, [{ attachmentId: mine, title }])).status).toBe(400);
    for (const username of ['individual2', 'company', 'supervisor2'])
      expect((await read(username, requestId)).refused.error).toBe('RequestNotFound');
    expect((await save('individual', requestId, [])).status).toBe(403);
  });
});
