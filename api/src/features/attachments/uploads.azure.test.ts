import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { openAzureStore } from '#platform/files/file-store-azure.ts';
import { demoPassword } from '#seed/seed.ts';
import { findUploadProblems, largePdf, sendUntilKilled } from '#testing/load/upload-load.ts';
import { cloneProgramData } from '#testing/programs/clone-program-data.ts';
import { endPrograms, startProgram } from '#testing/programs/running-program.ts';
import { smallPdf } from '#testing/requests/demo-request.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { login } from '@diwan/contract/people/users';
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

  it('streams large files in both directions with little memory', async () => {
    const files = await openAzureStore(azure, 'diwan-memory');
    const held: number[] = [];
    const watch = (piece?: Buffer) => {
      held.push(process.memoryUsage().arrayBuffers);
      return piece;
    };
    const pieces = 64;
    async function* large() {
      for (let piece = 0; piece < pieces; piece += 1) yield watch(Buffer.alloc(1024 * 1024, piece));
    }
    const before = process.memoryUsage().arrayBuffers;
    const received = await files.receive(Readable.from(large()), pieces * 1024 * 1024);
    let read = 0;
    for await (const piece of await files.readReceived(received, {
      start: 0,
      end: received.size - 1,
    })) {
      watch();
      read += (piece as Buffer).length;
    }
    await files.discard(received.uploadId);
    expect([received.size, read]).toEqual([pieces * 1024 * 1024, pieces * 1024 * 1024]);
    expect((Math.max(...held) - before) / 1024 / 1024).toBeLessThan(pieces * 0.75);
  });

  it('keeps every acknowledged document complete after a crash during uploads', async () => {
    const place = await cloneProgramData();
    const container = 'diwan-killed';
    const [database, files] = [place.open(), await openAzureStore(azure, container)];
    const content = largePdf(3_000_000);
    const acknowledged: string[] = [];
    for (const enough of [2, 5]) {
      const program = await startProgram({
        ...place.settings,
        AZURE_STORAGE_CONNECTION_STRING: azure,
        AZURE_STORAGE_CONTAINER: container,
        LOG_LEVEL: 'error',
      });
      await program.waitUntilReady();
      const { token } = (
        await program.call(login, { body: { username: 'individual', password: demoPassword } })
      ).body;
      const service = await openRequestStage(app).findService(paidService);
      const rule = service.attachments.find(({ mediaTypes }) =>
        mediaTypes.includes('application/pdf'),
      );
      const target = { serviceId: service.id, name: rule?.name ?? '' };
      const sending = sendUntilKilled({ program, token, target, content }, acknowledged);
      const over = sending.then(() => true);
      while (acknowledged.length < enough && !(await Promise.race([over, sleep(5)])));
      program.signal('SIGKILL');
      await sending;
      await program.ended;
      expect(
        await findUploadProblems(
          database,
          { dataDir: place.dataDir, acknowledged, content },
          async (_, id) =>
            files.read(id).then(
              (stream) => buffer(stream),
              () => undefined,
            ),
        ),
      ).toEqual([]);
    }
    expect(acknowledged.length).toBeGreaterThan(2);
    await database.destroy();
    await place.close();
    await endPrograms();
  });
});
