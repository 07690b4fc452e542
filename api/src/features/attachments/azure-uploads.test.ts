import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as calls from '@diwan/contract/attachments';
import { smallPdf } from '../../testing/demo-request.ts';
import { openRequestStage, paidService } from '../../testing/request-stage.ts';
import { openTestHouse, type TestHouse } from '../../testing/test-house.ts';

// Started by scripts/azurite.mjs: npm run test:azure.
const azure = process.env.AZURITE_CONNECTION_STRING;

describe.skipIf(azure === undefined)('the product on Azure Blob Storage', () => {
  let house: TestHouse;
  beforeAll(async () => {
    house = await openTestHouse({ AZURE_STORAGE_CONNECTION_STRING: azure ?? '', AZURE_STORAGE_CONTAINER: 'diwan-house' });
  });
  afterAll(() => house.close());

  it('gives addresses of the storage, which its policy lets browsers reach, judges what came there and gives ranges of it', async () => {
    const token = await house.signIn('individual');
    const service = await openRequestStage(house).findService(paidService);
    const rule = service.attachments.find(({ mediaTypes }) => mediaTypes.includes('application/pdf'));
    const announce = () => house.call(calls.createAttachment, { token, body: { serviceId: service.id, name: rule?.name ?? '', fileName: 'deed.pdf', mediaType: 'application/pdf', size: smallPdf.length } });
    const send = async (url: string, content: Buffer) => {
      expect((await fetch(`${url}&comp=block&blockid=MDAw`, { method: 'PUT', body: new Uint8Array(content) })).status).toBe(201);
      expect((await fetch(`${url}&comp=blocklist`, { method: 'PUT', body: '<?xml version="1.0" encoding="utf-8"?><BlockList><Latest>MDAw</Latest></BlockList>' })).status).toBe(201);
    };
    const { body } = await announce();
    const { origin } = new URL(body.upload.url);
    expect(String((await house.server.inject('/health/live')).headers['content-security-policy'])).toMatch(new RegExp(`connect-src [^;]*${origin}`));
    await send(body.upload.url, smallPdf);
    const complete = (attachmentId: string) => house.call(calls.completeAttachment, { token, params: { attachmentId } });
    expect((await complete(body.attachmentId)).body).toMatchObject({ mediaType: 'application/pdf', size: smallPdf.length });
    const wrong = (await announce()).body;
    await send(wrong.upload.url, Buffer.alloc(smallPdf.length, 'MZ'));
    expect((await complete(wrong.attachmentId)).refused.error).toBe('AttachmentTypeNotAccepted');

    const stage = openRequestStage(house);
    const { requestId } = await stage.send('individual', paidService);
    const filePath = (await stage.read('individual', requestId)).body.attachments[0]?.filePath ?? '';
    const part = await house.server.inject({ url: '/api/File/DownloadFile', query: { filePath }, headers: { authorization: `Bearer ${token}`, range: 'bytes=0-7' } });
    expect([part.statusCode, part.body]).toEqual([206, '%PDF-1.4']);
  });
});
