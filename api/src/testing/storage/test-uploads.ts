import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readConfig } from '#config.ts';
import { openFileStore } from '#platform/files/open-file-store.ts';
import { demoPassword } from '#seed/seed.ts';
import { login } from '@diwan/contract/people/users';
import { findUploadProblems, largePdf, sendUntilKilled } from '../load/upload-load.ts';
import { cloneProgramData } from '../programs/clone-program-data.ts';
import { endPrograms, startProgram } from '../programs/running-program.ts';
import { openRequestStage, paidService } from '../requests/request-stage.ts';
import type { useTestApp } from '../test-app.ts';

/** What the product does on every object storage. The settings name one with an empty place. */
export function testUploadsOn(
  app: ReturnType<typeof useTestApp>,
  settings: Record<string, string>,
  settingsOfMemory = settings,
): void {
  it('streams large files in both directions with little memory', async () => {
    const files = await openFileStore(readConfig(settingsOfMemory));
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
    const [database, files] = [place.open(), await openFileStore(readConfig(settings))];
    const content = largePdf(3_000_000);
    const acknowledged: string[] = [];
    for (const enough of [2, 5]) {
      const program = await startProgram({
        ...place.settings,
        ...settings,
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
  }, 240_000);
}
