import { describe, expect, inject, it } from 'vitest';
import { smallPdf } from '#testing/requests/demo-request.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { testUploadsOn } from '#testing/storage/test-uploads.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as calls from '@diwan/contract/requests/attachments';

const azure = inject('azurite');

describe('the product on Azure Blob Storage', () => {
  const app = useTestApp({
    AZURE_STORAGE_CONNECTION_STRING: azure,
    AZURE_STORAGE_CONTAINER: 'diwan-test',
  });

  it('returns upload addresses of the storage, inspects uploaded files and serves ranges', async () => {
    const token = await app.signIn('individual');
    const service = await openRequestStage(app).findService(paidService);
    const rule = service.attachments.find(({ mediaTypes }) =>
      mediaTypes.includes('application/pdf'),
    );
    const announce = () =>
      app.call(calls.createAttachment, {
        token,
        body: {
          serviceId: service.id,
          name: rule?.name ?? '',
          fileName: 'deed.pdf',
          mediaType: 'application/pdf',
          size: smallPdf.length,
        },
      });
    const send = async (url: string, content: Buffer) => {
      expect(
        (
          await fetch(`${url}&comp=block&blockid=MDAw`, {
            method: 'PUT',
            body: new Uint8Array(content),
          })
        ).status,
      ).toBe(201);
      expect(
        (
          await fetch(`${url}&comp=blocklist`, {
            method: 'PUT',
            body: '<?xml version="1.0" encoding="utf-8"?><BlockList><Latest>MDAw</Latest></BlockList>',
          })
        ).status,
      ).toBe(201);
    };
    const { body } = await announce();
    const { origin } = new URL(body.upload.url);
    expect(
      String((await app.server.inject('/health/live')).headers['content-security-policy']),
    ).toMatch(new RegExp(`connect-src [^;]*${origin}`));
    await send(body.upload.url, smallPdf);
    const complete = (attachmentId: string) =>
      app.call(calls.completeAttachment, { token, params: { attachmentId } });
    expect((await complete(body.attachmentId)).body).toMatchObject({
      mediaType: 'application/pdf',
      size: smallPdf.length,
    });
    const wrong = (await announce()).body;
    await send(wrong.upload.url, Buffer.alloc(smallPdf.length, 'MZ'));
    expect((await complete(wrong.attachmentId)).refused.error).toBe('AttachmentTypeNotAccepted');

    const stage = openRequestStage(app);
    const { requestId } = await stage.send('individual', paidService);
    const filePath =
      (await stage.read('individual', requestId)).body.attachments[0]?.filePath ?? '';
    const part = await app.server.inject({
      url: '/api/File/DownloadFile',
      query: { filePath },
      headers: { authorization: `Bearer ${token}`, range: 'bytes=0-7' },
    });
    expect([part.statusCode, part.body]).toEqual([206, '%PDF-1.4']);
  });

  testUploadsOn(app, {
    AZURE_STORAGE_CONNECTION_STRING: azure,
    AZURE_STORAGE_CONTAINER: 'diwan-uploads',
  });
});
