import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { makeAnswers, smallPdf, uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { openTestApp, useTestApp } from '#testing/test-app.ts';
import * as calls from '@diwan/contract/requests/attachments';
import {
  acceptRequest,
  createRequest,
  submittedRequest,
} from '@diwan/contract/requests/request-actions';

const app = useTestApp();
let token: string;
let base: string;
let serviceId: number;
let name: string;
let maximumBytes: number;
beforeAll(async () => {
  token = await app.signIn('individual');
  base = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const service = await openRequestStage(app).findService(paidService);
  const rule = service.attachments.find((candidate) =>
    candidate.mediaTypes.includes('application/pdf'),
  );
  [serviceId, name, maximumBytes] = [service.id, rule?.name ?? '', rule?.maximumBytes ?? 0];
});

const key = (index: number) => Buffer.from(String(index).padStart(6, '0')).toString('base64');
const put = async (
  url: string,
  what: string,
  body: Buffer | string,
  headers: Record<string, string> = {},
) =>
  (
    await fetch(`${base}${url}&${what}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream', ...headers },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
  ).status;
const putBlock = (url: string, index: number, body: Buffer) =>
  put(url, `comp=block&blockid=${encodeURIComponent(key(index))}`, body);
const putList = (url: string, indexes: readonly number[]) =>
  put(
    url,
    'comp=blocklist',
    `<?xml version="1.0"?><BlockList>${indexes.map((index) => `<Latest>${key(index)}</Latest>`).join('')}</BlockList>`,
    { 'content-type': 'text/plain' },
  );
const listed = async (url: string) =>
  [
    ...(
      await (await fetch(`${base}${url}&comp=blocklist&blocklisttype=uncommitted`)).text()
    ).matchAll(/<Name>([^<]+)</g),
  ].map(([, found]) => found);
const announce = async (size: number, as = token) =>
  (
    await app.call(calls.createAttachment, {
      token: as,
      body: { serviceId, name, fileName: 'deed.pdf', mediaType: 'application/pdf', size },
    })
  ).body;
const complete = (attachmentId: string, as = token) =>
  app.call(calls.completeAttachment, { token: as, params: { attachmentId } });
const storedPath = (id: string) => join(app.config.DATA_DIR, 'files', id.slice(0, 2), id);
const incoming = () => {
  const folder = join(app.config.DATA_DIR, 'files', 'incoming');
  return existsSync(folder) ? readdirSync(folder) : [];
};

const large = Buffer.concat([
  smallPdf.subarray(0, 9),
  Buffer.alloc(2_500_000, '%paper\n'),
  Buffer.from('\n'),
  smallPdf.subarray(9),
]);
const pieces = [
  large.subarray(0, 1_048_576),
  large.subarray(1_048_576, 2_097_152),
  large.subarray(2_097_152),
];

describe('a file uploaded in blocks', () => {
  it('is available once it is complete: blocks in any order, one twice, with a list of received blocks', async () => {
    const { attachmentId, upload } = await announce(large.length);
    for (const index of [2, 0])
      expect(await putBlock(upload.url, index, pieces[index] as Buffer)).toBe(201);
    expect((await listed(upload.url)).sort()).toEqual([key(0), key(2)]);
    expect(await putBlock(upload.url, 1, Buffer.from('half'))).toBe(201);
    expect(await putBlock(upload.url, 1, pieces[1] as Buffer)).toBe(201);
    expect((await complete(attachmentId)).refused.error).toBe('AttachmentIncomplete');
    expect(await putList(upload.url, [0, 1, 2])).toBe(201);
    const { filePath, ...body } = (await complete(attachmentId)).body;
    expect(body).toMatchObject({
      attachmentId,
      fileName: 'deed.pdf',
      mediaType: 'application/pdf',
      size: large.length,
      scanState: 'notScanned',
    });
    expect(readFileSync(storedPath(attachmentId))).toEqual(large);
    expect((await complete(attachmentId)).body).toMatchObject(body);
    expect(incoming()).toEqual([]);
    const download = (as: string) =>
      app.server.inject({
        url: `${calls.downloadFile.path}?filePath=${encodeURIComponent(filePath)}`,
        headers: { authorization: `Bearer ${as}` },
      });
    expect((await download(token)).rawPayload).toEqual(large);
    expect((await download(await app.signIn('individual2'))).statusCode).toBe(404);
  });

  it('is inspected once when five calls complete it in parallel', async () => {
    const { attachmentId, upload } = await announce(smallPdf.length);
    await putBlock(upload.url, 0, smallPdf);
    await putList(upload.url, [0]);
    expect(
      (await Promise.all([1, 2, 3, 4, 5].map(() => complete(attachmentId)))).map(
        ({ status }) => status,
      ),
    ).toEqual([200, 200, 200, 200, 200]);
  });

  it('cannot be changed by later blocks after a single upload', async () => {
    const { attachmentId, upload } = await announce(smallPdf.length);
    await putBlock(upload.url, 0, smallPdf);
    await putList(upload.url, [0]);
    const [answer] = await Promise.all([
      complete(attachmentId),
      putBlock(upload.url, 0, Buffer.alloc(smallPdf.length, 7)).then(() =>
        putList(upload.url, [0]),
      ),
    ]);
    // The later blocks may arrive before the content is taken. Then they are inspected and refused.
    const isStored = existsSync(storedPath(attachmentId));
    expect(answer.status).toBe(isStored ? 200 : 400);
    if (isStored) expect(readFileSync(storedPath(attachmentId))).toEqual(smallPdf);

    const next = await announce(smallPdf.length);
    await putBlock(next.upload.url, 0, smallPdf);
    await putList(next.upload.url, [0]);
    expect((await complete(next.attachmentId)).status).toBe(200);
    await putBlock(next.upload.url, 0, Buffer.alloc(smallPdf.length, 7));
    await putList(next.upload.url, [0]);
    expect((await complete(next.attachmentId)).status).toBe(200);
    expect(readFileSync(storedPath(next.attachmentId))).toEqual(smallPdf);
  });

  it.each([
    ['fewer bytes than announced', [Buffer.from(smallPdf.subarray(0, 50))], 'AttachmentIncomplete'],
    ['another content', [Buffer.alloc(smallPdf.length, 'MZ')], 'AttachmentTypeNotAccepted'],
  ])('of %s is refused and deleted', async (_, blocks, error) => {
    const before = incoming();
    const { attachmentId, upload } = await announce(smallPdf.length);
    for (const [index, block] of blocks.entries()) await putBlock(upload.url, index, block);
    await putList(
      upload.url,
      blocks.map((_block, index) => index),
    );
    expect((await complete(attachmentId)).refused.error).toBe(error);
    expect(incoming()).toEqual(before);
    expect((await complete(attachmentId)).refused.error).toBe('AttachmentIncomplete');
  });
});

describe('bad blocks', () => {
  it('a list with a missing block, no blocks or a block of another upload changes nothing', async () => {
    const [one, other] = [await announce(smallPdf.length), await announce(smallPdf.length)];
    await putBlock(one.upload.url, 0, smallPdf);
    await putBlock(other.upload.url, 7, smallPdf);
    for (const list of [[0, 1], [], [7]]) expect(await putList(one.upload.url, list)).toBe(400);
    expect(await listed(one.upload.url)).toEqual([key(0)]);
    expect(await putList(one.upload.url, [0])).toBe(201);
  });

  it('more bytes than announced are refused, in one block, in many, and without a length', async () => {
    const { upload } = await announce(large.length);
    expect(await putBlock(upload.url, 0, Buffer.alloc(large.length + 1))).toBe(413);
    for (const index of [0, 1])
      expect(await putBlock(upload.url, index, pieces[index] as Buffer)).toBe(201);
    expect(await putBlock(upload.url, 2, pieces[1] as Buffer)).toBe(413);
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const answer = await fetch(
      `${base}${upload.url}&comp=block&blockid=${encodeURIComponent(key(3))}`,
      {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        body: endless,
        duplex: 'half',
      } as RequestInit,
    ).then(
      ({ status }) => status,
      () => 'cut',
    );
    expect([413, 'cut']).toContain(answer);
    // The buffers of client and server, which are both in this process.
    expect(sent).toBeLessThan(100_000_000);
    expect(await listed(upload.url)).toHaveLength(2);
  });

  it.each([
    [
      'an altered signature',
      (url: string) =>
        url.replace(/sig=(.)/, (_, first: string) => `sig=${first === '_' ? '-' : '_'}`),
    ],
    ['a larger limit', (url: string) => url.replace(/max=\d+/, 'max=999999999')],
    ['a later end', (url: string) => url.replace(/se=\d+/, 'se=9999999999')],
    ['another upload', (url: string) => url.replace(/storage\/........./, 'storage/00000000-')],
    ['no signature', (url: string) => url.replace(/\?.*/, '?')],
    ['a path', () => '/storage/..%2f..%2fetc?se=1&max=1&sig=x'],
  ])('an address with %s accepts nothing', async (_, change) => {
    const { upload } = await announce(smallPdf.length);
    expect(await putBlock(change(upload.url), 0, smallPdf)).toBe(403);
    expect((await fetch(`${base}${change(upload.url)}&comp=blocklist`)).status).toBe(403);
  });

  it.each(['', '..', '../../x', 'a b', 'ä', `${'A'.repeat(100)}`, '%00'])(
    'a block called %j is refused',
    async (blockid) => {
      const { upload } = await announce(smallPdf.length);
      expect(await put(upload.url, `comp=block&blockid=${blockid}`, smallPdf)).toBe(400);
    },
  );

  it('any other operation is refused', async () => {
    const { upload } = await announce(smallPdf.length);
    expect(await put(upload.url, '', smallPdf)).toBe(400);
    expect((await fetch(`${base}${upload.url}`)).status).toBe(400);
    expect(await put(upload.url, 'comp=blocklist', 'x'.repeat(300_000))).toBe(413);
  });
});

describe('an upload address', () => {
  it('expires, and a renewed one continues the upload', async () => {
    const short = await openTestApp({ UPLOAD_ADDRESS_SECONDS: '60' });
    try {
      const own = await short.signIn('individual');
      const { body } = await short.call(calls.createAttachment, {
        token: own,
        body: {
          serviceId,
          name,
          fileName: 'deed.pdf',
          mediaType: 'application/pdf',
          size: smallPdf.length,
        },
      });
      const at = (url: string, rest: string, payload: Buffer | string) =>
        short.server.inject({
          method: 'PUT',
          url: `${url}&${rest}`,
          headers: { 'content-type': 'application/octet-stream' },
          payload,
        });
      expect(
        (await at(body.upload.url, `comp=block&blockid=${encodeURIComponent(key(0))}`, smallPdf))
          .statusCode,
      ).toBe(201);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
      expect(
        (await at(body.upload.url, `comp=block&blockid=${encodeURIComponent(key(1))}`, 'x'))
          .statusCode,
      ).toBe(403);
      const params = { attachmentId: body.attachmentId };
      const renewed = (await short.call(calls.renewUpload, { token: own, params })).body;
      expect(
        (
          await at(
            renewed.url,
            'comp=blocklist',
            `<BlockList><Latest>${key(0)}</Latest></BlockList>`,
          )
        ).statusCode,
      ).toBe(201);
      expect((await short.call(calls.completeAttachment, { token: own, params })).status).toBe(200);
      expect((await short.callAs('individual2', calls.renewUpload, { params })).refused.error).toBe(
        'AttachmentNotFound',
      );
    } finally {
      vi.useRealTimers();
      await short.close();
    }
  });

  it('is valid for its owner only, who alone completes the file', async () => {
    const { attachmentId } = await announce(smallPdf.length);
    const other = await app.signIn('individual2');
    expect((await complete(attachmentId, other)).refused.error).toBe('AttachmentNotFound');
    expect(
      (await app.call(calls.renewUpload, { token: other, params: { attachmentId } })).refused.error,
    ).toBe('AttachmentNotFound');
  });
});

describe('the limits of the settings', () => {
  it('override those of a service: bytes, types and files of one request', async () => {
    const strict = await openTestApp({
      DOCUMENT_MEGABYTES: '1',
      DOCUMENT_TYPES: 'application/pdf',
      DOCUMENTS_PER_REQUEST: '1',
    });
    try {
      const own = await strict.signIn('individual');
      const service = await openRequestStage(strict).findService(paidService);
      const say = async (mediaType: string, size: number) =>
        (
          await strict.call(calls.createAttachment, {
            token: own,
            body: { serviceId: service.id, name, fileName: 'deed', mediaType, size },
          })
        ).refused;
      expect(await say('application/pdf', 1_048_577)).toMatchObject({
        error: 'AttachmentTooLarge',
        message: expect.stringContaining('1'),
      });
      expect((await say('image/png', 100)).error).toBe('AttachmentTypeNotAccepted');
      const attachmentIds = [crypto.randomUUID(), crypto.randomUUID()];
      const answer = await strict.call(createRequest, {
        token: own,
        body: {
          serviceId: service.id,
          answers: makeAnswers(service.form),
          attachmentIds,
          agreeToTermsAndConditions: true,
        },
      });
      expect(answer.refused.errors?.attachments).toEqual(['There are more than 1 files']);
    } finally {
      await strict.close();
    }
  });
});

describe('the documents of a request', () => {
  it('refuse documents of another person, of another request or never uploaded, beside the field', async () => {
    const stage = openRequestStage(app);
    const service = await stage.findService(paidService);
    const foreign = await uploadRequiredDocuments(app, await app.signIn('individual2'), service);
    const used = (await stage.send('individual', paidService)).attachmentIds;
    const missing = (await announce(smallPdf.length)).attachmentId;
    for (const attachmentIds of [foreign, used, [missing], [crypto.randomUUID()]]) {
      const answer = await app.call(createRequest, {
        token,
        body: {
          serviceId,
          answers: makeAnswers(service.form),
          attachmentIds,
          agreeToTermsAndConditions: true,
        },
      });
      expect(answer.status).toBe(400);
      expect(answer.refused.errors).toHaveProperty('attachments');
    }
    expect(maximumBytes).toBeGreaterThan(0);
  });

  it('cannot include a result that was announced for another request', async () => {
    const stage = openRequestStage(app);
    const [one, other] = [
      await stage.sendAndApprove('individual'),
      await stage.sendAndApprove('individual'),
    ];
    const supervisor = await app.signIn('supervisor2');
    for (const { requestId } of [one, other])
      await app.call(acceptRequest, { token: supervisor, body: { requestId } });
    const service = await stage.findService('register-labour-complaints-private-sector-employees');
    const { body } = await app.call(calls.createAttachment, {
      token: supervisor,
      body: {
        serviceId: service.id,
        requestId: one.requestId,
        name: 'result',
        fileName: 'a.pdf',
        mediaType: 'application/pdf',
        size: smallPdf.length,
      },
    });
    await app.call(calls.uploadAttachment, {
      token: supervisor,
      params: { attachmentId: body.attachmentId },
      body: smallPdf,
    });
    const submit = (requestId: number) =>
      app.call(submittedRequest, {
        token: supervisor,
        body: { requestId, requestAttachmentList: [body.attachmentId] },
      });
    expect((await submit(other.requestId)).refused.error).toBe('AttachmentNotFound');
    expect((await submit(one.requestId)).status).toBe(200);
  });
});
