import { createServer, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAttachmentUploads } from '#features/attachments/attachments.actions.ts';
import { harmfulContent, openClamd, type RunningClamd } from '#testing/programs/running-clamd.ts';
import { makeAnswers, smallPdf, uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import * as calls from '@diwan/contract/requests/attachments';
import { createRequest } from '@diwan/contract/requests/request-actions';
import { openDocuments } from './document-intake.ts';
import { clamdScanner, openScanner } from './scanner.ts';

let clamd: RunningClamd;
let app: TestApp;
beforeAll(async () => {
  clamd = await openClamd();
  await clamd.start();
  app = await openTestApp({ CLAMD: clamd.socket, CLAMD_SECONDS: '5' });
});
afterAll(async () => {
  await app.close();
  await clamd.close();
});

const harmful = Buffer.concat([
  smallPdf.subarray(0, 9),
  Buffer.from(`%${harmfulContent}\n`),
  smallPdf.subarray(9),
]);
const large = (end: string) =>
  Readable.from(
    (function* pieces() {
      for (let piece = 0; piece < 100; piece += 1) yield Buffer.alloc(100_000, piece);
      yield Buffer.from(end);
    })(),
  );

describe('clamd', () => {
  it('finds the test signature, also at the end of ten megabytes, and nothing in clean content', async () => {
    const scanner = clamdScanner(clamd.socket, 10_000);
    expect(await scanner.scan(Readable.from([Buffer.from(harmfulContent)]))).toEqual({
      isClean: false,
      name: expect.stringContaining('Diwan.Test'),
    });
    expect(await scanner.scan(large(harmfulContent))).toMatchObject({ isClean: false });
    expect(await scanner.scan(large('nothing'))).toEqual({ isClean: true });
  });

  it('rejects when clamd is missing, closes the connection, never answers or answers with an error', async () => {
    const fake = async (answer: string | undefined) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        if (answer !== undefined) socket.end(answer);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
    };
    await expect(clamdScanner('/nowhere/clamd.socket', 1000).scan(large(''))).rejects.toThrow(
      'ENOENT',
    );
    for (const answer of [undefined, '', 'INSTREAM size limit exceeded. ERROR\0']) {
      const { server, address } = await fake(answer);
      await expect(clamdScanner(address, 300).scan(large(''))).rejects.toThrow(
        /clamd|ECONNRESET|EPIPE/,
      );
      server.close();
    }
  });
});

describe('documents', () => {
  const announceAndSend = async (content: Buffer) => {
    const token = await app.signIn('individual');
    const service = await openRequestStage(app).findService(paidService);
    const rule = service.attachments.find(({ mediaTypes }) =>
      mediaTypes.includes('application/pdf'),
    );
    const { body } = await app.call(calls.createAttachment, {
      token,
      body: {
        serviceId: service.id,
        name: rule?.name ?? '',
        fileName: 'deed.pdf',
        mediaType: 'application/pdf',
        size: content.length,
      },
    });
    return {
      token,
      id: body.attachmentId,
      sent: await app.call(calls.uploadAttachment, {
        token,
        params: { attachmentId: body.attachmentId },
        body: content,
      }),
    };
  };

  it('are reported as clean; harmful ones are refused, deleted, and cannot be sent with a request', async () => {
    expect((await announceAndSend(smallPdf)).sent.body.scanState).toBe('clean');
    const { token, id, sent } = await announceAndSend(harmful);
    expect(sent.refused.error).toBe('AttachmentInfected');
    expect(
      (await app.call(calls.completeAttachment, { token, params: { attachmentId: id } })).refused
        .error,
    ).toBe('AttachmentInfected');
    await expect((await openDocuments(app.database, app.config)).files.read(id)).rejects.toThrow(
      'AttachmentNotFound',
    );
    const service = await openRequestStage(app).findService(paidService);
    const attachmentIds = [...(await uploadRequiredDocuments(app, token, service)), id];
    const answer = await app.call(createRequest, {
      token,
      body: {
        serviceId: service.id,
        answers: makeAnswers(service.form),
        attachmentIds,
        agreeToTermsAndConditions: true,
      },
    });
    expect(Object.values(answer.refused.errors ?? {}).flat()).toContain(
      'Harmful content was found in this file',
    );
  });

  it('wait while clamd is not available: they can be sent, staff cannot open them, and a later scan runs', async () => {
    const missing = (await announceAndSend(smallPdf)).id;
    await app.database
      .updateTable('attachments')
      .set({ scan_state: 'waiting', created_at: new Date(0) })
      .where('id', '=', missing)
      .execute();
    await (await openDocuments(app.database, app.config)).files.remove(missing);
    await clamd.stop();
    const stage = openRequestStage(app);
    const { requestId, attachmentIds } = await stage.sendAndReceive('individual', paidService);
    const documents = async (who: string) => (await stage.read(who, requestId)).body.attachments;
    expect((await documents('employee')).map(({ scanState }) => scanState)).toEqual(
      attachmentIds.map(() => 'waiting'),
    );
    const open = async (who: string) =>
      app.callAs(who, calls.downloadFile, {
        query: { filePath: (await documents(who))[0]?.filePath ?? '' },
      });
    expect((await open('employee')).refused.error).toBe('AttachmentBeingScanned');
    expect((await open('individual')).status).toBe(200);
    const dependencies = {
      ...(await openDocuments(app.database, app.config, {
        scanner: openScanner(app.config),
      })),
      database: app.database,
      references: {} as never,
      catalogue: {} as never,
      notifyInfected: async () => undefined,
    };
    await openAttachmentUploads(dependencies).scanWaiting();
    expect((await documents('employee'))[0]?.scanState).toBe('waiting');
    await clamd.start();
    await openAttachmentUploads(dependencies).scanWaiting();
    expect((await documents('employee')).map(({ scanState }) => scanState)).toEqual(
      attachmentIds.map(() => 'clean'),
    );
    expect((await open('employee')).status).toBe(200);
    // A missing file does not block the scans of other files.
    expect(
      await app.database
        .selectFrom('attachments')
        .select('scan_state')
        .where('id', '=', missing)
        .executeTakeFirstOrThrow(),
    ).toEqual({ scan_state: 'notScanned' });
  });
});
