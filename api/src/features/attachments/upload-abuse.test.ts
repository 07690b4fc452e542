import { existsSync, readdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { smallPdf } from '#testing/requests/demo-request.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { createPartnerDocument } from '@diwan/contract/people/partner-registration';
import * as calls from '@diwan/contract/requests/attachments';

const app = useTestApp({ DOCUMENTS_UNSENT_MEGABYTES: '8' });
let token: string;
let base: string;
let serviceId: number;
let name: string;
beforeAll(async () => {
  token = await app.signIn('individual');
  base = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const service = await openRequestStage(app).findService(paidService);
  [serviceId, name] = [
    service.id,
    service.attachments.find((rule) => rule.mediaTypes.includes('application/pdf'))?.name ?? '',
  ];
});

const key = (index: number) => Buffer.from(String(index).padStart(6, '0')).toString('base64');
const create = (size: number) =>
  app.call(calls.createAttachment, {
    token,
    body: { serviceId, name, fileName: 'deed.pdf', mediaType: 'application/pdf', size },
  });
const announce = async (size: number) => (await create(size)).body;
const discard = (attachmentId: string) =>
  app.call(calls.deleteAttachment, { token, params: { attachmentId } });
const put = async (url: string, what: string, body: Buffer | string) =>
  (
    await fetch(`${base}${url}&${what}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
  ).status;
const block = (index: number) => `comp=block&blockid=${encodeURIComponent(key(index))}`;
const list = (indexes: readonly number[]) =>
  `<BlockList>${indexes.map((index) => `<Latest>${key(index)}</Latest>`).join('')}</BlockList>`;
const folder = (id: string) => join(app.config.DATA_DIR, 'files', 'incoming', id);
const bytesOf = (id: string) =>
  existsSync(folder(id))
    ? readdirSync(folder(id)).reduce((sum, file) => sum + statSync(join(folder(id), file)).size, 0)
    : 0;

/** A block whose bytes the test writes step by step. */
function beginBlock(url: string, index: number) {
  const { port } = new URL(base);
  const sent = request({
    port,
    method: 'PUT',
    path: `${url}&${block(index)}`,
    headers: { 'content-type': 'application/octet-stream' },
  });
  const status = new Promise<number>((resolve) =>
    sent
      .on('response', (response) => response.resume() && resolve(response.statusCode ?? 0))
      .on('error', () => resolve(0)),
  );
  return { sent, status };
}

describe('an upload address accepts no more than was announced', () => {
  it('when one block is named in the list a thousand times', async () => {
    const { attachmentId, upload } = await announce(200_000);
    expect(await put(upload.url, block(0), Buffer.alloc(100_000))).toBe(201);
    expect(
      await put(upload.url, 'comp=blocklist', list(Array.from({ length: 1000 }, () => 0))),
    ).toBe(413);
    expect(bytesOf(attachmentId)).toBe(100_000);
    expect(await put(upload.url, 'comp=blocklist', list([0, 0]))).toBe(201);
    await discard(attachmentId);
  });

  it('when many blocks come at the same time', async () => {
    const { attachmentId, upload } = await announce(100_000);
    const blocks = [0, 1, 2, 3, 4].map((index) => beginBlock(upload.url, index));
    for (const { sent } of blocks) sent.write(Buffer.alloc(10));
    await expect
      .poll(() => (existsSync(folder(attachmentId)) ? readdirSync(folder(attachmentId)).length : 0))
      .toBe(5);
    for (const { sent } of blocks) sent.end(Buffer.alloc(60_000));
    const statuses = await Promise.all(blocks.map(({ status }) => status));
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(1);
    expect(bytesOf(attachmentId)).toBeLessThanOrEqual(100_000);
    await discard(attachmentId);
  });

  it('and queues more parallel transfers than a browser opens', async () => {
    const { attachmentId, upload } = await announce(100_000);
    const blocks = Array.from({ length: 8 }, (_, index) => beginBlock(upload.url, index));
    for (const { sent } of blocks) sent.write(Buffer.alloc(10));
    await expect
      .poll(() => (existsSync(folder(attachmentId)) ? readdirSync(folder(attachmentId)).length : 0))
      .toBe(8);
    expect(await put(upload.url, block(9), Buffer.alloc(10))).toBe(503);
    for (const { sent } of blocks) sent.end();
    expect(await Promise.all(blocks.map(({ status }) => status))).toEqual(
      Array.from({ length: 8 }, () => 201),
    );
    expect(await put(upload.url, block(9), Buffer.alloc(10))).toBe(201);
    await discard(attachmentId);
  });

  it('counts a block that replaces itself once', async () => {
    const { attachmentId, upload } = await announce(100_000);
    for (const _ of [1, 2, 3])
      expect(await put(upload.url, block(0), Buffer.alloc(100_000))).toBe(201);
    await discard(attachmentId);
  });
});

it('limits parallel uploads of one file in one piece', async () => {
  const { attachmentId } = await announce(smallPdf.length);
  const path = calls.uploadAttachment.path.replace('{attachmentId}', attachmentId);
  const incoming = () => {
    const all = join(app.config.DATA_DIR, 'files', 'incoming');
    return existsSync(all) ? readdirSync(all).length : 0;
  };
  const before = incoming();
  const uploads = Array.from({ length: 5 }, () => {
    const sent = request({
      port: new URL(base).port,
      method: 'PUT',
      path,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/octet-stream',
        'content-length': smallPdf.length,
      },
    });
    const status = new Promise<number>((resolve) =>
      sent
        .on('response', (response) => response.resume() && resolve(response.statusCode ?? 0))
        .on('error', () => resolve(0)),
    );
    sent.write(smallPdf.subarray(0, 10));
    return { sent, status };
  });
  expect(await Promise.race(uploads.map(({ status }) => status))).toBe(503);
  await expect.poll(() => incoming() - before).toBe(4);
  for (const { sent } of uploads) sent.end(smallPdf.subarray(10));
  const statuses = await Promise.all(uploads.map(({ status }) => status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  await discard(attachmentId);
});

describe('an upload address is invalid', () => {
  it('once the file is complete: nothing more is written', async () => {
    const { attachmentId, upload } = await announce(smallPdf.length);
    expect(await put(upload.url, block(0), smallPdf)).toBe(201);
    expect(await put(upload.url, 'comp=blocklist', list([0]))).toBe(201);
    expect(
      (await app.call(calls.completeAttachment, { token, params: { attachmentId } })).status,
    ).toBe(200);
    expect(await put(upload.url, block(1), smallPdf)).toBe(403);
    expect((await fetch(`${base}${upload.url}&comp=blocklist`)).status).toBe(403);
    expect(existsSync(folder(attachmentId))).toBe(false);
  });

  it('once the file was deleted, so that repeated uploads cannot fill the disk', async () => {
    const { attachmentId, upload } = await announce(smallPdf.length);
    await put(upload.url, block(0), smallPdf);
    expect((await discard(attachmentId)).status).toBe(200);
    expect(await put(upload.url, block(0), smallPdf)).toBe(403);
    expect(existsSync(folder(attachmentId))).toBe(false);
  });
});

it('limits the total size of one person’s files without a request; a deleted file no longer counts', async () => {
  const megabyte = 1024 * 1024;
  const first = await announce(5 * megabyte);
  const { status, refused } = await create(5 * megabyte);
  expect(status).toBe(400);
  expect(refused).toMatchObject({
    error: 'DocumentSpaceFull',
    message: expect.stringContaining('8'),
  });
  await discard(first.attachmentId);
  expect((await create(5 * megabyte)).status).toBe(200);
  const other = await app.signIn('individual2');
  const documents = await Promise.all(
    [1, 2, 3].map(() =>
      app.call(createPartnerDocument, {
        token: other,
        body: {
          name: 'tradeLicence',
          fileName: 'licence.pdf',
          mediaType: 'application/pdf',
          size: 5 * megabyte,
        },
      }),
    ),
  );
  expect(documents.map(({ refused }) => refused.error).toSorted()).toEqual([
    'DocumentSpaceFull',
    'DocumentSpaceFull',
    undefined,
  ]);
});
