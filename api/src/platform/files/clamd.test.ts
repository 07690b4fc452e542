import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as calls from '@diwan/contract/requests/attachments';
import { createRequest } from '@diwan/contract/requests/requests';
import { arrivalOf } from '../../features/attachments/attachments.actions.ts';
import { answersFor, smallPdf, uploadRequired } from '../../testing/demo-request.ts';
import { openRequestStage, paidService } from '../../testing/request-stage.ts';
import { harmfulWords, openClamd, type RunningClamd } from '../../testing/running-clamd.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
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
  Buffer.from(`%${harmfulWords}\n`),
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
  it('finds the test signature, also at the end of ten megabytes, and nothing in what is clean', async () => {
    const scanner = clamdScanner(clamd.socket, 10_000);
    expect(await scanner.scan(Readable.from([Buffer.from(harmfulWords)]))).toEqual({
      isClean: false,
      name: expect.stringContaining('Diwan.Test'),
    });
    expect(await scanner.scan(large(harmfulWords))).toMatchObject({ isClean: false });
    expect(await scanner.scan(large('nothing'))).toEqual({ isClean: true });
  });

  it('that is not there, hangs up, never answers or answers an error is no answer', async () => {
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

  it('that are clean say so; harmful ones are told, deleted, and cannot be sent', async () => {
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
    const attachmentIds = [...(await uploadRequired(app, token, service)), id];
    const answer = await app.call(createRequest, {
      token,
      body: {
        serviceId: service.id,
        answers: answersFor(service.form),
        attachmentIds,
        agreeToTermsAndConditions: true,
      },
    });
    expect(Object.values(answer.refused.errors ?? {}).flat()).toContain(
      'Harmful content was found in this file',
    );
  });

  it('wait while clamd is away: the request can be sent, staff cannot open them before, and they are scanned when it is back', async () => {
    const gone = (await announceAndSend(smallPdf)).id;
    await app.database
      .updateTable('attachments')
      .set({ scan_state: 'waiting', created_at: new Date(0) })
      .where('id', '=', gone)
      .execute();
    await (await openDocuments(app.database, app.config)).files.remove(gone);
    await clamd.stop();
    const stage = openRequestStage(app);
    const { requestId, attachmentIds } = await stage.sendAndReceive('individual', paidService);
    const documents = async (who: string) => (await stage.read(who, requestId)).body.attachments;
    expect((await documents('employee')).map(({ scanState }) => scanState)).toEqual(
      attachmentIds.map(() => 'waiting'),
    );
    const open = async (who: string) =>
      app.call(calls.downloadFile, {
        token: await app.signIn(who),
        query: { filePath: (await documents(who))[0]?.filePath ?? '' },
      });
    expect((await open('employee')).refused.error).toBe('AttachmentBeingScanned');
    expect((await open('individual')).status).toBe(200);
    const parts = {
      ...(await openDocuments(app.database, app.config, {
        scanner: openScanner(app.config),
      })),
      database: app.database,
      references: {} as never,
      catalogue: {} as never,
      tellInfected: async () => undefined,
    };
    await arrivalOf(parts).scanWaiting();
    expect((await documents('employee'))[0]?.scanState).toBe('waiting');
    await clamd.start();
    await arrivalOf(parts).scanWaiting();
    expect((await documents('employee')).map(({ scanState }) => scanState)).toEqual(
      attachmentIds.map(() => 'clean'),
    );
    expect((await open('employee')).status).toBe(200);
    // A file that is gone holds nobody up.
    expect(
      await app.database
        .selectFrom('attachments')
        .select('scan_state')
        .where('id', '=', gone)
        .executeTakeFirstOrThrow(),
    ).toEqual({ scan_state: 'notScanned' });
  });
});
