import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openFolderStore } from '#platform/files/stores/file-store-folder.ts';
import { findInconsistencies } from '#testing/load/consistency.ts';
import { smallPdf, smallPng } from '#testing/requests/demo-request.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as calls from '@diwan/contract/requests/attachments';
import { pruneUnused } from './attachments.actions.ts';

const app = useTestApp();
let token: string;
let port: number;
let serviceId: number;
let name: string;
let mediaTypes: readonly string[];
beforeAll(async () => {
  token = await app.signIn('individual');
  port = Number(new URL(await app.server.listen({ port: 0, host: '127.0.0.1' })).port);
  const service = await openRequestStage(app).findService(paidService);
  const rule = service.attachments.find(
    (candidate) =>
      candidate.mediaTypes.includes('application/pdf') &&
      candidate.mediaTypes.includes('image/png'),
  );
  [serviceId, name, mediaTypes] = [service.id, rule?.name ?? '', rule?.mediaTypes ?? []];
});

const filesFolder = () => join(app.config.DATA_DIR, 'files');
const incoming = () =>
  existsSync(join(filesFolder(), 'incoming')) ? readdirSync(join(filesFolder(), 'incoming')) : [];
const keptFile = (id: string) => join(filesFolder(), id.slice(0, 2), id);

async function announce(
  parts: Partial<{ fileName: string; mediaType: string; size: number }> = {},
): Promise<string> {
  const { body, refused } = await app.call(calls.createAttachment, {
    token,
    body: {
      serviceId,
      name,
      fileName: 'deed.pdf',
      mediaType: 'application/pdf',
      size: smallPdf.length,
      ...parts,
    },
  });
  if (!body.attachmentId) throw new Error(JSON.stringify(refused));
  return body.attachmentId;
}

const send = (attachmentId: string, content: Buffer) =>
  app.call(calls.uploadAttachment, { token, params: { attachmentId }, body: content });

/** An upload whose bytes the test writes step by step. */
function beginUpload(id: string, length: number) {
  const upload = request({
    port,
    method: 'PUT',
    path: `/api/Attachment/UploadAttachment${id}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
      'content-length': length,
    },
  });
  const status = new Promise<number>((resolve) =>
    upload
      .on('response', (response) => resolve(response.statusCode ?? 0))
      .on('error', () => resolve(0)),
  );
  return { upload, status };
}

describe('two parallel uploads of one announced file', () => {
  const paper = (letter: string) =>
    Buffer.concat([smallPdf.subarray(0, 9), Buffer.from(`%${letter}\n`), smallPdf.subarray(9)]);

  it.each([
    ['of the same size', paper('B'), 404],
    ['of another size', Buffer.concat([smallPdf, Buffer.from('a longer one')]), 400],
  ])('stores the first complete file; another %s does not change it', async (_, second, status) => {
    const id = await announce({ size: paper('A').length });
    const slow = beginUpload(id, second.length);
    slow.upload.write(second.subarray(0, 10));
    await expect.poll(() => incoming().length).toBeGreaterThan(0);
    expect((await send(id, paper('A'))).status).toBe(200);
    slow.upload.end(second.subarray(10));
    expect(await slow.status).toBe(status);
    expect(readFileSync(keptFile(id))).toEqual(paper('A'));
    expect(incoming()).toEqual([]);
    expect(
      await findInconsistencies(app.database, app.config.DATA_DIR).then((faults) =>
        faults.filter((fault) => fault.includes(id)),
      ),
    ).toEqual([]);
  });

  it('stay deleted when the file is deleted during the upload', async () => {
    const id = await announce();
    const slow = beginUpload(id, smallPdf.length);
    slow.upload.write(smallPdf.subarray(0, 10));
    await expect.poll(() => incoming().length).toBeGreaterThan(0);
    expect(
      (await app.call(calls.deleteAttachment, { token, params: { attachmentId: id } })).status,
    ).toBe(200);
    slow.upload.end(smallPdf.subarray(10));
    expect(await slow.status).toBe(404);
    expect(existsSync(keptFile(id))).toBe(false);
    expect(incoming()).toEqual([]);
  });

  it('leaves no partial file of an interrupted upload', async () => {
    const id = await announce();
    const { upload, status } = beginUpload(id, smallPdf.length);
    upload.write(smallPdf.subarray(0, 10));
    await expect.poll(() => incoming().length).toBe(1);
    upload.destroy();
    await status;
    await expect.poll(() => incoming()).toEqual([]);
    expect((await send(id, smallPdf)).status).toBe(200);
  });
});

it('deletes partial files of a crash with the unused files, but not those of running uploads', async () => {
  await send(await announce(), smallPdf);
  const [old, young] = ['old', 'young'].map((part) => join(filesFolder(), 'incoming', part)) as [
    string,
    string,
  ];
  await writeFile(old, 'half');
  await writeFile(young, 'half');
  await utimes(old, new Date(0), new Date(Date.now() - 25 * 3_600_000));
  await pruneUnused({ database: app.database, files: openFolderStore(filesFolder()) }, 30);
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
  await openFolderStore(filesFolder()).prune(new Date(Date.now() + 1000));
});

it('is announced for a request by its owner only', async () => {
  const stage = openRequestStage(app);
  const { requestId } = await stage.send('individual', paidService);
  const announceAs = (username: string) =>
    app.callAs(username, calls.createAttachment, {
      body: {
        serviceId,
        requestId,
        name,
        fileName: 'deed.pdf',
        mediaType: 'application/pdf',
        size: smallPdf.length,
      },
    });
  expect((await announceAs('individual2')).refused.error).toBe('RequestNotFound');
  expect((await announceAs('individual')).status).toBe(200);
});

it('treats an id in upper case as the same id', async () => {
  const id = await announce();
  expect((await send(id.toUpperCase(), smallPdf)).status).toBe(200);
  expect(existsSync(keptFile(id))).toBe(true);
});

describe('file names', () => {
  it.each([
    ['deed.pdf', smallPdf, 'deed.pdf'],
    ['DEED.PDF', smallPdf, 'DEED.PDF'],
    ['صك الملكية.pdf', smallPdf, 'صك الملكية.pdf'],
    ['invoice.html', smallPdf, 'invoice.html.pdf'],
    ['setup.exe', smallPdf, 'setup.exe.pdf'],
    ['photo.pdf', smallPng, 'photo.pdf.png'],
    ['deed\u202Efdp.exe', smallPdf, 'deedfdp.exe.pdf'],
    ['../../etc/passwd', smallPdf, '.._.._etc_passwd.pdf'],
    ['a\r\nset-cookie: b=c\t.pdf', smallPdf, 'aset-cookie: b=c.pdf'],
    ['C:\\paper.pdf', smallPdf, 'C:_paper.pdf'],
    ['\u200F\u202E', smallPdf, 'document.pdf'],
    [`${'ش'.repeat(250)}.html`, smallPdf, `${'ش'.repeat(250)}.pdf`],
  ])(
    '%j is stored as a name without hidden characters and with the right extension',
    async (fileName, content, stored) => {
      if (content === smallPng && !mediaTypes.includes('image/png')) return;
      const id = await announce({ fileName, size: content.length });
      const { body } = await send(id, content);
      expect(body.fileName).toBe(stored);
    },
  );

  it('cannot break out of the header', async () => {
    const stage = openRequestStage(app);
    const service = await stage.findService(paidService);
    const sent = await stage.send('individual', paidService);
    await app.database
      .updateTable('attachments')
      .set({ file_name: `it's "(a*b)"; filename=evil.exe.pdf` })
      .where('request_id', '=', sent.requestId)
      .execute();
    const filePath =
      (await stage.read('individual', sent.requestId)).body.attachments[0]?.filePath ?? '';
    const { headers } = await app.call(calls.downloadFile, { token, query: { filePath } });
    expect(service.attachments.length).toBeGreaterThan(0);
    expect(headers['content-disposition']).toBe(
      "attachment; filename*=UTF-8''it%27s%20%22%28a%2Ab%29%22%3B%20filename%3Devil.exe.pdf",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
  });
});

describe('results', () => {
  it('belong to the service of their request, whatever service is sent', async () => {
    const stage = openRequestStage(app);
    const { requestId } = await stage.sendAndReceive('individual');
    const employee = await app.signIn('employee');
    for (const named of [1, 999_999, 2_147_483_647]) {
      const { status, body } = await app.call(calls.createAttachment, {
        token: employee,
        body: {
          serviceId: named,
          requestId,
          name: 'result',
          fileName: 'a.pdf',
          mediaType: 'application/pdf',
          size: smallPdf.length,
        },
      });
      expect(status).toBe(200);
      const row = await app.database
        .selectFrom('attachments')
        .innerJoin('requests', 'requests.service_id', 'attachments.service_id')
        .select('attachments.id')
        .where('attachments.id', '=', body.attachmentId)
        .where('requests.id', '=', requestId)
        .execute();
      expect(row).toHaveLength(1);
    }
  });

  it('are refused when their file is missing from the storage', async () => {
    const stage = openRequestStage(app);
    const sent = await stage.send('individual', paidService);
    const files = openFolderStore(filesFolder());
    const [attachment] = (await stage.read('individual', sent.requestId)).body.attachments;
    await files.remove(attachment?.attachmentId ?? '');
    expect(
      (
        await app.call(calls.downloadFile, {
          token,
          query: { filePath: attachment?.filePath ?? '' },
        })
      ).refused.error,
    ).toBe('AttachmentNotFound');
  });
});

describe('an upload that is refused during the transfer', () => {
  const tooLarge = Buffer.concat([smallPdf, Buffer.alloc(12 * 1024 * 1024)]);

  it.each([
    ['that says how long it is', { 'content-length': tooLarge.length }],
    ['that does not', {}],
  ])('%s receives the reason', async (_, length) => {
    const id = await announce();
    const answer = await new Promise<string>((resolve) => {
      const upload = request({
        port,
        method: 'PUT',
        path: `/api/Attachment/UploadAttachment${id}`,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/octet-stream',
          ...length,
        },
      });
      upload
        .on('response', (response) => response.setEncoding('utf8').on('data', resolve))
        .on('error', (error) => resolve(error.message));
      upload.end(tooLarge);
    });
    expect(answer).toContain('AttachmentTooLarge');
    expect(incoming()).toEqual([]);
  });
});
