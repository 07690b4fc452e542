import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { getService, getServiceIdByServiceName } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { demoPassword } from '../seed/seed.ts';
import { findUploadProblems, largePdf, sendUntilKilled } from '../testing/load/upload-load.ts';
import { cloneProgramData } from '../testing/programs/clone-program-data.ts';
import { endPrograms, startProgram } from '../testing/programs/running-program.ts';
import { paidService } from '../testing/requests/request-stage.ts';

afterAll(endPrograms);

// Fifty rounds: npm run bench -- uploads.
it(
  'a crash during uploads leaves every acknowledged document complete, and no partial one',
  { timeout: 180_000 },
  async () => {
    const data = await cloneProgramData();
    const database = data.open();
    const content = largePdf(3_000_000);
    const acknowledged: string[] = [];
    // Counts documents and not seconds, so that the kill hits uploads in progress on a busy machine
    // too.
    for (const enough of [2, 6]) {
      const program = await startProgram({
        ...data.settings,
        LOG_LEVEL: 'error',
        LOGIN_ATTEMPTS_PER_MINUTE: '1000',
      });
      await program.waitUntilReady();
      const { token } = (
        await program.call(login, { body: { username: 'individual', password: demoPassword } })
      ).body;
      const { serviceId } = (
        await program.call(getServiceIdByServiceName, { query: { serviceName: paidService } })
      ).body;
      const service = (await program.call(getService, { query: { serviceId } })).body;
      const rule = service.attachments.find(({ mediaTypes }) =>
        mediaTypes.includes('application/pdf'),
      );
      const target = { serviceId, name: rule?.name ?? '' };
      const sending = sendUntilKilled({ program, token, target, content }, acknowledged);
      const over = sending.then(() => true);
      while (acknowledged.length < enough && !(await Promise.race([over, sleep(5)])));
      await sleep(enough * 10);
      program.signal('SIGKILL');
      await sending;
      await program.ended;
      expect(
        await findUploadProblems(database, { dataDir: data.dataDir, acknowledged, content }),
      ).toEqual([]);
    }
    expect(acknowledged.length).toBeGreaterThan(2);
    await database.destroy();
    await data.close();
  },
);
