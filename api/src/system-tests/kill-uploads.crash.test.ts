import { afterAll, expect, it } from 'vitest';
import { getService, getServiceIdByServiceName } from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { demoPassword } from '../seed/seed.ts';
import { findUploadProblems, largePdf, sendUntilKilled } from '../testing/load/upload-load.ts';
import { cloneProgramData } from '../testing/programs/clone-program-data.ts';
import { killInRounds } from '../testing/programs/kill-in-rounds.ts';
import { endPrograms } from '../testing/programs/running-program.ts';
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
    const settings = { ...data.settings, LOG_LEVEL: 'error', LOGIN_ATTEMPTS_PER_MINUTE: '1000' };
    const program = await killInRounds(settings, 2, {
      async begin(running, round) {
        const enough = round === 1 ? 2 : 6;
        const { token } = (
          await running.call(login, { body: { username: 'individual', password: demoPassword } })
        ).body;
        const { serviceId } = (
          await running.call(getServiceIdByServiceName, { query: { serviceName: paidService } })
        ).body;
        const service = (await running.call(getService, { query: { serviceId } })).body;
        const rule = service.attachments.find(({ mediaTypes }) =>
          mediaTypes.includes('application/pdf'),
        );
        const target = { serviceId, name: rule?.name ?? '' };
        return {
          work: sendUntilKilled({ program: running, token, target, content }, acknowledged),
          isEnough: () => acknowledged.length >= enough,
          delayMs: enough * 10,
        };
      },
      async afterKill() {
        expect(
          await findUploadProblems(database, { dataDir: data.dataDir, acknowledged, content }),
        ).toEqual([]);
      },
    });
    program.signal('SIGINT');
    await program.ended;
    expect(acknowledged.length).toBeGreaterThan(2);
    await database.destroy();
    await data.close();
  },
);
