import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { getService, getServiceIdByServiceName } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { demoPassword } from '../seed/seed.ts';
import { clonedPlace } from '../testing/cloned-place.ts';
import { paidService } from '../testing/request-stage.ts';
import { endPrograms, startProgram } from '../testing/running-program.ts';
import { findHalves, largePdf, sendUntilGone } from '../testing/upload-load.ts';

afterAll(endPrograms);

// Fifty times: npm run bench:uploads.
it(
  'a crash in the middle of uploads leaves every acknowledged document whole, and no half of one',
  { timeout: 180_000 },
  async () => {
    const place = await clonedPlace();
    const database = place.open();
    const content = largePdf(3_000_000);
    const acknowledged: string[] = [];
    // By documents and not by the clock, so that a busy machine is killed in the middle of uploads
    // too.
    for (const enough of [2, 6]) {
      const program = await startProgram({
        ...place.settings,
        LOG_LEVEL: 'error',
        LOGIN_ATTEMPTS_PER_MINUTE: '1000',
      });
      await program.ready();
      const { token } = (
        await program.call(login, { body: { username: 'individual', password: demoPassword } })
      ).body;
      const { serviceId } = (
        await program.call(getServiceIdByServiceName, { query: { serviceName: paidService } })
      ).body;
      const service = (await program.call(getService, { query: { serviceId } })).body;
      const sending = sendUntilGone(
        program,
        token,
        {
          serviceId,
          name:
            service.attachments.find(({ mediaTypes }) => mediaTypes.includes('application/pdf'))
              ?.name ?? '',
        },
        content,
        acknowledged,
      );
      const over = sending.then(() => true);
      while (acknowledged.length < enough && !(await Promise.race([over, sleep(5)])));
      await sleep(enough * 10);
      program.signal('SIGKILL');
      await sending;
      await program.ended;
      expect(await findHalves(database, place.dataDir, acknowledged, content)).toEqual([]);
    }
    expect(acknowledged.length).toBeGreaterThan(2);
    await database.destroy();
    await place.close();
  },
);
